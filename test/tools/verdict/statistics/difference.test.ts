/**
 * Comparison intervals on autocorrelated latencies: a single server near 70 % load (M/G/1, log-normal service with
 * variation 1), waiting and service by Lindley's recursion. 500 seeded repetitions.
 */
import { describe, expect, it } from 'vitest';
import { hashSeed, sessionRandom } from '../../../../lib/model/random.ts';
import { compareSides, DEFAULT_COMPARE, FEWEST_PIECES, isDecided } from '../../../../tools/verdict/compare/compare.ts';
import { neededLengths } from '../../../../tools/verdict/compare/needed-length.ts';
import type { Side } from '../../../../tools/verdict/compare/side.ts';
import {
  type BinnedSamples,
  blockAutocorrelationTime,
  blockLength,
  memory,
} from '../../../../tools/verdict/statistics/blocks.ts';
import { quantileDifferences } from '../../../../tools/verdict/statistics/difference.ts';
import { quantileOfSorted } from '../../../../tools/verdict/statistics/quantile.ts';

const SECONDS = 300;
const RATE = 20;

/** Latencies (ms) of `seconds` at 20 requests/s in bins of a second, the queue in its steady state at the start. */
function queue(random: () => number, scale = 1, seconds = SECONDS): BinnedSamples {
  const mean = 0.7 / RATE;
  const variance = Math.log(2);
  const mu = Math.log(mean) - variance / 2;
  const bins: number[][] = Array.from({ length: seconds }, () => []);
  let wait = 0;
  for (let time = -20; time < seconds; ) {
    const gap = -Math.log(1 - random()) / RATE;
    time += gap;
    wait = Math.max(0, wait - gap);
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const service = Math.exp(mu + Math.sqrt(variance) * normal);
    wait += service;
    if (time >= 0 && time < seconds) bins[Math.floor(time)]?.push(wait * 1000 * scale);
  }
  return { bins: bins.map((bin) => Float64Array.from(bin)) };
}

describe('block length', () => {
  it('is short for independent values and grows with their memory', () => {
    const random = sessionRandom(4, 4);
    const series = (memory: number) => {
      let value = 0;
      return Float64Array.from({ length: 2000 }, () => {
        value = memory * value + (random() - 0.5);
        return value;
      });
    };
    expect(blockLength(series(0))).toBeLessThan(12);
    expect(blockLength(series(0.9))).toBeGreaterThan(25);
    expect(blockLength(new Float64Array(100))).toBe(1);
  });
});

describe('memory of a series', () => {
  const autoregressive = (phi: number, n: number, seed: number) => {
    const random = sessionRandom(9, seed);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    let value = normal() / Math.sqrt(1 - phi * phi);
    return Float64Array.from({ length: n }, () => {
      const now = value;
      value = phi * value + normal();
      return now;
    });
  };
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

  it.each([0, 0.5, 0.9])('autoregressive with %f: (1 + phi) / (1 - phi), in long series and in short ones', (phi) => {
    const truth = (1 + phi) / (1 - phi);
    const found = (n: number) => median(Array.from({ length: 21 }, (_, k) => memory(autoregressive(phi, n, k))));
    expect(found(8000) / truth).toBeGreaterThan(0.9);
    expect(found(8000) / truth).toBeLessThan(1.1);
    expect(found(200) / truth).toBeGreaterThan(0.6);
    expect(found(200) / truth).toBeLessThan(1.5);
  });

  it('blocks hold it when they are long, and nothing of it when they are single steps', () => {
    const series = autoregressive(0.9, 50_000, 1);
    expect(blockAutocorrelationTime(series, 1)).toBeCloseTo(1, 9);
    // Sum over |k| < L of (1 - |k| / L) phi^|k|, which is below (1 + phi) / (1 - phi) by 2 phi (1 - phi^L) / (L (1 - phi)^2).
    const held = (L: number) => 19 - (2 * 0.9 * (1 - 0.9 ** L)) / (L * 0.1 ** 2);
    for (const length of [5, 50]) expect(blockAutocorrelationTime(series, length) / held(length)).toBeCloseTo(1, 0);
    expect(memory(new Float64Array(50))).toBe(1);
  });
});

/** Latencies at 20 requests/s that follow a hidden autoregressive state with a memory of `memorySeconds`. */
function drifting(random: () => number, memorySeconds: number, seconds: number): BinnedSamples {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const bins: number[][] = Array.from({ length: seconds }, () => []);
  let state = normal();
  for (let time = 0; time < seconds; ) {
    bins[Math.floor(time)]?.push(10 * Math.exp(0.5 * state + 0.3 * normal()));
    const gap = -Math.log(1 - random()) / RATE;
    const phi = Math.exp(-gap / memorySeconds);
    state = phi * state + Math.sqrt(1 - phi * phi) * normal();
    time += gap;
  }
  return { bins: bins.map((bin) => Float64Array.from(bin)) };
}

