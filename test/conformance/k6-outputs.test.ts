/** The scripts of test/fixtures/k6-outputs on the embedded engine give the numbers of its MANIFEST.md, and k6's rows. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { runEmbedded } from '../../tools/engine/run.ts';
import type { EmbeddedSpec, EngineResult } from '../../tools/engine/spec.ts';
import { servedFolder } from './served-folder.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/k6-outputs');
const { folder, server } = servedFolder('k6-outputs');

interface Row {
  readonly metric: string;
  readonly value: number;
  readonly tags: Readonly<Record<string, string>>;
}

let runs = 0;

/** Runs a recorded script against the server here; they were written for a fixed port, and for one that closes as its reset. */
async function run(
  name: string,
  spec: Partial<EmbeddedSpec> = {},
): Promise<{ result: EngineResult; csv: string; log: string }> {
  const id = runs++;
  const script = join(folder, `${name}-${id}.js`);
  writeFileSync(
    script,
    readFileSync(join(FIXTURES, `${name}.js`), 'utf8')
      .replaceAll('http://127.0.0.1:18080', server.url)
      .replaceAll('/reset', '/close'),
  );
  const path = join(folder, `${name}-${id}.csv`);
  let log = '';
  const result = await runEmbedded({
    script,
    outputs: [{ type: 'csv', path }],
    csvTimeFormat: 'unix_milli',
    stdout: () => undefined,
    stderr: (text) => {
      log += text;
    },
    ...spec,
    env: { SUM: join(folder, `${id}.json`), ...spec.env },
  });
  return { result, csv: readFileSync(path, 'utf8'), log };
}

const recorded = (file: string) =>
  file.endsWith('.gz')
    ? gunzipSync(readFileSync(join(FIXTURES, file))).toString()
    : readFileSync(join(FIXTURES, file), 'utf8');

/** No value in these files needs quotes. */
function rowsOf(csv: string): Row[] {
  const [header = '', ...lines] = csv.trim().split('\n');
  const columns = header.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    const tags = Object.fromEntries(
      columns.map((column, i) => [column, cells[i] ?? '']).filter(([, cell]) => cell !== ''),
    );
    const { metric_name: metric = '', timestamp: _, metric_value: value, ...rest } = tags;
    return { metric, value: Number(value), tags: rest };
  });
}

/** What a row is about; tags in any order, VU and iteration by their names alone. */
const kindOf = ({ metric, tags }: Row) =>
  [
    metric,
    ...Object.entries(tags).map(([name, value]) => {
      const parts = value.split('&').sort();
      return `${name}=${name === 'metadata' ? parts.map((part) => part.split('=')[0]).join('&') : parts.join('&')}`;
    }),
  ].join(' ');

function countsOf(rows: readonly Row[], key: (row: Row) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const row of rows) counts[key(row)] = (counts[key(row)] ?? 0) + 1;
  return counts;
}
const named = (rows: readonly Row[], metric: string) => rows.filter((row) => row.metric === metric);
const sum = (rows: readonly Row[], metric: string) =>
  named(rows, metric).reduce((total, { value }) => total + value, 0);
/** Looked at every second; how often depends on the last moments. */
const BY_THE_CLOCK = ['vus', 'vus_max'];
const onSchedule = (rows: readonly Row[]) => rows.filter(({ metric }) => !BY_THE_CLOCK.includes(metric));

/** The script's rule on p(95) is for an idle machine; red or green, the exit code must tell. */
const exitOfSat = ({ summary }: EngineResult) =>
  (summary?.metrics['http_req_duration']?.values['p(95)'] ?? 0) < 500 ? 0 : 99;

/**
 * On an overloaded machine ticks are late and VUs missing, in k6 as here: the run then shows fewer sessions, and what can still be
 * told is that each was started or dropped and that the rows are of the recorded kinds.
 */
function expectRows(own: readonly Row[], theirs: readonly Row[], started: number): void {
  const done = sum(own, 'iterations');
  const dropped = sum(own, 'dropped_iterations');
  expect([started - 1, started]).toContain(done + dropped);
  if (done === started) expect(countsOf(onSchedule(own), kindOf)).toEqual(countsOf(onSchedule(theirs), kindOf));
  else {
    const kinds = new Set(theirs.map(kindOf));
    const strange = onSchedule(own).filter((row) => row.metric !== 'dropped_iterations' && !kinds.has(kindOf(row)));
    expect(strange).toEqual([]);
  }
}

