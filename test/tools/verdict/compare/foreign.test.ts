/** Comparing runs that are not the suite's: short ones, ones with a long setup(), ones whose script expects 304 or 404. */
import { describe, expect, it } from 'vitest';
import { sessionRandom } from '../../../../lib/model/random.ts';
import { notComparable } from '../../../../tools/verdict/compare/comparable.ts';
import { compareSides, isRegression } from '../../../../tools/verdict/compare/compare.ts';
import { readSide } from '../../../../tools/verdict/compare/side.ts';
import { HEADER, made, requestRows } from '../support.ts';

const T = 1_795_990_000_000;
interface Run {
  readonly seed: number;
  readonly n: number;
  readonly everyMs?: number;
  /** Every so many answers one takes 900 ms. */
  readonly slowEvery?: number;
  readonly status?: number;
  readonly expected?: boolean;
  readonly before?: string;
}

/** Answers of 10 to 30 ms, evenly spread, an iteration each. */
function run({ seed, n, everyMs = 1000, slowEvery, status = 200, expected, before = '' }: Run): string {
  const random = sessionRandom(5, seed);
  const rows = Array.from({ length: n }, (_, i) => {
    const at = T + i * everyMs;
    const duration = slowEvery !== undefined && i % slowEvery === 3 ? 900 : 10 + 20 * random();
    const own = i % 3 === 0 ? status : 200;
    const request = requestRows(at, duration, { status: own, name: 'item' });
    const told =
      own !== 200 && expected !== undefined ? request.replaceAll(/,(true|false),,GET/g, `,${expected},,GET`) : request;
    return `${told}iteration_duration,${at},${duration},,,,,,,,,browse,,,,,,,\niterations,${at},1.000000,,,,,,,,,browse,,,,,,,\n`;
  });
  return made('samples.csv', `${HEADER}\n${before}${rows.join('')}`);
}
const sides = async (a: Run, b: Run) => [await readSide([run(a)]), await readSide([run(b)])] as const;

describe('load', () => {
  const setup = Array.from({ length: 40 }, (_, i) => `vus,${T - 40_000 + i * 1000},0.000000,,,,,,,,,,,,,,,,\n`).join(
    '',
  );
  it.each([
    ['a setup() that was 40 s longer', setup],
    [
      'one that sent requests',
      `${setup}${requestRows(T - 39_000, 15, { scenario: '', name: 'seed' }).replaceAll(',true,,GET', ',true,::setup,GET')}`,
    ],
  ])('%s is the same load', async (_, before) => {
    const [a, b] = await sides({ seed: 1, n: 600, everyMs: 100 }, { seed: 2, n: 600, everyMs: 100, before });
    expect(notComparable(a, b)).toEqual([]);
  });
  it('another rate is another load, whatever setup() does to the mean over the whole', async () => {
    // 600 in 60 s, and 1000 in 60 s after 40 s without any: both 10 a second over their files.
    const [a, b] = await sides({ seed: 1, n: 600, everyMs: 100 }, { seed: 2, n: 1000, everyMs: 60, before: setup });
    expect(notComparable(a, b).join()).toContain('another arrival rate: 10.0 iterations/s while load was sent');
  });
});

describe('few samples', () => {
  it.each([
    [150, 0.9],
    [110, 0.9],
    [70, 0.75],
    [300, 0.95],
  ])('%i carry the p%d, which is looked at', async (n, p) => {
    const [a, b] = await sides({ seed: 1, n }, { seed: 2, n });
    const comparison = compareSides(a, b);
    expect(Math.max(...comparison.rows.map((row) => row.p))).toBe(p);
    expect(isRegression(comparison)).toBe(false);
  });

  it('a seventh of the answers at 900 ms is a regression though the median stays', async () => {
    const [a, b] = await sides({ seed: 1, n: 150 }, { seed: 2, n: 150, slowEvery: 7 });
    const { rows, means } = compareSides(a, b);
    expect(rows.find(({ p }) => p === 0.5)?.mark).toBe('~');
    expect(rows.find(({ p }) => p === 0.9)?.mark).toBe('slower');
    // 20 ms against (129 x 20 + 21 x 900) / 150: 21 of 150 are those at 3, 10, ..., 143.
    expect(means[0]).toMatchObject({ mark: 'slower', nA: 150, nB: 150 });
    expect(means[0]?.a).toBeCloseTo(20, -1);
    expect(means[0]?.b).toBeGreaterThan(135);
    expect(means[0]?.b).toBeLessThan(150);
    expect(means[0]?.low).toBeGreaterThan(0);
  });

  it('the interval of a difference of means is that of the formula for independent samples', async () => {
    const [a, b] = await sides({ seed: 1, n: 3000, everyMs: 100 }, { seed: 2, n: 3000, everyMs: 100 });
    const [mean] = compareSides(a, b).means;
    // Deviation 20 / sqrt(12), two sides of 3000: standard error 0.149, half width 0.292; blocks cost and give a little.
    const half = ((mean?.high ?? 0) - (mean?.low ?? 0)) / 2;
    expect(half).toBeGreaterThan(0.2);
    expect(half).toBeLessThan(0.42);
    expect(mean?.mark).toBe('~');
  });
});

describe('expected statuses', () => {
  it('404s that the script expects are no failures, and are compared by themselves', async () => {
    const [a, b] = await sides(
      { seed: 1, n: 900, everyMs: 100, status: 404, expected: true },
      { seed: 2, n: 900, everyMs: 100, status: 404, expected: true },
    );
    expect(notComparable(a, b)).toEqual([]);
    const { failures, means } = compareSides(a, b);
    expect([failures.a, failures.b, failures.mark]).toEqual([0, 0, '~']);
    expect(means.map(({ endpoint, nA }) => [endpoint, nA])).toEqual([
      ['item', 600],
      ['item 4xx', 300],
    ]);
  });
  it('a 200 that the script did not expect is a failure', async () => {
    const told = made(
      'a.csv',
      `${HEADER}\n${Array.from({ length: 100 }, (_, i) => requestRows(T + i * 100, 20).replaceAll(',true,,GET', ',false,,GET')).join('')}`,
    );
    expect((await readSide([told])).failures.reduce((sum, { failed }) => sum + failed, 0)).toBe(100);
  });
  it('304s are compared', async () => {
    const [a, b] = await sides(
      { seed: 1, n: 900, everyMs: 100, status: 304 },
      { seed: 2, n: 900, everyMs: 100, status: 304 },
    );
    expect(compareSides(a, b).rows.map(({ endpoint, p }) => `${endpoint} ${p}`)).toContain('item 3xx 0.95');
  });
  it('404s that the script did not expect are failures', async () => {
    const [a] = await sides({ seed: 1, n: 300, status: 404, expected: false }, { seed: 2, n: 300 });
    expect([...a.populations.keys()]).toEqual(['item']);
    expect(a.failures.reduce((sum, { failed }) => sum + failed, 0)).toBe(100);
  });
});
