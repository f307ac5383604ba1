import { describe, expect, it } from 'vitest';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { DOUBLES, newRows, TIME } from '../../../tools/traffic/events/events.ts';
import { reservoir } from '../../../tools/traffic/events/reservoir.ts';
import { NO_EVENTS, SILENCE_BINS, sessionsKernel } from '../../../tools/traffic/kernel/sessions-kernel.ts';
import { seriesRecorder } from '../../../tools/traffic/pass/arrival-series.ts';
import { distinctCounter } from '../../../tools/traffic/pass/distinct.ts';
import { inactivityGap } from '../../../tools/traffic/pass/inactivity-gap.ts';

describe('reservoir', { timeout: 120_000 }, () => {
  it('keeps every value with the same chance', () => {
    // 400 streams of 200 values, 20 kept: each tenth of the stream gives 800 of 8,000; sd below 27.
    const tenths = new Array<number>(10).fill(0);
    for (let s = 0; s < 400; s++) {
      const sample = reservoir(20, `stream ${s}`);
      for (let i = 0; i < 200; i++) sample.add(i);
      expect(sample.n).toBe(200);
      expect(sample.values).toHaveLength(20);
      for (const value of sample.values)
        tenths[Math.floor(value / 20)] = (tenths[Math.floor(value / 20)] as number) + 1;
    }
    for (const n of tenths) expect(Math.abs(n - 800)).toBeLessThan(120);
  });
});

describe('silences', { timeout: 120_000 }, () => {
  it('fall into the bin that the logarithm gives', () => {
    const lengths = Array.from({ length: 1060 }, (_, i) => 1000 * 1.0137 ** i);
    for (const x of lengths) {
      const sessions = sessionsKernel({ gap: Number.POSITIVE_INFINITY, slack: 0, samples: 0 }, NO_EVENTS);
      const rows = newRows(2);
      rows.doubles[DOUBLES + TIME] = x;
      sessions.add(rows, 2);
      const { silences } = sessions.finish();
      expect(silences.indexOf(1), String(x)).toBe(Math.min(SILENCE_BINS - 1, Math.floor(8 * Math.log2(x / 1000))));
    }
  });

  it('with two hills give the gap between them', () => {
    const silences = new Float64Array(SILENCE_BINS);
    // Think times around 2^3 s, returns around 2^14 s (4.5 h), little in between.
    for (let bin = 0; bin < SILENCE_BINS; bin++) {
      silences[bin] = 1000 * Math.exp(-(((bin - 24) / 12) ** 2)) + 300 * Math.exp(-(((bin - 112) / 10) ** 2));
    }
    const { ms, reason } = inactivityGap(silences, 7 * 86_400_000);
    expect(ms).toBeGreaterThan(2 ** 7 * 1000);
    expect(ms).toBeLessThan(2 ** 12 * 1000);
    expect(reason).toMatch(/valley/);
    expect(inactivityGap(silences, 600_000).reason).toMatch(/too short/);
    expect(inactivityGap(new Float64Array(SILENCE_BINS), 1e9).ms).toBe(1_800_000);
  });
});

describe('different clients', { timeout: 120_000 }, () => {
  it('are counted exactly up to the limit and within the stated error beyond it', () => {
    const few = distinctCounter(1000);
    const many = distinctCounter(1000);
    for (let i = 0; i < 900; i++) for (let k = 0; k < 3; k++) few.add(i, i * 7);
    for (let i = 0; i < 60_000; i++) many.add(Math.imul(i, 2_654_435_761), i);
    expect(few.result()).toEqual({ count: 900, relativeError: 0 });
    const { count, relativeError } = many.result();
    // Four standard errors.
    expect(Math.abs(count / 60_000 - 1)).toBeLessThan(4 * relativeError);
    expect(relativeError).toBeLessThan(0.01);
  });
});

describe('index of dispersion', { timeout: 120_000 }, () => {
  const indexOf = (times: readonly number[], seconds: number): number => {
    const series = seriesRecorder(1);
    for (const time of times) series.sessionStart(time);
    const scale = series.result().dispersion.find((one) => one.seconds === seconds);
    if (scale === undefined) throw new Error('no such scale');
    return scale.squares / (2 * (scale.windows - 1)) / (scale.total / scale.windows);
  };
  it('is 0 for a metronome, 1 for a Poisson process, and the size of the clump for clumps', () => {
    const random = sessionRandom(hashSeed('dispersion'), 0);
    const metronome = Array.from({ length: 20_000 }, (_, i) => i * 100);
    let at = 0;
    const poisson = Array.from({ length: 20_000 }, () => {
      at -= 100 * Math.log(1 - random());
      return at;
    });
    expect(indexOf(metronome, 1)).toBeCloseTo(0, 6);
    // 2,000 windows: sd sqrt(3 / 2000) = 0.04.
    expect(Math.abs(indexOf(poisson, 1) - 1)).toBeLessThan(0.16);
    expect(
      Math.abs(
        indexOf(
          poisson.flatMap((t) => [t, t, t]),
          1,
        ) /
          3 -
          1,
      ),
    ).toBeLessThan(0.16);
  });
});
