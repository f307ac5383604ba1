import { describe, expect, it } from 'vitest';
import { arrivalSteps, metronomeRate, poissonCounts, stepStages } from '../../../lib/model/arrivals.ts';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { constantTicks, rampingTicks, seconds } from '../../support/arrivals.ts';
import { poissonStages } from '../../support/poisson-stages.ts';
import { chiSquareTest, indexOfDispersion } from '../../support/statistics.ts';

const RATES = { browse: 14, search: 4, checkout: 2 };
const WINDOWS = [0.1, 1, 5];
const TEN_MINUTES = 600;

/** Session starts of the three flows, merged, as k6 and the session's wait make them; `part` picks a worker's stripe. */
function starts(
  seed: string,
  process: 'poisson' | 'metronome',
  length: number,
  part = (_index: number) => true,
): number[] {
  return Object.entries(RATES).flatMap(([flow, rate]) => {
    const base = hashSeed(`${seed}/${flow}`);
    if (process === 'metronome') return constantTicks(metronomeRate(rate), length).filter((_, i) => part(i));
    const { shiftSeconds } = arrivalSteps(rate, length);
    const stages = poissonStages(rate, length, sessionRandom(hashSeed(`${seed}/${flow}/arrivals`), 0));
    return rampingTicks(stages)
      .map((tick, i) => tick + sessionRandom(base, i)() * shiftSeconds)
      .filter((_, i) => part(i));
  });
}

function dispersions(times: readonly number[], to = TEN_MINUTES): number[] {
  return WINDOWS.map((window) => indexOfDispersion(times, window, 1, to));
}

describe('merged arrivals of three flows at 20 sessions/s over ten minutes', () => {
  it('poisson: index of dispersion within 0.85-1.15 in windows of 0.1, 1 and 5 s', () => {
    for (const value of dispersions(starts('1', 'poisson', TEN_MINUTES))) {
      expect(value).toBeGreaterThan(0.85);
      expect(value).toBeLessThan(1.15);
    }
  });

  it('poisson on three workers: the stripes together are the same arrivals', () => {
    const whole = starts('1', 'poisson', TEN_MINUTES);
    const stripes = [0, 1, 2].flatMap((worker) => starts('1', 'poisson', TEN_MINUTES, (i) => i % 3 === worker));
    expect([...stripes].sort((a, b) => a - b)).toEqual([...whole].sort((a, b) => a - b));
  });

  it('poisson: the mean over a hundred seeds is what the derivation says', () => {
    // Mean over seeds: 1 - step^2 / (6 S max(S, w)) - w / T, and a standard error of sqrt(2 / windows) / sqrt(100).
    const seeds = 100;
    const sums = [0, 0, 0];
    for (let seed = 0; seed < seeds; seed++) {
      dispersions(starts(`${seed}`, 'poisson', 120), 120).forEach((value, i) => {
        sums[i] = (sums[i] as number) + value / seeds;
      });
    }
    WINDOWS.forEach((window, i) => {
      const deficit = 0.25 / (6 * Math.max(1, window)) + window / 120;
      const error = Math.sqrt(2 / (119 / window) / seeds);
      expect(sums[i] as number).toBeGreaterThan(1 - deficit - 3 * error);
      expect(sums[i] as number).toBeLessThan(1 + 3 * error);
    });
  });

  it('metronome: far outside', () => {
    const [short, second, five] = dispersions(starts('1', 'metronome', TEN_MINUTES)) as [number, number, number];
    expect(second).toBeLessThan(0.1);
    expect(five).toBeLessThan(0.1);
    // Ticks of the three flows coincide, so short windows are neither Poisson nor regular.
    expect(short < 0.85 || short > 1.15).toBe(true);
  });

  it('the shift alone would not do: a metronome whose sessions wait up to a second stays regular', () => {
    const shifted = starts('1', 'metronome', TEN_MINUTES).map((t, i) => t + sessionRandom(7, i)());
    expect(indexOfDispersion(shifted, 5, 1, TEN_MINUTES)).toBeLessThan(0.4);
  });
});

