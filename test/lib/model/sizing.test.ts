import { describe, expect, it } from 'vitest';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { meanOpenSessions, poissonCeiling, preallocatedVus, type SessionModel } from '../../../lib/model/sizing.ts';

/** The reference mix: 20 sessions/s that think 8.43 s and send 2.9 requests. */
const MIX: SessionModel = { rate: 20, thinkSeconds: 8.43, requests: 2.9, latencySeconds: 0, shiftSeconds: 0 };

/** Exact P(N >= v) of a Poisson number, the terms added up from the definition in logarithms. */
function poissonTail(mean: number, v: number): number {
  let sum = 0;
  let log = -mean;
  for (let k = 0; k < v + 50 * Math.sqrt(mean + 1); k++) {
    if (k > 0) log += Math.log(mean / k);
    if (k >= v) sum += Math.exp(log);
  }
  return sum;
}

describe("Little's law", () => {
  it('20 sessions/s of 8.43 s are 169 open sessions; 500 requests/s need 100 VUs at 200 ms and 500 at 1 s', () => {
    expect(Math.round(meanOpenSessions(MIX))).toBe(169);
    const api = { rate: 500, thinkSeconds: 0, requests: 1, shiftSeconds: 0 };
    expect(meanOpenSessions({ ...api, latencySeconds: 0.2 })).toBeCloseTo(100, 9);
    expect(meanOpenSessions({ ...api, latencySeconds: 1 })).toBeCloseTo(500, 9);
  });

  it('counts half of the longest wait', () => {
    expect(meanOpenSessions({ ...MIX, shiftSeconds: 1 }) - meanOpenSessions(MIX)).toBeCloseTo(10, 9);
  });
});

describe('preallocated VUs', () => {
  it.each([0.01, 0.5, 5, 30, 169, 1_000, 20_000])(
    'never below the exact Poisson quantile, and near it: mean %f',
    (mean) => {
      const v = poissonCeiling(mean, 3_600, 0.001);
      expect(3_600 * poissonTail(mean, v)).toBeLessThanOrEqual(0.001);
      // Not wasteful: five per cent (or five VUs) fewer would be too few.
      expect(3_600 * poissonTail(mean, Math.floor(v - Math.max(5, v * 0.05)))).toBeGreaterThan(0.001);
    },
  );

  it('hold every session of a simulated hour, and the mean alone does not', () => {
    // Poisson arrivals, uniform think times of the mean 8.43 s, each request at its mean: the open sessions at each arrival.
    const model = { ...MIX, latencySeconds: 0.05, shiftSeconds: 0 };
    const random = sessionRandom(hashSeed('hour'), 0);
    const open: number[] = [];
    let most = 0;
    for (let t = 0; t < 3_600; t += -Math.log(1 - random()) / model.rate) {
      open.push(t + 2 * model.thinkSeconds * random() + model.requests * model.latencySeconds);
      if (open.length % 256 === 0) open.splice(0, open.length, ...open.filter((end) => end > t));
      most = Math.max(most, open.filter((end) => end > t).length);
    }
    expect(most).toBeGreaterThan(meanOpenSessions(model));
    expect(most).toBeLessThanOrEqual(preallocatedVus(model, 3_600));
  });

  it('are never more than the sessions of the run, and at least one', () => {
    expect(preallocatedVus({ ...MIX, thinkSeconds: 1_000 }, 2)).toBe(41);
    expect(preallocatedVus({ ...MIX, rate: 0.001 }, 1)).toBeGreaterThanOrEqual(1);
    expect(preallocatedVus({ ...MIX, thinkSeconds: 0, latencySeconds: 0 }, 60)).toBe(1);
  });
});
