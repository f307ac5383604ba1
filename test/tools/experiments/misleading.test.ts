/** The experiments on what misleads: their own arithmetic on made samples, and one real run of the shortest. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readFaults } from '../../../bookstore/faults/schema.ts';
import { sessionRandom } from '../../../lib/model/random.ts';
import { type Blend, blendFaults, blendOf, printBlend } from '../../../tools/experiments/blend.ts';
import { isSound, printRunVerdicts, runVerdict } from '../../../tools/experiments/run-verdict.ts';
import { printStall, sideOf } from '../../../tools/experiments/stall.ts';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { cli } from '../../support/cli.ts';
import { consoleFixture, HEADER, made, requestRows } from '../verdict/support.ts';

const START = 1795982260000;

describe('blend', () => {
  it('the faults give 70, 20 and 10 % and are what the bookstore takes', () => {
    const faults = blendFaults(10);
    expect(readFaults({ faults })).toMatchObject({ faults: [{ status: 504 }, { status: 503 }, { kind: 'latency' }] });
    const [timedOut, unavailable] = faults as { share: number; delay: number }[];
    expect(timedOut).toMatchObject({ share: 0.1, delay: 3000 });
    // Of the nine tenths that the first fault leaves.
    expect(0.9 * (unavailable?.share ?? 0)).toBeCloseTo(0.2, 12);
    expect(unavailable?.delay).toBe(500);
  });

  it('tells the populations apart and what the verdict says of the blend; a rule that is silent is named', async () => {
    const random = sessionRandom(5, 0);
    const rows = Array.from({ length: 1000 }, (_, i) => {
      const draw = random();
      const [status, ms] = draw < 0.7 ? [200, 28] : draw < 0.9 ? [503, 500] : [504, 3000];
      return requestRows(START + i * 20, ms + random(), { status });
    });
    const found = blendOf(await analyse({ paths: [made('x.csv', `${HEADER}\n${rows.join('')}`)] }));
    expect(found.silent).toEqual([]);
    expect(found.rows.map(({ status }) => status)).toEqual(['200', '503', '504', 'all']);
    const [good, , , all] = found.rows;
    // Nine tenths of the blend lie at or below 501 ms; its p95 is in the middle of the 504s.
    expect(all?.p95).toBeGreaterThan(3000);
    expect(good?.p95).toBeLessThan(29.01);
    expect(printBlend(found)).toMatch(/blend of all +1000/);
    const few = blendOf(await analyse({ paths: [made('x.csv', `${HEADER}\n${rows.slice(0, 5).join('')}`)] }));
    expect(few.silent).toContain('timeout-cluster');
    expect(printBlend(few)).toMatch(/a p50 needs 20 answers, a p95 200/);
  });

  it('shows the same in a real run on the bookstore', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'blend-'));
    const words = ['experiment', 'blend', '--seconds', '4', '--rate', '120', '--scale', '25', '--json', '-q'];
    const { code, stdout, stderr } = await cli(words, { cwd });
    const found = JSON.parse(stdout) as Blend;
    // A machine busy with other tests may answer so late that no time-out is told from latency; then it is said.
    expect(code, stderr).toBe(found.silent.length === 0 && isSound(found.verdict) ? 0 : 3);
    expect(found.said.some(({ rule }) => rule === 'error-heavy')).toBe(true);
    const row = (status: string) => found.rows.find((one) => one.status === status);
    const answered = ['200', '503', '504'].map((status) => row(status)?.n ?? 0);
    expect(Math.min(...answered)).toBeGreaterThan(0);
    expect(row('all')?.n).toBe(answered.reduce((sum, n) => sum + n, 0));
    // 5 s and 30 s divided by 25: nothing answers before its time.
    expect(row('503')?.p50).toBeGreaterThanOrEqual(200);
    expect(row('504')?.p50).toBeGreaterThanOrEqual(1200);
    expect(row('all')?.p50).toBeGreaterThan(row('200')?.p50 ?? Number.POSITIVE_INFINITY);
  }, 60_000);
});

describe('stall', () => {
  it('a side needs enough answers for a p99', async () => {
    const rows = Array.from({ length: 50 }, (_, i) => requestRows(START + i * 20, 5, { extra: 'phase=measure' }));
    const analysis = await analyse({ paths: [made('x.csv', `${HEADER}\n${rows.join('')}`)] });
    expect(() => sideOf(analysis, 'open')).toThrow(/open run: 50 answers do not carry a p99/);
  });

  it('prints the factor between the two p99', () => {
    const side = { n: 1000, rate: 100, p50: 2, maxMs: 1400 };
    const text = printStall({
      schemaVersion: 1,
      stallMs: 1400,
      sides: [
        { model: 'closed', ...side, p99: 5, correctedP99: 1200 },
        { model: 'open', ...side, p99: 1250 },
      ],
      factor: 250,
      verdicts: [],
    });
    expect(text).toContain('250 times');
    expect(text).toMatch(/closed +1000 +2\.00 +5\.00 +1200 +1400/);
  });
});

describe('the verdict on each run of an experiment', () => {
  const rows = Array.from({ length: 100 }, (_, i) => requestRows(START + i * 20, 5)).join('');
  const dropped = (n: number) => `dropped_iterations,${START + 500},${n}.000000,,,,,,,,,browse,,,,,,,\n`;
  const verdict = async (extra: string) =>
    runVerdict('cold', await analyse({ paths: [made('x.csv', `${HEADER}\n${rows}${extra}`)] }));

  it('is printed with the dropped sessions, one of which is one too many', async () => {
    // Samples alone prove nothing; with what k6 printed the same run is sound.
    const alone = await verdict('');
    expect([alone.verdict, isSound(alone)]).toEqual(['UNPROVEN', false]);
    const recorded = made('samples.csv', gunzipSync(readFileSync(consoleFixture('car.csv.gz'))));
    const sound = runVerdict('cold', await analyse({ paths: [recorded], log: consoleFixture('car.txt') }));
    expect([sound.verdict, sound.dropped, isSound(sound)]).toEqual(['VALID', 0, true]);
    const short = await verdict(dropped(5));
    expect([short.dropped, isSound(short)]).toEqual([5, false]);
    expect(printRunVerdicts([sound, short])).toMatch(/cold: VALID, .*, 0 dropped\n.*5 dropped: not the load/);
  });

  it('is not sound when a rule calls the run invalid', async () => {
    const stopped = await analyse({ paths: [made('x.csv', `${HEADER}\n${rows}`)], plan: 'rate=50,duration=60s' });
    expect(isSound(runVerdict('cold', stopped))).toBe(false);
  });
});