describe('poissonStages', () => {
  const cases = [
    [0.01, 300],
    [0.3, 10],
    [2.5, 10],
    [14, 180],
    [33.3, 7.7],
    [600, 60],
    [5_000, 3],
    [1, 0.3],
    [1_000, 0.001],
    [20, 3_600],
  ] as const;

  it.each(cases)('%f sessions/s over %f s: the planned total, within the time, in whole targets', (rate, length) => {
    const stages = poissonStages(rate, length, sessionRandom(hashSeed('stages'), 0));
    const ticks = rampingTicks(stages);
    expect(ticks.length).toBe(Math.round(rate * length));
    // k6 stops at its deadline: the last session must be due clearly before it.
    expect(ticks.at(-1) ?? 0).toBeLessThan(length - Math.min(0.15, length / 20));
    expect(stages.stages.reduce((sum, stage) => sum + seconds(stage.duration), 0)).toBeCloseTo(length, 6);
    expect(stages.stages.every(({ target }) => Number.isInteger(target) && target >= 0)).toBe(true);
  });

  it('is the same for the same seed', () => {
    const stages = (seed: number) => poissonStages(14, 60, sessionRandom(seed, 0));
    expect(stages(1)).toEqual(stages(1));
    expect(stages(1)).not.toEqual(stages(2));
  });

  it('steps of any counts: each session is due in its own step, empty steps at either end included', () => {
    for (const counts of [[0, 0, 3, 1, 0], [5], [0, 2, 2, 2], [1, 0, 0, 0, 40]]) {
      const due = counts.flatMap((count, step) => Array.from({ length: count }, () => step));
      const ticks = rampingTicks(stepStages(counts, 0.5));
      // The last tick of a step lies at its very end, up to rounding.
      expect(ticks.map((tick) => Math.ceil(tick / 0.5 - 1e-3) - 1)).toEqual(due);
    }
  });

  it('waits of high rates are short, so that few VUs sleep', () => {
    for (const [rate, length] of cases) {
      const { shiftSeconds, stepSeconds } = arrivalSteps(rate, length);
      expect(shiftSeconds).toBeLessThanOrEqual(1);
      expect(stepSeconds * rate).toBeLessThanOrEqual(Math.max(50, rate / 10));
    }
  });
});

describe('poissonCounts', () => {
  it('keeps the total', () => {
    for (const [total, steps] of [[0, 5], [1, 1], [7, 100], [10_000, 3]] as const) // biome-ignore format: table
      expect(poissonCounts(total, steps, sessionRandom(1, 0)).reduce((a, b) => a + b, 0)).toBe(total);
  });

  it('draws no more often for more sessions', () => {
    const drawsFor = (total: number) => {
      let draws = 0;
      const random = sessionRandom(3, 0);
      const counts = poissonCounts(total, 1_000, () => {
        draws++;
        return random();
      });
      expect(counts.reduce((a, b) => a + b, 0)).toBe(total);
      return draws;
    };
    // 999 halvings of two draws or a few more, by the rejection rate.
    expect(drawsFor(7_200_000)).toBeLessThan(999 * 4);
    expect(drawsFor(60_000_000_000)).toBeLessThan(999 * 4);
  });

  it('any two windows are multinomial: variance and covariance of the counts', () => {
    const [total, steps, runs] = [500, 5, 4_000];
    const mean = total / steps;
    const random = sessionRandom(hashSeed('windows'), 0);
    let [variance, near, far] = [0, 0, 0];
    for (let i = 0; i < runs; i++) {
      const off = poissonCounts(total, steps, random).map((count) => count - mean);
      variance += (off[2] as number) ** 2 / runs;
      near += ((off[0] as number) * (off[1] as number)) / runs;
      far += ((off[0] as number) * (off[4] as number)) / runs;
    }
    // n p (1 - p) = 80 and - n p^2 = -20; standard errors sqrt(2 / runs) 80 = 1.8 and sqrt(80^2 + 20^2) / sqrt(runs) = 1.3.
    expect(Math.abs(variance - 80)).toBeLessThan(4 * 1.8);
    expect(Math.abs(near + 20)).toBeLessThan(4 * 1.3);
    expect(Math.abs(far + 20)).toBeLessThan(4 * 1.3);
  });

  it('a step of many holds a Poisson number: chi-square against the binomial law', () => {
    const steps = 20_000;
    const counts = poissonCounts(steps * 3, steps, sessionRandom(hashSeed('counts'), 0));
    const seen = new Float64Array(16);
    for (const count of counts) seen[Math.min(15, count)] = (seen[Math.min(15, count)] as number) + 1;
    const poisson = (k: number): number => (k === 0 ? Math.exp(-3) : (poisson(k - 1) * 3) / k);
    let rest = 1;
    const p = Array.from({ length: 16 }, (_, k) => (k < 15 ? poisson(k) : 0));
    for (const value of p) rest -= value;
    p[15] = rest;
    expect(chiSquareTest(seen, (k) => p[k] as number).p).toBeGreaterThan(0.001);
  });
});

describe('metronomeRate', () => {
  it.each([14, 20, 2.5, 0.7 / 3, 0.001, 600.5])('%f sessions/s in whole sessions per time unit', (rate) => {
    const options = metronomeRate(rate);
    expect(Number.isInteger(options.rate) && options.rate >= 1).toBe(true);
    expect(options.rate / seconds(options.timeUnit) / rate).toBeCloseTo(1, 8);
  });

  it('leaves whole rates alone', () => {
    expect(metronomeRate(14)).toEqual({ rate: 14, timeUnit: '1000ms' });
  });
});