describe("k6's recorded outputs", { timeout: 60_000 }, () => {
  it('mix: the same rows, statuses, crossed rule and exit code', async () => {
    const { result, csv } = await run('mix');
    const [own, theirs] = [rowsOf(csv), rowsOf(recorded('mix.csv'))];
    expect(result.exitCode).toBe(99);
    expectRows(own, theirs, 81);
    if (sum(own, 'iterations') === 81) {
      const statuses = countsOf(named(own, 'http_reqs'), ({ tags }) => tags['status'] ?? '');
      expect(statuses).toEqual({ 200: 45, 429: 16, 404: 8, 500: 8, 0: 4 });
    }
    const { metrics } = JSON.parse(recorded('mix.summary.json')) as EngineResult['summary'] & object;
    const names = Object.keys(result.summary?.metrics ?? {}).filter((name) => name !== 'dropped_iterations');
    expect(names.sort()).toEqual(Object.keys(metrics).sort());
    const rules = (all: typeof metrics) =>
      Object.entries(all)
        .flatMap(([name, { thresholds = {} }]) =>
          Object.entries(thresholds).map(([rule, { ok }]) => `${name} ${rule} ${ok}`),
        )
        .sort();
    expect(rules(result.summary?.metrics ?? {})).toEqual(rules(metrics));
  });

  it('empty: rules on tags that never occur are green, the count is red', async () => {
    const { result, csv } = await run('empty');
    expect(result.exitCode).toBe(99);
    expect(countsOf(onSchedule(rowsOf(csv)), kindOf)).toEqual(
      countsOf(onSchedule(rowsOf(recorded('empty.csv'))), kindOf),
    );
  });

  it('throw: every iteration throws after a good request, and nothing is red', async () => {
    const { result, csv, log } = await run('throw');
    const rows = rowsOf(csv);
    expect([result.exitCode, sum(rows, 'checks')]).toEqual([0, 0]);
    expect(sum(rows, 'http_reqs')).toBe(sum(rows, 'iterations'));
    expectRows(rows, rowsOf(recorded('throw.csv')), 31);
    expect(log.match(/level=error/g)).toHaveLength(sum(rows, 'iterations'));
  });

  it('sat: what three VUs cannot carry is dropped', async () => {
    const { result, csv } = await run('sat');
    const rows = rowsOf(csv);
    const done = sum(rows, 'iterations');
    expect(result.exitCode).toBe(exitOfSat(result));
    expect([200, 201]).toContain(done + sum(rows, 'dropped_iterations'));
    // k6's 87: a VU that is free again waits for the next tick, up to 20 ms away. How long it was busy is the machine's matter.
    const busy = sum(rows, 'iteration_duration') / done / 1000;
    expect(busy).toBeGreaterThan(0.119);
    expect(done).toBeGreaterThan((3 * 4) / (busy + 0.02) - 6);
    expect(done).toBeLessThan((3 * 4) / busy + 6);
    if (busy < 0.13) expect(Math.abs(done - 87)).toBeLessThan(9);
  });

  it('sat-growth: few early drops, and no more VUs than they asked for', async () => {
    const { result, csv } = await run('sat', { env: { PRE: '2', MAX: '30' } });
    const rows = rowsOf(csv);
    const dropped = sum(rows, 'dropped_iterations');
    expect(result.exitCode).toBe(exitOfSat(result));
    // The tick at the very end may come too late in either.
    expect([200, 201]).toContain(sum(rows, 'iterations') + dropped);
    expect(dropped).toBeGreaterThanOrEqual(4);
    expect(Math.max(...named(rows, 'vus_max').map(({ value }) => value))).toBeLessThanOrEqual(30);
    expect(Math.max(...named(rows, 'vus_max').map(({ value }) => value))).toBeGreaterThanOrEqual(6);
  });

  it('seg: two halves of one run share the rows between them as k6 does', async () => {
    const halves = ['0:1/2', '1/2:1'].map((executionSegment) =>
      run('seg', { options: { executionSegment, executionSegmentSequence: '0,1/2,1' } }),
    );
    const rowOf = ({ tags }: Row) => /row=(\d+)/.exec(tags['extra_tags'] ?? '')?.[1] ?? '';
    const drawn: number[][] = [];
    for (const half of halves)
      drawn.push(
        named(rowsOf((await half).csv), 'http_reqs')
          .map(rowOf)
          .map(Number),
      );
    const theirs = ['w1.csv.gz', 'w2.csv.gz'].map((file) =>
      named(rowsOf(recorded(file)), 'http_reqs')
        .map(rowOf)
        .map(Number),
    );
    // The tick at the very end is row 90, which k6 missed.
    const ordered = (all: readonly number[][]) =>
      all.map((rows) => rows.filter((row) => row < 90).sort((a, b) => a - b));
    expect(theirs.map(({ length }) => length)).toEqual([45, 45]);
    // Sessions are numbered as they start, so that fewer of them are the first ones.
    ordered(drawn).forEach((rows, i) => {
      expect(rows.length).toBeGreaterThan(10);
      expect(rows).toEqual(ordered(theirs)[i]?.slice(0, rows.length));
    });
  });

  it('dist: two workers of their own', async () => {
    const counts = await Promise.all(
      [
        { R: '60', MS: '10' },
        { R: '6', MS: '400' },
      ].map(async (env) => rowsOf((await run('dist', { env })).csv)),
    );
    const theirs = ['uneven-fast.csv.gz', 'uneven-slow.csv'].map(
      (file) => named(rowsOf(recorded(file)), 'http_reqs').length,
    );
    expect(theirs).toEqual([181, 19]);
    counts.forEach((rows, i) => {
      const dropped = sum(rows, 'dropped_iterations');
      // The tick at the very end may come too late.
      expect([(theirs[i] ?? 0) - 1, theirs[i]]).toContain(named(rows, 'http_reqs').length + dropped);
    });
  });

  it('kinds: every kind of row, with its tags and metadata', async () => {
    const { result, csv } = await run('kinds');
    const kinds = (rows: readonly Row[]) => [...new Set(onSchedule(rows).map(kindOf))].sort();
    expect(result.exitCode).toBe(0);
    expect(kinds(rowsOf(csv))).toEqual(kinds(rowsOf(recorded('kinds.csv'))));
  });

  it.each(['unix', 'unix_milli', 'unix_micro', 'unix_nano', 'rfc3339', 'rfc3339_nano', 'few-system-tags'])(
    'formats/%s: the same header and form of time stamps',
    async (name) => {
      const few = name === 'few-system-tags';
      const options = few ? { systemTags: ['group', 'method', 'name'] } : {};
      const { csv } = await run('empty', {
        csvTimeFormat: few ? 'unix' : name,
        options: { iterations: 3, ...options },
      });
      const theirs = recorded(`formats/${name}.csv`);
      expect(csv.split('\n')[0]).toBe(theirs.split('\n')[0]);
      /** Digits as such; fractions and zones have lengths of their own. */
      const forms = (text: string) => [
        ...new Set(
          text
            .trim()
            .split('\n')
            .slice(1)
            .map((row) =>
              (row.split(',')[1] ?? '')
                .replace(/\.\d+/, '.0')
                .replace(/(Z|[+-]\d\d:\d\d)$/, 'Z')
                .replace(/\d/g, '0'),
            ),
        ),
      ];
      expect(forms(csv)).toEqual(forms(theirs));
      expect(countsOf(onSchedule(rowsOf(csv)), ({ metric }) => metric)).toEqual(
        countsOf(onSchedule(rowsOf(theirs)), ({ metric }) => metric),
      );
    },
  );

  const ENDINGS: Readonly<Record<string, string>> = {
    ok: 'export default function () {}',
    thresholds: "export const options = { thresholds: { iterations: ['count>5'] } }; export default function () {}",
    'abort-on-fail':
      "import { sleep } from 'k6'; export const options = { duration: '9s', vus: 1, thresholds: { iterations: [{ threshold: 'count<1', abortOnFail: true }] } }; export default function () { sleep(0.5); }",
    'setup-timeout':
      "import { sleep } from 'k6'; export const options = { setupTimeout: '300ms' }; export function setup() { sleep(5); } export default function () {}",
    'teardown-timeout':
      "import { sleep } from 'k6'; export const options = { teardownTimeout: '300ms' }; export function teardown() { sleep(5); } export default function () {}",
    'bad-threshold':
      "export const options = { thresholds: { iterations: ['count~5'] } }; export default function () {}",
    'init-throw': "throw new Error('init'); export default function () {}",
    'setup-throw': "export function setup() { throw new Error('setup'); } export default function () {}",
    abort: "import exec from 'k6/execution'; export default function () { exec.test.abort('enough'); }",
    fail: "import exec from 'k6/execution'; export default function () { exec.test.fail('bad'); }",
    'typo-option': 'export const options = { threshold: {} }; export default function () {}',
    'scen-typo':
      "export const options = { scenarios: { s: { executor: 'constant-vus', vus: 1, duration: '1s', maxVU: 3 } } }; export default function () {}",
    sigterm:
      "import { sleep } from 'k6'; export const options = { duration: '9s', vus: 1 }; export default function () { sleep(0.2); }",
    'no-script': '',
    'no-out-dir': 'export default function () {}',
  };
  const codes = recorded('exits/codes.tsv')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));

  it.each(codes)('exits/%s: exit code %s', async (ending = '', code = '') => {
    const source = ENDINGS[ending];
    if (source === undefined) throw new Error(`no script for the ending ${ending}`);
    const script = join(folder, `end-${ending}.js`);
    if (source !== '') writeFileSync(script, source);
    const signal = new AbortController();
    if (ending === 'sigterm') setTimeout(() => signal.abort('terminated'), 700);
    const { exitCode } = await runEmbedded({
      script,
      env: {},
      signal: signal.signal,
      outputs: ending === 'no-out-dir' ? [{ type: 'csv', path: join(folder, 'none', 'x.csv') }] : [],
      stdout: () => undefined,
      stderr: () => undefined,
    });
    expect(exitCode).toBe(Number(code));
  });
});
