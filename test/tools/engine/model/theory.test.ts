/** The server model against queueing theory and the closed forms of a time-to-live cache. */
import { describe, expect, it } from 'vitest';
import { popularityCdf, popularitySampler } from '../../../../lib/popularity.ts';
import { type Random, sessionRandom } from '../../../../lib/random.ts';
import type { PopularityLaw } from '../../../../lib/workload.ts';
import { coldHitRatio, modelCache, sharesOf, steadyHitRatio } from '../../../../tools/engine/model/cache.ts';
import { latencyMean, latencySampler } from '../../../../tools/engine/model/latency.ts';
import { erlangC, meanWait, serverQueue } from '../../../../tools/engine/model/queue.ts';

const exponential = (random: Random, mean: number) => -mean * Math.log(1 - random());

/** Mean wait before service and the half-width of its 99 % interval, from the means of independent runs. */
function simulatedWait(servers: number, rate: number, service: number) {
  const runs = Array.from({ length: 30 }, (_, run) => {
    const random = sessionRandom(servers, run);
    const queue = serverQueue(servers);
    let now = 0;
    let sum = 0;
    let n = 0;
    for (let i = 0; i < 12_000; i++) {
      now += exponential(random, 1 / rate);
      const work = exponential(random, service);
      const wait = queue.finish(now, work) - now - work;
      // The queue begins empty; the first sixth is left out.
      if (i >= 2_000) {
        sum += wait;
        n++;
      }
    }
    return sum / n;
  });
  const mean = runs.reduce((a, b) => a + b, 0) / runs.length;
  const variance = runs.reduce((a, b) => a + (b - mean) ** 2, 0) / (runs.length - 1);
  // Student's t, 29 degrees of freedom, 99 % two-sided.
  return { mean, halfWidth: 2.756 * Math.sqrt(variance / runs.length) };
}

describe('queues', () => {
  it('knows Erlang C: two servers offered 1 Erlang wait with probability 1/3', () => {
    // C(2, a) = a^2 / (2 + a) for a = 1 Erlang: 1/3. One server: the load itself.
    expect(erlangC(2, 1)).toBeCloseTo(1 / 3, 12);
    expect(erlangC(1, 0.7)).toBeCloseTo(0.7, 12);
  });

  it.each([
    [1, 0.7],
    [4, 0.8],
    [10, 0.9],
  ])('M/M/%i at load %f waits as the textbook says', (servers, load) => {
    const service = 1;
    const rate = (load * servers) / service;
    const { mean, halfWidth } = simulatedWait(servers, rate, service);
    const theory = meanWait(servers, rate, service);
    // Of one server: rho / (mu - lambda).
    if (servers === 1) expect(theory).toBeCloseTo(load / (1 - load), 12);
    expect(Math.abs(mean - theory)).toBeLessThan(halfWidth);
    expect(halfWidth).toBeLessThan(0.2 * theory);
  });

  it('stands still during a stall and goes on after it', () => {
    const queue = serverQueue(1, [{ at: 100, ms: 50 }]);
    expect(queue.finish(90, 20)).toBe(160);
    expect(queue.finish(120, 5)).toBe(165);
    expect(queue.finish(200, 5)).toBe(205);
  });
});

describe('latency laws', () => {
  it.each([
    { law: 'exponential', mean: 20 } as const,
    { law: 'lognormal', median: 20, sigma: 0.5 } as const,
    { law: 'lognormal', median: 20, sigma: 0.5, tail: { share: 0.01, from: 100, exponent: 3 } } as const,
    { law: 'empirical', quantiles: [1, 2, 4, 40] } as const,
  ])('$law has its mean', (law) => {
    const random = sessionRandom(7, 1);
    const draw = latencySampler(law);
    let sum = 0;
    const n = 200_000;
    for (let i = 0; i < n; i++) sum += draw(random);
    // Standard error below 0.3 % of the mean for these laws.
    expect(Math.abs(sum / n / latencyMean(law) - 1)).toBeLessThan(0.015);
  });
});

// The brief's case, 40,000 books at 600/s, a quarter as large: the hit ratios depend on the quotient and the law alone, for
// `power` and `uniform` exactly.
const BOOKS = 10_000;
const RATE = 150;
const TTL = 60;

/** Hit ratios of Poisson requests by minute, from an empty cache. */
function simulatedHits(law: PopularityLaw, minutes: number): number[] {
  const random = sessionRandom(11, 3);
  const pick = popularitySampler(law, BOOKS);
  const cache = modelCache(TTL);
  const asked = new Array<number>(minutes).fill(0);
  const hits = new Array<number>(minutes).fill(0);
  for (let now = exponential(random, 1 / RATE); now < 60 * minutes; now += exponential(random, 1 / RATE)) {
    const minute = Math.floor(now / 60);
    const key = String(pick(random));
    asked[minute] = (asked[minute] ?? 0) + 1;
    if (cache.hit(key, now)) hits[minute] = (hits[minute] ?? 0) + 1;
    else cache.store(key, now);
  }
  return hits.map((n, i) => n / (asked[i] ?? 1));
}

describe('the output cache', () => {
  it.each<PopularityLaw>([
    { law: 'power', g: 1 },
    { law: 'power', g: 2 },
    { law: 'power', g: 3 },
    { law: 'zipf', s: 2 / 3 },
    { law: 'zipf', s: 1 },
  ])('hits as its closed form says, cold and steady: %o', (law) => {
    const shares = [...sharesOf(popularityCdf(law, BOOKS), BOOKS)];
    const minutes = simulatedHits(law, 10);
    const steady = minutes.slice(5).reduce((a, b) => a + b, 0) / (minutes.length - 5);
    expect(Math.abs((minutes[0] ?? 0) - coldHitRatio(RATE, 60, shares))).toBeLessThan(0.01);
    expect(Math.abs(steady - steadyHitRatio(RATE, TTL, shares))).toBeLessThan(0.01);
  });

  it("gives the brief's table: one book 100 %, skewed 50 % in the cold minute", () => {
    expect(simulatedHits({ law: 'single' }, 1)[0]).toBeGreaterThan(0.97);
    expect(Math.abs((simulatedHits({ law: 'power', g: 3 }, 1)[0] ?? 0) - 0.5)).toBeLessThan(0.03);
  });

  it("finds the brief's 44 % of a uniform choice between a cold minute and the steady state", () => {
    // 36,000 uniform requests touch 40,000 (1 - e^-0.9) = 23,737 books: 34 % hits from an empty cache, 47 % for ever after.
    const uniform = new Array<number>(BOOKS).fill(1 / BOOKS);
    expect(coldHitRatio(RATE, 60, uniform)).toBeCloseTo(1 - 23_737 / 36_000, 2);
    expect(steadyHitRatio(RATE, TTL, uniform)).toBeCloseTo((0.9 * 1) / 1.9, 6);
    const second = simulatedHits({ law: 'uniform' }, 2)[1] ?? 0;
    expect(Math.abs(second - 0.44)).toBeLessThan(0.05);
  });
});
