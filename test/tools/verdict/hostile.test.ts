/** Files that were made to harm: an answer or one sentence, soon and in bounded memory, and nothing is written elsewhere. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MOST_BYTES, parseBoundedJson, plainText } from '../../../tools/base/input-file.ts';
import { UserError } from '../../../tools/base/user-error.ts';
import { readManifest } from '../../../tools/results/manifest.ts';
import { packStages, unpackStages } from '../../../tools/results/stages.ts';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { sniff } from '../../../tools/verdict/files.ts';
import { readFolder, withSuite } from '../../../tools/verdict/run-folder.ts';
import { readSummary } from '../../../tools/verdict/summary.ts';
import { logLines, textOf } from '../../../tools/verdict/text-file.ts';
import { HEADER, made, requestRows } from './support.ts';

const rows = Array.from({ length: 300 }, (_, i) => requestRows(1_795_982_260_000 + i * 20, 5 + (i % 40))).join('');

/** A results folder: samples and a manifest. */
function folder(manifest: string): string {
  const path = dirname(made('samples.csv', `${HEADER}\n${rows}`));
  writeFileSync(join(path, 'manifest.json'), manifest);
  return path;
}

const MANIFEST = {
  schemaVersion: 1,
  runId: 'r1',
  status: 'complete',
  tool: { name: 'bookstore-load', version: '1', pid: 1 },
  scenario: 'mix',
  engine: { name: 'k6', version: '2.2.0', argv: ['run', 'a.js'] },
  script: { sha256: 'ab' },
  inputs: { workload: { sha256: 'cd' } },
  env: { RATE: '5', POPULARITY: 'power:3' },
  seed: '1',
  target: { url: 'http://h', sameHost: true, tls: false },
  requirements: { maxVUs: 5, totalSeconds: 6 },
  suite: { counters: { sold_out: { means: 'note', says: '{n} sold out' } } },
  host: { hostname: 'a', cores: 2, memoryBytes: 3, cpuLimitCores: 1, memoryLimitBytes: 2 },
  generator: { timeMs: [1, 2], cpuCores: [0.1, 0.2], machineCores: [0.1, 0.2], rssBytes: [1, 2] },
  outcome: { exitCode: 0, interrupted: false, thresholdsCrossed: [] },
  options: {
    thresholds: { checks: ['rate>0.9'] },
    executionSegment: '0:1/2',
    scenarios: {
      a: { executor: 'ramping-arrival-rate', startRate: 1, timeUnit: '1s', stages: [{ target: 5, duration: '6s' }] },
      b: { executor: 'constant-arrival-rate', rate: 5, duration: '6s', maxVUs: 5, env: { X: '1' } },
    },
  },
};
const SUMMARY = {
  metrics: {
    http_reqs: { type: 'counter', contains: 'default', values: { count: 5 }, thresholds: { 'count>0': { ok: true } } },
  },
  state: { testRunDurationMs: 6000 },
  options: {},
  root_group: {},
  bookstoreLoad: {
    target: { rateLimit: null, payments: 'stub' },
    popularity: { law: 'power' },
    cache: 'cold',
    counters: [{ metric: 'sold_out', means: 'note', n: 3, says: '3 sold out' }],
  },
};
const HOSTILE: readonly unknown[] = [
  { toString: 1, valueOf: 1 },
  [{ toString: null }],
  { __proto__: null, constructor: 1, length: -1 },
  '\u0000\u001b[2J',
  -1e308,
  null,
  true,
  [],
  '',
];

/** Copies of a document, each with one value replaced by a hostile one. */
function* variants(document: unknown, set: (value: unknown) => unknown = (value) => value): Generator<unknown> {
  for (const hostile of HOSTILE) yield set(hostile);
  if (typeof document !== 'object' || document === null) return;
  for (const [key, value] of Object.entries(document)) {
    const inner = (replaced: unknown) =>
      set(
        Array.isArray(document)
          ? document.map((one, i) => (String(i) === key ? replaced : one))
          : { ...document, [key]: replaced },
      );
    yield* variants(value, inner);
  }
}

/** Runs what may refuse; any other error fails the test with the document. */
function orRefused(document: unknown, run: () => void): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof UserError)) throw new Error(`${JSON.stringify(document)}: ${(error as Error).stack}`);
    expect(error.message.trim()).not.toContain('\n');
  }
}

