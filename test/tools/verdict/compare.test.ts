/** Comparing, gating and merging on recorded runs and made ones. */
import { describe, expect, it } from 'vitest';
import { sessionRandom } from '../../../lib/model/random.ts';
import { EXIT } from '../../../tools/base/exit-codes.ts';
import { compareCommand } from '../../../tools/commands/compare.ts';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { notComparable } from '../../../tools/verdict/compare/comparable.ts';
import { compareSides, isRegression } from '../../../tools/verdict/compare/compare.ts';
import { type LengthPlan, neededLengths } from '../../../tools/verdict/compare/needed-length.ts';
import { readSide } from '../../../tools/verdict/compare/side.ts';
import type { WorkerFacts } from '../../../tools/verdict/facts.ts';
import { gate } from '../../../tools/verdict/gate.ts';
import { checkWorkers } from '../../../tools/verdict/workers/check.ts';
import { commonWindow, outlyingWorkers } from '../../../tools/verdict/workers/outliers.ts';
import { cli } from '../../support/cli.ts';
import { fixture, HEADER, made, requestRows } from './support.ts';

/** A minute of 40 requests/s, exponential around `mean` ms; a share of them 503. */
function run(seed: number, mean: number, failing = 0): string {
  const random = sessionRandom(11, seed);
  const rows = Array.from({ length: 2400 }, (_, i) =>
    requestRows(1795982260000 + i * 25, 5 - mean * Math.log(1 - random()), { status: random() < failing ? 503 : 200 }),
  );
  return made(`run-${seed}.csv`, `${HEADER}\n${rows.join('')}`);
}

const FLAGS = { a: [], b: [], minMs: '1', minPercent: '5', change: '10' };