const sideOf = (samples: BinnedSamples, seconds: number): Side => ({
  paths: [],
  analyses: [],
  populations: new Map([['x', { endpoint: 'x', samples, n: samples.bins.reduce((n, bin) => n + bin.length, 0) }]]),
  failures: samples.bins.map((bin) => ({ requests: bin.length, failed: 0 })),
  touches: new Map(),
  seconds,
});

describe('tests that are short for how long latencies stay alike', () => {
  it.each([
    [60, 5],
    [180, 15],
  ])(
    '%i s with a memory of %i s: seldom decided, hardly ever an alarm, and the length is said',
    (seconds, lasting) => {
      const pairs = 60;
      let alarms = 0;
      let undecided = 0;
      for (let i = 0; i < pairs; i++) {
        const random = sessionRandom(hashSeed(`short ${seconds}`), i);
        const [a, b] = [drifting(random, lasting, seconds), drifting(random, lasting, seconds)];
        const comparison = compareSides(sideOf(a, seconds), sideOf(b, seconds), {
          ...DEFAULT_COMPARE,
          repetitions: 250,
        });
        if (comparison.rows.some((row) => row.mark !== '~')) alarms++;
        if (!isDecided(comparison)) {
          undecided++;
          expect(comparison.tooShort[0]).toMatch(
            /stay alike for some [\d.]+ s, .* tests of about \d+ s a side would do/,
          );
        }
      }
      expect(undecided).toBeGreaterThan(pairs / 3);
      // Before the memory was looked at: every sixth, 10 of 60. At most 5 % are allowed; 6 or more of 60 would then be 8 %.
      expect(alarms).toBeLessThanOrEqual(5);
    },
    120_000,
  );

  it('independent latencies are decided in a minute', () => {
    let decided = 0;
    for (let i = 0; i < 40; i++) {
      const random = sessionRandom(hashSeed('independent'), i);
      const run = () => drifting(random, 1e-6, 60);
      const { rows } = compareSides(sideOf(run(), 60), sideOf(run(), 60), { ...DEFAULT_COMPARE, repetitions: 250 });
      if (rows.every((row) => row.pieces >= FEWEST_PIECES)) decided++;
    }
    expect(decided).toBeGreaterThan(28);
  });
});

describe('intervals of differences', () => {
  it('A/A near 70 % load: cover in at least 93 %, false alarms in at most 5 %', () => {
    const rounds = 500;
    let covered = 0;
    let alarms = 0;
    for (let round = 0; round < rounds; round++) {
      const random = sessionRandom(hashSeed('coverage'), round);
      const [found] = quantileDifferences(queue(random), queue(random), [0.95], random, {
        repetitions: 250,
        comparisons: 3,
      });
      if (found === undefined) throw new Error('no difference');
      if (found.low <= 0 && found.high >= 0) covered += 1;
      if ((found.decisionLow > 0 || found.decisionHigh < 0) && Math.abs(found.difference) >= 0.05 * found.a)
        alarms += 1;
    }
    expect(covered / rounds).toBeGreaterThanOrEqual(0.93);
    expect(alarms / rounds).toBeLessThanOrEqual(0.05);
  }, 120_000);

  it('finds a doubled latency, and its interval holds the true difference', () => {
    const random = sessionRandom(5, 5);
    const [found] = quantileDifferences(queue(random), queue(random, 2), [0.5], random);
    expect(found?.decisionLow).toBeGreaterThan(0);
    // True medians differ by the median of one side; two sides of a longer run estimate it.
    const long = Float64Array.from(
      Array.from({ length: 20 }, (_, i) => [...queue(sessionRandom(6, i)).bins.flatMap((bin) => [...bin])]).flat(),
    ).sort();
    const truth = quantileOfSorted(long, 0.5) ?? 0;
    expect(found?.low).toBeLessThan(truth);
    expect(found?.high).toBeGreaterThan(truth);
  });

  it('one run says how long two must be for a change of 30 %: at that length four of five pairs show it', () => {
    const said = Array.from({ length: 5 }, (_, i) => {
      const run = queue(sessionRandom(hashSeed('length'), i));
      const { rows } = neededLengths(sideOf(run, SECONDS), 0.3, { repetitions: 250 });
      return rows.find((row) => row.p === 0.95)?.secondsNeeded ?? 0;
    }).sort((a, b) => a - b);
    const seconds = said[2] as number;
    const pairs = 20;
    let found = 0;
    for (let i = 0; i < pairs; i++) {
      const random = sessionRandom(hashSeed('power'), i);
      const { rows } = compareSides(
        sideOf(queue(random, 1, seconds), seconds),
        sideOf(queue(random, 1.3, seconds), seconds),
        {
          ...DEFAULT_COMPARE,
          repetitions: 250,
        },
      );
      if (rows.find((row) => row.p === 0.95)?.mark === 'slower') found += 1;
    }
    // 80 % of 20 is 16, with a standard deviation of 1.8; a third of the length would show about 8.
    expect(found).toBeGreaterThanOrEqual(11);
  }, 120_000);
});