describe('JSON', () => {
  it('of a manifest with any value replaced costs facts or is refused', () => {
    const path = mkdtempSync(join(tmpdir(), 'hostile-'));
    for (const document of variants(MANIFEST)) {
      writeFileSync(join(path, 'manifest.json'), JSON.stringify(document));
      orRefused(document, () => {
        const found = readFolder(path);
        JSON.stringify(found);
      });
      orRefused(document, () => void readManifest(path));
    }
  });

  it('of a summary with any value replaced costs facts or is refused', () => {
    for (const document of variants(SUMMARY)) {
      orRefused(document, () => void withSuite(undefined, readSummary('summary.json', JSON.stringify(document)).suite));
    }
  });

  it('deeper than any stack is no document', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    expect(() => parseBoundedJson(deep)).toThrow(/nested more than 200 levels/);
    const path = folder(`{"schemaVersion": 1, "env": ${deep}}`);
    expect((await analyse({ paths: [path] })).facts.run).toBeUndefined();
    writeFileSync(join(path, 'summary.json'), deep);
    await expect(analyse({ paths: [path] })).rejects.toThrow(/summary\.json: no valid JSON \(nested more than/);
  });

  it('as text is JSON, whatever methods it pretends to have', () => {
    expect([plainText({ toString: 1 }), plainText('a'), plainText(null), plainText(7)]).toEqual([
      '{"toString":1}',
      'a',
      'null',
      '7',
    ]);
  });

  it('of stages that inflate without end is damaged', () => {
    const long = JSON.stringify(Array.from({ length: 60 }, () => ({ target: 1, duration: '1s' })));
    const bomb = {
      stages: { count: 1, sha256: 'x', first: [], gzip: gzipSync(Buffer.alloc(101_000_000)).toString('base64') },
    };
    expect(() => unpackStages(bomb)).toThrow(/stages in it are damaged/);
    expect(() => unpackStages({ stages: { gzip: 'no gzip', sha256: 'x' } })).toThrow(/stages in it are damaged/);
    expect(unpackStages(packStages({ stages: JSON.parse(long) }) ?? {})).toEqual({ stages: JSON.parse(long) });
  });
});

describe('what is no file', () => {
  it.each(['samples.csv', 'summary.json', 'k6.log', 'manifest.json', 'workers.json'])(
    'a pipe by the name of %s in a results folder does not hang',
    async (name) => {
      const path = folder('{"runId": "r1"}');
      const pipe = join(path, name);
      if (existsSync(pipe)) execFileSync('rm', [pipe]);
      execFileSync('mkfifo', [pipe]);
      const found = analyse({ paths: [path] });
      if (name === 'manifest.json') expect((await found).facts.run).toBeUndefined();
      else await expect(found).rejects.toThrow(/this is no file but a pipe/);
    },
  );

  it('a device is refused too', async () => {
    await expect(analyse({ paths: ['/dev/zero'] })).rejects.toThrow(/this is no file but a device/);
  });
});

describe('size', () => {
  it('a small gzip file that inflates to more than any document is refused', async () => {
    const bomb = made('summary.json.gz', '');
    // 300 MB of blanks after the head of a document: 0.3 MB compressed.
    writeFileSync(bomb, gzipSync(Buffer.concat([Buffer.from('{'), Buffer.alloc(MOST_BYTES + 1, ' ')])));
    const file = await sniff(bomb);
    expect(() => textOf(file)).toThrow(/longer than 256 MB, so no document/);
  });

  it('a log is read line by line, so that its length does not matter', async () => {
    const log = made('k6.log', 'time="x" level=info msg="a"\ntime="x" level=info msg="b"\n');
    expect([...logLines(await sniff(log))]).toEqual(readFileSync(log, 'utf8').trimEnd().split('\n'));
  });
});

describe('names', () => {
  const point = (tags: Record<string, string>, i: number) =>
    `${JSON.stringify({
      metric: 'http_req_duration',
      type: 'Point',
      data: {
        time: `2026-11-29T20:08:${String(i).padStart(2, '0')}Z`,
        value: 5 + i,
        tags: { name: 'a', status: '200', ...tags },
      },
    })}\n`;

  it.each(['a"b', "it's", 'w*', '*', '$.x', 'back\\', '/x', 'a~b', '#1', '0', 'sp ace', '\u001b[31m'])(
    'of a tag may be %j in NDJSON',
    async (tag) => {
      const path = made(
        'samples.json',
        Array.from({ length: 20 }, (_, i) => point({ [tag]: `v${i % 2}` }, i)).join(''),
      );
      const { facts } = await analyse({ paths: [path], by: [tag], byMustExist: true });
      expect(facts.populations.map(({ by, n }) => [...by, n])).toEqual([
        ['v0', 10],
        ['v1', 10],
      ]);
    },
  );

  it('of requests without end are a number and the first thousand', async () => {
    const many = Array.from({ length: 1500 }, (_, i) => requestRows(1_795_982_260_000 + i, 5, { name: `/b/${i}` }));
    const { facts } = await analyse({ paths: [made('samples.csv', `${HEADER}\n${many.join('')}`)] });
    expect([facts.endpointCount, facts.endpoints.length, facts.populations.length]).toEqual([1500, 1000, 0]);
  });

  it('of scenarios without end are no test', async () => {
    const many = Array.from({ length: 1001 }, (_, i) => requestRows(1_795_982_260_000 + i, 5, { scenario: `s${i}` }));
    const found = analyse({ paths: [made('samples.csv', `${HEADER}\n${many.join('')}`)] });
    await expect(found).rejects.toThrow(/1001 scenarios, which no test has/);
  });
});