describe('compare', () => {
  it('halves of one run: nothing shown, with n, difference and interval', async () => {
    const [a, b] = [await readSide([fixture('w1.csv.gz')]), await readSide([fixture('w2.csv.gz')])];
    expect(notComparable(a, b)).toEqual([]);
    const comparison = compareSides(a, b);
    expect(comparison.rows[0]).toMatchObject({ nA: 45, nB: 45, mark: '~' });
    expect(comparison.rows[0]?.low).toBeLessThan(0);
    expect(comparison.rows[0]?.high).toBeGreaterThan(0);
    // 45 samples carry no p90 and above: ten beyond the p75 are the most.
    expect(comparison.rows.map((row) => row.p)).toEqual([0.5, 0.75]);
    expect(isRegression(comparison)).toBe(false);
  });

  it('refuses other rates and other statuses by name', async () => {
    const reasons = notComparable(await readSide([fixture('mix.csv')]), await readSide([fixture('sat.csv.gz')])).join(
      '\n',
    );
    expect(reasons).toMatch(/another arrival rate/);
    expect(reasons).toMatch(/another status mix/);
    expect(reasons).toMatch(/no valid test/);
  });

  it('--plan: from one run, how long two must be; four times the change needs a sixteenth', async () => {
    const path = run(1, 20);
    const side = await readSide([path]);
    const plan = (change: number) => neededLengths(side, change, { repetitions: 300 });
    const [ten, forty] = [plan(0.1), plan(0.4)];
    const seconds = (of: LengthPlan, p: number) => of.rows.find((row) => row.p === p)?.secondsNeeded ?? Number.NaN;
    // Both are whole seconds.
    expect(Math.abs(seconds(ten, 0.95) - 16 * seconds(forty, 0.95))).toBeLessThanOrEqual(16);
    // 2,400 independent samples of 5 + exponential(20): the median's standard error is 20/sqrt(2400), a difference of two is
    // found in 80 % from 2.8 times its own, and three comparisons at a time ask for a little more: ((2.8 to 4) * 0.577 / 1.886)^2.
    const share = seconds(ten, 0.5) / 60;
    expect(share).toBeGreaterThan(0.6);
    expect(share).toBeLessThan(2.5);
    const { code, stdout } = await cli(['compare', path, '--plan']);
    expect(code).toBe(EXIT.ok);
    expect(stdout).toMatch(/length for 10 %/);
    expect(stdout).toMatch(/All of them together: \d/);
    for (const [words, said] of [
      [[path, path, { plan: true }], /--plan takes one run/],
      [[path, undefined, {}], /give a second run/],
      [[path, undefined, { plan: true, change: '0' }], /above 0/],
      [[path, undefined, { plan: true, change: 'x' }], /--change x/],
    ] as const) {
      await expect(compareCommand(words[0], words[1], { ...FLAGS, ...words[2] })).rejects.toThrow(said);
    }
  }, 60_000);

  it('finds half as slow again, and the same run back', async () => {
    const [a, b] = [await readSide([run(1, 20)]), await readSide([run(2, 32)])];
    const slower = compareSides(a, b);
    expect(slower.rows.filter((row) => row.mark === 'slower').map((row) => row.p)).toEqual(
      expect.arrayContaining([0.5, 0.95]),
    );
    expect(isRegression(slower)).toBe(true);
    expect(isRegression(compareSides(b, a))).toBe(false);
    // Exponential + 5: the medians differ by 12 ln 2 = 8.3 ms.
    const median = slower.rows.find((row) => row.p === 0.5);
    expect(median?.low).toBeLessThan(12 * Math.LN2);
    expect(median?.high).toBeGreaterThan(12 * Math.LN2);
  });

  it('a difference below the minimum is not worth a word; more failures are', async () => {
    const [a, b] = [await readSide([run(3, 20)]), await readSide([run(4, 20, 0.03)])];
    const comparison = compareSides(a, b);
    expect(comparison.rows.every((row) => row.mark === '~')).toBe(true);
    expect(comparison.failures.mark).toBe('more failures');
    const [c, d] = [await readSide([run(5, 20)]), await readSide([run(6, 32)])];
    expect(
      compareSides(c, d, { minimumMs: 1000, minimumShare: 0, quantiles: [0.5], repetitions: 200, seed: 'x' }).rows[0]
        ?.mark,
    ).toBe('~');
  });

  it('repetitions that are no repetitions are refused by name: another rate, the same samples twice', async () => {
    const [one, two] = [run(1, 20), run(2, 20)];
    const rows = Array.from({ length: 800 }, (_, i) => requestRows(1795982260000 + i * 75, 12));
    const slow = made('slow-rate.csv', `${HEADER}\n${rows.join('')}`);
    const reasons = async (a: string[], b: string[]) => notComparable(await readSide(a), await readSide(b)).join('\n');
    expect(await reasons([one, slow], [two])).toMatch(/slow-rate.csv is no repetition of \S*run-1.csv: another rate/);
    expect(await reasons([one], [two, run(3, 20), two])).toMatch(/^B has the same samples twice: \S*run-2.csv and/);
    expect(await reasons([one, run(3, 20)], [two, run(4, 20)])).toBe('');
  });

  it('nothing compared is no verdict: too few answers, or none that is good', async () => {
    const few = made('one.csv', `${HEADER}\n${requestRows(1795982260000, 12)}`);
    const failed = run(5, 20, 1);
    for (const path of [few, failed]) expect(await compareCommand(path, path, FLAGS)).toBe(EXIT.noVerdict);
  });

  it('several repetitions a side are pooled', async () => {
    const side = await readSide([run(7, 20), run(8, 20)]);
    expect(side.populations.get('GET /api/books')?.n).toBe(4800);
    expect(side.seconds).toBeGreaterThan(115);
  });
});

