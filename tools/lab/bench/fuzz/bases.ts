/** Sound result files of every kind, small: what the mutated ones are made of. */
import { gzipSync } from 'node:zlib';
import { openDatabase, text } from '../../../verdict/database.ts';

export interface Base {
  readonly kind: string;
  /** Path in the folder of a case; others of the same folder stay sound. */
  readonly file: string;
  readonly bytes: Buffer;
  /** Sound files beside it. */
  readonly beside?: Readonly<Record<string, Buffer>>;
  /** What is given to the analysis: the folder, the file, or the file as an option beside sound samples. */
  readonly give: 'folder' | 'file' | 'summary' | 'rules' | 'log' | 'plan';
  /** Needs a database, so it costs a hundred times as much as a document. */
  readonly samples: boolean;
}

const START = 1795982260000;
const COLUMNS =
  'metric_name,timestamp,metric_value,check,error,error_code,expected_response,group,method,name,proto,scenario,service,status,subproto,tls_version,url,extra_tags,metadata';

interface Row {
  readonly metric: string;
  readonly ms: number;
  readonly value: number;
  readonly name?: string;
  readonly status?: number;
  readonly extra?: Readonly<Record<string, string>>;
}

/** Half a minute of a small test: requests of three endpoints, one of them with a comma and quotes, sessions, VUs, a check. */
function rows(): Row[] {
  const names = ['GET /api/books', 'GET /api/books/{isbn}', 'odd, "name"'];
  return Array.from({ length: 30 }, (_, n): Row[] => {
    const at = { ms: START + n * 400, name: names[n % 3] ?? '', status: [200, 200, 200, 503, 0][n % 5] ?? 200 };
    const extra = { phase: n < 5 ? 'warmup' : 'measure', flow: 'browse' };
    return [
      { metric: 'http_reqs', value: 1, ...at, extra },
      { metric: 'http_req_duration', value: 5 + ((n * 7) % 40) / 3, ...at, extra },
      { metric: 'http_req_blocked', value: n % 9 === 0 ? 1.5 : 0.002, ...at, extra },
      { metric: 'iterations', ms: at.ms, value: 1, extra },
      { metric: 'iteration_duration', ms: at.ms, value: 900 + n, extra },
      { metric: n % 4 === 0 ? 'vus' : 'checks', ms: at.ms, value: n % 4 === 0 ? 3 : 1 },
    ];
  }).flat();
}

function csv(): string {
  const quoted = (field: string) => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
  const lines = rows().map(({ metric, ms, value, name = '', status, extra = {} }) => {
    const tags = Object.entries(extra).map(([key, one]) => `${key}=${one}`);
    const answered = status === undefined ? '' : `${status >= 200 && status < 400}`;
    return [metric, ms, value.toFixed(6), '', '', '', answered, '', 'GET', name, '', 'browse', '', status ?? '', '', '']
      .concat([name, tags.join('&'), ''])
      .map((field) => quoted(String(field)))
      .join(',');
  });
  return `${COLUMNS}\n${lines.join('\n')}\n`;
}

function ndjson(): string {
  const lines = rows().map(({ metric, ms, value, name, status, extra = {} }) => {
    const tags = { ...extra, ...(name && { name, url: name }), ...(status !== undefined && { status: `${status}` }) };
    return JSON.stringify({ type: 'Point', metric, data: { time: new Date(ms).toISOString(), value, tags } });
  });
  const metric = {
    type: 'Metric',
    metric: 'http_reqs',
    data: { name: 'http_reqs', type: 'counter', contains: 'default' },
  };
  return `${JSON.stringify(metric)}\n${lines.join('\n')}\n`;
}

const THRESHOLDS = {
  http_req_duration: ['p(95)<500'],
  'http_reqs{name:GET /api/books,phase:measure}': ['count>0'],
  http_req_failed: ['rate<0.5'],
};

function handleSummary(): object {
  const trend = {
    type: 'trend',
    contains: 'time',
    values: { count: 30, avg: 9, min: 5, med: 9, 'p(95)': 17, max: 18 },
  };
  return {
    root_group: { name: '', path: '', groups: [], checks: [] },
    options: { summaryTrendStats: ['avg', 'p(95)'], summaryTimeUnit: '', noColor: false },
    state: { isStdOutTTY: false, isStdErrTTY: false, testRunDurationMs: 12_000 },
    metrics: {
      http_req_duration: { ...trend, thresholds: { 'p(95)<500': { ok: true } } },
      http_reqs: { type: 'counter', contains: 'default', values: { count: 30, rate: 2.5 } },
      http_req_failed: {
        type: 'rate',
        contains: 'default',
        values: { rate: 0.4, passes: 12, fails: 18 },
        thresholds: { 'rate<0.5': { ok: true } },
      },
      vus: { type: 'gauge', contains: 'default', values: { value: 3, min: 3, max: 3 } },
    },
    bookstoreLoad: { schemaVersion: 1, cache: 'warm', popularity: { law: 'power', g: 3 }, target: { rateLimit: null } },
  };
}

function summaryExport(): object {
  return {
    root_group: { name: '', path: '', groups: {}, checks: {} },
    metrics: {
      http_req_duration: {
        avg: 9,
        min: 5,
        med: 9,
        max: 18,
        'p(90)': 15,
        'p(95)': 17,
        thresholds: { 'p(95)<500': false },
      },
      http_reqs: { count: 30, rate: 2.5 },
      http_req_failed: { passes: 12, fails: 18, value: 0.4, thresholds: { 'rate<0.5': false } },
    },
  };
}

