/** Runs of foreign scripts, from their samples and what k6 printed: recorded with k6 2.2, all executors. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { gate } from '../../../tools/verdict/gate.ts';
import { consoleFixture } from './support.ts';

const HEALTHY = ['car', 'carpm', 'rar', 'cv', 'rv', 'pvi', 'si', 'short', 'three', 'stages'];
const BROKEN = ['killed', 'int', 'intsi', 'throw', 'abort', 'thr', 'few', 'maxd', 'typo'];

const csvOf = (name: string) => gunzipSync(readFileSync(consoleFixture(`${name}.csv.gz`))).toString('utf8');
const textOf = (name: string) => readFileSync(consoleFixture(`${name}.txt`), 'utf8');

/** A folder with the files; gives the path of the samples. */
function laid(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'foreign-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return join(folder, 'samples.csv');
}
const verdictOf = async (path: string) => (await analyse({ paths: [path] })).verdict;

describe('healthy', () => {
  it.each(HEALTHY)(
    '%s with the text beside its samples: every fact is there and nothing speaks against it',
    async (name) => {
      const verdict = await verdictOf(laid({ 'samples.csv': csvOf(name), 'console.txt': textOf(name) }));
      expect(verdict.missing).toEqual([]);
      expect(verdict.reasons.filter(({ severity }) => severity !== 'note')).toEqual([]);
      expect(verdict.status).toBe('VALID');
    },
  );

  it.each(HEALTHY)('%s without it: UNPROVEN, with what is missing', async (name) => {
    const analysis = await analyse({ paths: [laid({ 'samples.csv': csvOf(name) })] });
    // One VU too many or too few shows in the samples alone.
    expect(analysis.verdict.status).toBe('UNPROVEN');
    expect(analysis.verdict.missing.map(({ fact }) => fact)).toEqual([
      'how the run ended',
      'the planned load',
      'whether iterations threw and options were ignored',
      'whether the samples are whole',
    ]);
    expect(gate(analysis, 'refuse').exitCode).toBe(3);
  });

  it('an open one is VALID, and so it is with the text by --log under any name', async () => {
    const path = laid({ 'samples.csv': csvOf('car'), 'what I saw.md': textOf('car') });
    expect((await verdictOf(path)).status).toBe('UNPROVEN');
    const log = join(path, '../what I saw.md');
    expect((await analyse({ paths: [path], log })).verdict.status).toBe('VALID');
    expect((await analyse({ paths: [path, log] })).verdict.status).toBe('VALID');
  });

  it('is not VALID by the text of another run: one that names other samples is left alone, one that does not is doubted', async () => {
    const other = textOf('three');
    const named = laid({ 'samples.csv': csvOf('car'), 'console.txt': other.replace('samples.csv', 'tonight.csv') });
    expect(await verdictOf(named)).toMatchObject({ status: 'UNPROVEN' });
    const wrong = await verdictOf(laid({ 'samples.csv': csvOf('car'), 'console.txt': other }));
    expect(wrong.status).toBe('INVALID');
  });

  it.each([
    ['wrote its samples nowhere', (text: string) => text.replace(/output: csv \(.*\)/, 'output: -')],
    [
      'threw before its iterations',
      () =>
        'time="2026-12-01T10:00:00Z" level=error msg="Error: no token\\n\\tat setup (file:///s.js:3:9(4))\\n" hint="script exception"\n',
    ],
  ])('is left alone by the text beside it of a run that %s', async (_, change) => {
    const path = laid({ 'samples.csv': csvOf('car'), 'other.out': change(textOf('car')) });
    expect(await verdictOf(path)).toMatchObject({ status: 'UNPROVEN' });
  });

  it('takes thresholds from the text, with what k6 made of them', async () => {
    const path = laid({ 'samples.csv': csvOf('stages'), 'console.txt': textOf('stages') });
    const { objectives } = await analyse({ paths: [path] });
    expect(objectives.map(({ key, expression }) => `${key} ${expression}`)).toEqual([
      'http_req_duration p(95)<500',
      'http_req_duration{name:a} avg<300',
      'http_req_failed rate<0.5',
    ]);
    // 34 requests in 5 s: a p95 needs 200, ten of them beyond it.
    const [first] = objectives;
    expect(first).toMatchObject({ outcome: 'undecided', k6: 'kept' });
    expect(first?.needSeconds).toBeGreaterThan(5);
    expect(first?.why).toMatch(/34 samples.*of this load would decide/);
  });
});

describe('standard output without standard error', () => {
  const parts = (name: string) => {
    const lines = textOf(name).split('\n');
    const logged = (line: string) => /\blevel=/.test(line);
    return { out: lines.filter((line) => !logged(line)).join('\n'), err: lines.filter(logged).join('\n') };
  };
  const THROWN = 'whether iterations threw and options were ignored';

  it('is seen by a threshold of which k6 would have written there, and mended by the file beside it', async () => {
    const { out, err } = parts('broken-thr');
    const csv = csvOf('broken-thr');
    const lacking = await verdictOf(laid({ 'samples.csv': csv, 'k6.out': out }));
    expect(lacking.missing.map(({ fact }) => fact)).toEqual([THROWN]);
    const both = await verdictOf(laid({ 'samples.csv': csv, 'k6.out': out, 'k6.err': err }));
    expect(both.missing).toEqual([]);
  });

  it('is seen by requests without an answer', async () => {
    const rows = csvOf('car').split('\n');
    const failed = rows.map((row, i) =>
      /^http_req_duration,/.test(row) && i > 500 ? row.replace(',200,', ',0,').replace(',true,', ',false,') : row,
    );
    const { missing } = await verdictOf(laid({ 'samples.csv': failed.join('\n'), 'k6.out': textOf('car') }));
    expect(missing.map(({ fact }) => fact)).toEqual([THROWN]);
  });
});

describe('broken', () => {
  it.each(BROKEN)('%s is INVALID', async (name) => {
    const path = laid({ 'samples.csv': csvOf(`broken-${name}`), 'console.txt': textOf(`broken-${name}`) });
    expect((await verdictOf(path)).status).toBe('INVALID');
  });

  it('without every fifth row, or with half of the file: not VALID, with k6 own count beside that of the samples', async () => {
    const rows = csvOf('car').split('\n');
    const thinned = rows.filter((_, i) => i % 5 !== 4).join('\n');
    const half = csvOf('car').slice(0, csvOf('car').length / 2);
    for (const samples of [thinned, half]) {
      const verdict = await verdictOf(laid({ 'samples.csv': samples, 'console.txt': textOf('car') }));
      expect(verdict.status).toBe('INVALID');
      expect(verdict.reasons.map(({ rule }) => rule)).toContain('samples-whole');
    }
  });

  it('with a text that was cut before the end', async () => {
    const cut = textOf('car').split('\n').slice(0, 18).join('\n');
    const verdict = await verdictOf(laid({ 'samples.csv': csvOf('car'), 'console.txt': cut }));
    expect(verdict.status).toBe('INVALID');
    expect(verdict.reasons[0]?.rule).toBe('run-ended');
  });
});