describe('gate', () => {
  it('an empty rule set asserts nothing and does not pass', async () => {
    const result = gate(await analyse({ paths: [run(9, 20)], rules: made('r.json', '{}') }), 'pass');
    expect(result).toMatchObject({ result: 'not decided', exitCode: EXIT.noVerdict });
    expect(result.why).toContain('nothing was asserted');
    expect(result.unasserted).toEqual(['GET /api/books']);
  });

  it('kept, crossed, undecided, as the interval says', async () => {
    const path = run(10, 20);
    const judged = async (expression: string, policy: 'refuse' | 'fail' | 'pass', unproven = true) =>
      gate(
        await analyse({ paths: [path], rules: made('r.json', JSON.stringify({ http_req_duration: [expression] })) }),
        policy,
        unproven,
      ).exitCode;
    // Exponential with mean 20, moved by 5: p95 is 5 + 20 ln 20 = 64.9.
    expect(await judged('p(95)<90', 'refuse')).toBe(EXIT.ok);
    // A CSV alone proves no test; what is crossed in it is crossed all the same.
    expect(await judged('p(95)<90', 'refuse', false)).toBe(EXIT.noVerdict);
    expect(await judged('p(95)<50', 'refuse', false)).toBe(EXIT.thresholds);
    expect(await judged('p(95)<50', 'refuse')).toBe(EXIT.thresholds);
    const { objectives } = await analyse({
      paths: [path],
      rules: made('r.json', JSON.stringify({ http_req_duration: ['p(95)<1'] })),
    });
    const inside = ((objectives[0]?.low ?? 0) + (objectives[0]?.high ?? 0)) / 2;
    expect(await judged(`p(95)<${inside.toFixed(3)}`, 'refuse')).toBe(EXIT.noVerdict);
    expect(await judged(`p(95)<${inside.toFixed(3)}`, 'fail')).toBe(EXIT.thresholds);
    expect(await judged(`p(95)<${inside.toFixed(3)}`, 'pass')).toBe(EXIT.ok);
  });
});

describe('workers', () => {
  const worker = (name: string, more: Partial<WorkerFacts> = {}): WorkerFacts => ({
    path: name,
    worker: name,
    startMs: 0,
    endMs: 60_000,
    requests: 100,
    failed: 0,
    finished: 50,
    dropped: 0,
    p50Ms: 10,
    p95Ms: 20,
    fingerprint: name,
    ...more,
  });

  it('four quarters are complete; a missing, doubled or foreign one is named', () => {
    const quarters = ['0:1/4', '1/4:2/4', '2/4:3/4', '3/4:1'].map((segment, i) =>
      worker(`w${i}`, { segment, seed: '1', scriptSha: 'a', sequence: '0,1/4,2/4,3/4,1' }),
    );
    expect(checkWorkers(quarters).problems).toEqual([]);
    expect(checkWorkers(quarters.slice(0, 3)).problems[0]?.message).toContain('from 3/4 to 1');
    expect(checkWorkers(quarters.filter((_, i) => i !== 1)).problems[0]?.message).toContain('from 1/4 to 1/2');
    const other = quarters.map((one, i) => (i === 2 ? { ...one, seed: '2' } : one));
    expect(checkWorkers(other).problems[0]?.message).toContain('w2 ran with another seed');
    const build = quarters.map((one, i) => (i === 3 ? { ...one, scriptSha: 'b' } : one));
    expect(checkWorkers(build).problems[0]?.message).toContain('w3 ran with another script');
    const twice = quarters.map((one, i) => (i === 1 ? { ...one, segment: '0:1/4' } : one));
    expect(checkWorkers(twice).problems.map((one) => one.kind)).toEqual(expect.arrayContaining(['doubled', 'missing']));
  });

  it('outlying ones are named, the common window is the intersection', () => {
    const workers = [
      worker('a'),
      worker('b', { startMs: 500 }),
      worker('slow', { p50Ms: 50 }),
      worker('failing', { failed: 20 }),
      worker('short', { endMs: 20_000 }),
    ];
    expect(outlyingWorkers(workers).map((one) => one.worker)).toEqual(['slow', 'failing', 'short']);
    expect(commonWindow(workers)).toMatchObject({ startMs: 500, endMs: 20_000, seconds: 19.5 });
  });
});
