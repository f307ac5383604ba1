/** Two classic ways to be misled: three populations in one aggregate, and a stall that a closed loop hides. */
import { describe, expect, it } from 'vitest';
import { sessionRandom } from '../../../lib/model/random.ts';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { quantileOf } from '../../../tools/verdict/populations.ts';
import { HEADER, made, requestRows } from './support.ts';

const START = 1795982260000;

describe('three populations in one run', () => {
  it('200 at 28 ms, 503 at 500 ms, 504 at 3 s: the blend is nobody, the clusters are named as time-outs', async () => {
    const random = sessionRandom(21, 0);
    const rows = Array.from({ length: 1500 }, (_, i) => {
      const draw = random();
      const [status, ms] =
        draw < 0.6
          ? [200, 28 * Math.exp(0.2 * (random() - 0.5))]
          : draw < 0.8
            ? [503, 500 + random() * 3]
            : [504, 3000 + random() * 8];
      return requestRows(START + i * 20, ms, { status });
    });
    const { facts, verdict } = await analyse({ paths: [made('three.csv', `${HEADER}\n${rows.join('')}`)] });
    expect(facts.byStatus.map((one) => one.statusClass)).toEqual(['200', '503', '504']);
    const median = (status: string) =>
      quantileOf(
        facts.byStatus.find((one) => one.statusClass === status),
        0.5,
      )?.value ?? 0;
    expect(median('200')).toBeGreaterThan(25);
    expect(median('200')).toBeLessThan(31);
    const clusters = verdict.reasons
      .filter((reason) => reason.rule === 'timeout-cluster')
      .map((reason) => reason.numbers['timeoutMs']);
    expect(new Set(clusters)).toEqual(new Set([500, 3000]));
    const heavy = verdict.reasons.find((reason) => reason.rule === 'error-heavy');
    expect(heavy?.message).toMatch(/mean over all answers.*slower/);
    // The blend's p95 is a 504, the users' p95 is not.
    expect(quantileOf(facts.blends[0], 0.95)?.value).toBeGreaterThan(2900);
    expect(quantileOf(facts.byStatus[0], 0.95)?.value).toBeLessThan(35);
  });

  it('fast rejections flatter: the verdict says which way', async () => {
    const random = sessionRandom(22, 0);
    const rows = Array.from({ length: 1000 }, (_, i) =>
      requestRows(START + i * 20, random() < 0.5 ? 1 : 1, { status: 500 }).concat(
        requestRows(START + i * 20 + 5, 80 + random() * 10),
      ),
    );
    const { verdict } = await analyse({ paths: [made('fast.csv', `${HEADER}\n${rows.join('')}`)] });
    expect(verdict.reasons.find((reason) => reason.rule === 'error-heavy')?.message).toMatch(
      /faster than its users find it/,
    );
  });
});

describe('a stall of 1.4 s', () => {
  it('is hidden by a closed loop; the corrected p99 and its factor are printed', async () => {
    // One user, 10 ms an iteration, 10,000 iterations, one of them stalls for 1.4 s.
    let at = START;
    const rows = Array.from({ length: 10_000 }, (_, i) => {
      const duration = i === 5000 ? 1400 : 10;
      at += duration;
      return `${requestRows(at, duration)}iteration_duration,${at},${duration}.000000,,,,,,,,,browse,,,,,,,\niterations,${at},1.000000,,,,,,,,,browse,,,,,,,\n`;
    });
    const { facts, verdict } = await analyse({
      paths: [made('stall.csv', `${HEADER}\n${rows.join('')}`)],
      plan: 'vus=1,duration=102s',
    });
    expect(facts.omission?.observedP99Ms).toBe(10);
    // Added: 1390, 1380, ..., 10 ms, 139 samples; n = 10,139, so p99 lies 0.01 x 10,138 = 101.38 from the top: 1400 - 1013.8.
    expect(facts.omission?.correctedP99Ms).toBeCloseTo(386.2, 6);
    const closed = verdict.reasons.find((reason) => reason.rule === 'closed-model');
    expect(closed?.message).toContain('38.6 times');
  });
});