function machineReadable(): object {
  return { version: '1.0.0', generated_at: '2026-01-01T00:00:00Z', config: {}, metadata: {}, results: { metrics: [] } };
}

function manifest(): object {
  const scenario = {
    executor: 'constant-arrival-rate',
    startTime: '0s',
    duration: '12s',
    rate: 5,
    timeUnit: '2s',
    preAllocatedVUs: 3,
    maxVUs: 6,
    tags: { phase: 'measure' },
  };
  const series = { timeMs: [1, 2, 3, 4], cpuCores: [0.1, 0.2, 0.1, 0.2], rssBytes: [9e7, 9e7, 9e7, 9e7] };
  return {
    schemaVersion: 1,
    runId: '20260101T000000Z-browse-0000',
    status: 'complete',
    tool: { name: 'bookstore-load', version: '0.1.0', pid: 1 },
    engine: { name: 'k6', version: '2.2.0', path: '/k6', argv: ['run', 'browse.js'], pid: 2 },
    scenario: 'browse',
    script: { file: '/browse.js', bytes: 9, sha256: 'aa' },
    inputs: { workload: { file: '/w.json', bytes: 9, sha256: 'bb' } },
    options: { scenarios: { browse: scenario }, thresholds: THRESHOLDS, executionSegment: '0:1/2' },
    requirements: { maxVUs: 6, totalSeconds: 42 },
    seed: '1',
    env: { POPULARITY: 'power:3' },
    tags: {},
    host: { hostname: 'h', cores: 2, memoryBytes: 8e9, cpuLimitCores: null, memoryLimitBytes: null },
    target: { url: 'http://127.0.0.1:1', host: '127.0.0.1:1', sameHost: true, tls: false },
    generator: { intervalMs: 1000, source: 'proc', machineCores: [0.5, 0.5, 0.6, 0.5], ...series },
    outcome: { exitCode: 0, signal: null, interrupted: false, meaning: '', thresholdsCrossed: [] },
  };
}

const LOG = [
  'time="2026-01-01T00:00:00Z" level=warning msg="There were unknown fields in the options exported in the script" error="json: unknown field \\"treshold\\""',
  'time="2026-01-01T00:00:01Z" level=error msg="TypeError: Cannot read property\\n\\tat default (file:///x.js:1:2(3))" executor=x scenario=browse source=stacktrace',
  'time="2026-01-01T00:00:02Z" level=warning msg="Insufficient VUs, reached 3 active VUs and cannot initialize more" executor=x scenario=browse',
  '{"level":"error","msg":"test aborted: no data","time":"2026-01-01T00:00:03Z"}',
  'running (0m12.0s), 0/3 VUs, 30 complete and 2 interrupted iterations',
].join('\n');

const OBJECTIVES = {
  schemaVersion: 1,
  purpose: 'a test',
  endpoints: {
    '*': { failed: ['rate<0.01'] },
    'GET /api/books': { '2xx': ['p(95)<300', { threshold: 'max<900', abortOnFail: true }] },
  },
  sessions: { browse: ['p(95)<9000'] },
};

/** All kinds. */
export async function bases(): Promise<Base[]> {
  const json = (value: object) => Buffer.from(JSON.stringify(value));
  const samples = Buffer.from(csv());
  const points = Buffer.from(ndjson());
  const one = (kind: string, bytes: Buffer, give: Base['give'], isSamples: boolean): Base => ({
    kind,
    file: kind.replaceAll(' ', '-'),
    bytes,
    give,
    samples: isSamples,
    ...(give === 'file' ? {} : { beside: { 'sound.json': json(handleSummary()) } }),
  });
  const folder = { 'samples.csv': samples, 'summary.json': json(handleSummary()), 'k6.log': Buffer.from(LOG) };
  return [
    one('csv', samples, 'file', true),
    one('csv.gz', gzipSync(samples), 'file', true),
    one('ndjson', points, 'file', true),
    one('ndjson.gz', gzipSync(points), 'file', true),
    one('parquet', await parquet(samples), 'file', true),
    {
      kind: 'manifest',
      file: 'manifest.json',
      bytes: json(manifest()),
      beside: folder,
      give: 'folder',
      samples: true,
    },
    {
      kind: 'folder without samples',
      file: 'manifest.json',
      bytes: json(manifest()),
      beside: { 'summary.json': folder['summary.json'], 'k6.log': folder['k6.log'] },
      give: 'folder',
      samples: false,
    },
    one('handleSummary', json(handleSummary()), 'file', false),
    one('summary export', json(summaryExport()), 'file', false),
    one('machine-readable summary', json(machineReadable()), 'file', false),
    one('k6 log', Buffer.from(LOG), 'log', false),
    one('objectives', json(OBJECTIVES), 'rules', false),
    one('k6 thresholds', json({ thresholds: THRESHOLDS }), 'rules', false),
    one('k6 options', json((manifest() as { options: object }).options), 'plan', false),
    one('anything', Buffer.from(`${COLUMNS}\n${LOG}\nPAR1{"type":"Point"}`), 'file', false),
  ];
}

async function parquet(samples: Buffer): Promise<Buffer> {
  const { writeFileSync, readFileSync } = await import('node:fs');
  const database = await openDatabase();
  try {
    const [from, to] = [`${database.scratch}/a.csv`, `${database.scratch}/a.parquet`];
    writeFileSync(from, samples);
    await database.run(
      `COPY (SELECT * FROM read_csv(${text(from)}, all_varchar=true)) TO ${text(to)} (FORMAT parquet)`,
    );
    return readFileSync(to);
  } finally {
    database.close();
  }
}
