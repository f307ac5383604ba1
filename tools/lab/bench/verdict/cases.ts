/** The runs: each breaks one thing (and names the rule that must say so), or nothing. */

export interface VerdictCase {
  readonly name: string;
  /** Rule that must fire; none for a healthy run. */
  readonly rule?: string;
  /** k6 script; `URL` is the target. */
  readonly script: string;
  /** Arguments of k6 beside the outputs. */
  readonly arguments?: readonly string[];
  /** Through `bookstore-load run`, because the rule needs the manifest. */
  readonly recorded?: boolean;
  /** What is done to the result files before they are analysed. */
  readonly after?: 'cut' | 'twice' | 'part';
  /** As two workers by execution segments, one after the other. */
  readonly apart?: boolean;
  /** Memory that the whole run may take, bytes; needs the right to make a control group. */
  readonly memoryBytes?: number;
  /** Judged by its CSV and what k6 printed, and nothing else. */
  readonly consoleOnly?: true;
}

const open = (rate: number, seconds: number, more = '') =>
  `{ executor: 'constant-arrival-rate', rate: ${rate}, timeUnit: '1s', duration: '${seconds}s', preAllocatedVUs: ${Math.ceil(rate * 2 + 10)}, ${more} }`;

function script(scenarios: Readonly<Record<string, string>>, body: string, options = ''): string {
  const list = Object.entries(scenarios)
    .map(([name, text]) => `${name}: ${text}`)
    .join(', ');
  return `import http from 'k6/http'; import { check, sleep } from 'k6'; import exec from 'k6/execution';
export const options = { scenarios: { ${list} }, ${options} };
const get = (path, name) => http.get('URL' + path, { tags: { name: name || 'GET ' + path.split('?')[0] }, timeout: '1s' });
const think = (least, most) => sleep(least + Math.random() * (most - least));
export default function () { ${body} }\n`;
}

const one = "get('/ok/list');";
const flow = "get('/ok/list'); think(0.2, 0.9); get('/ok/details'); think(0.1, 0.5); get('/ok/details');";

export const BROKEN: readonly VerdictCase[] = [
  {
    name: 'too few VUs',
    rule: 'dropped-iterations',
    script: script(
      {
        load: "{ executor: 'constant-arrival-rate', rate: 40, timeUnit: '1s', duration: '6s', preAllocatedVUs: 3, maxVUs: 3 }",
      },
      "get('/slow');",
    ),
  },
  {
    name: 'all VUs busy',
    rule: 'vu-ceiling',
    script: script(
      {
        load: "{ executor: 'constant-arrival-rate', rate: 40, timeUnit: '1s', duration: '6s', preAllocatedVUs: 4, maxVUs: 4 }",
      },
      "get('/slow');",
    ),
  },
  {
    name: 'half of the rate',
    rule: 'rate-achieved',
    script: script(
      {
        load: "{ executor: 'constant-arrival-rate', rate: 40, timeUnit: '1s', duration: '6s', preAllocatedVUs: 3, maxVUs: 3 }",
      },
      "get('/slow');",
    ),
  },
  {
    name: 'sessions cut at the end',
    rule: 'accounting',
    script: script(
      { load: open(10, 6, "gracefulStop: '0s'") },
      "get('/ok/list'); think(1.5, 2.5); get('/ok/details');",
    ),
  },
  { name: '429s', rule: 'rate-limited', script: script({ load: open(20, 6) }, "get('/limited');") },
  {
    name: 'nobody listens',
    rule: 'no-answer',
    script: script(
      { load: open(10, 5) },
      "get('/ok/a'); http.get('http://127.0.0.1:1/', { tags: { name: 'refused' } });",
    ),
  },
  {
    name: 'rows beyond the end of the data',
    rule: 'exhausted-data',
    script: script(
      { load: open(10, 5) },
      "const rows = ['a', 'b']; get('/ok/' + rows[exec.scenario.iterationInTest]);",
    ),
  },
  {
    name: 'a gateway gives up after 500 ms',
    rule: 'timeout-cluster',
    script: script({ load: open(20, 6) }, "get('/gateway');"),
  },
  { name: 'a server that hangs', rule: 'timeout-cluster', script: script({ load: open(8, 5) }, "get('/hang');") },
  { name: '40 % fail fast', rule: 'error-heavy', script: script({ load: open(20, 6) }, "get('/failing');") },
  {
    name: 'threshold on a tag that never occurs',
    rule: 'threshold-without-samples',
    script: script({ load: open(20, 5) }, one, "thresholds: { 'http_req_duration{name:checkout}': ['p(95)<500'] }"),
  },
  {
    name: 'one of two flows starves',
    rule: 'mix-drift',
    script: script(
      {
        browse: open(10, 8, "exec: 'default'"),
        search:
          "{ executor: 'constant-arrival-rate', rate: 20, timeUnit: '1s', duration: '8s', preAllocatedVUs: 1, maxVUs: 1, exec: 'slow' }",
      },
      one,
    ).concat("export function slow() { get('/slow'); }\n"),
  },
  {
    name: 'one book in the URL',
    rule: 'popularity-collapse',
    script: script({ load: open(50, 6) }, "get('/ok/books/1', 'URL/ok/books/' + (Math.random() < 0.9 ? 1 : 2));"),
  },
  {
    name: 'closed loop through a stall',
    rule: 'closed-model',
    script: script({ load: "{ executor: 'constant-vus', vus: 4, duration: '12s' }" }, "get('/stall?run=stall');"),
  },
  {
    name: 'a crowd that thinks the same second',
    rule: 'think-time',
    script: script({ load: "{ executor: 'constant-vus', vus: 40, duration: '8s' }" }, "get('/ok/list'); sleep(1);"),
  },
  {
    name: 'cold for four seconds',
    rule: 'cold-start',
    script: script({ load: open(40, 30) }, "get('/cold?run=cold');"),
  },
  { name: 'slower and slower', rule: 'drift', script: script({ load: open(30, 36) }, "get('/drift?run=drift');") },
  {
    name: 'half of the samples missing',
    rule: 'littles-law',
    script: script({ load: open(10, 24) }, "get('/ok/list'); think(1, 3);"),
    after: 'part',
  },
  {
    name: 'a name per URL',
    rule: 'names-not-grouped',
    script: script({ load: open(60, 6) }, "http.get('URL/ok/' + exec.scenario.iterationInTest);"),
  },
  {
    name: 'a token in the name',
    rule: 'leaked-query',
    script: script({ load: open(10, 5) }, "http.get('URL/ok/list?token=s3cret');"),
  },
  {
    name: 'every iteration throws',
    rule: 'iterations-throwing',
    script: script({ load: open(10, 5) }, "http.get('URL/empty').json().items[0].id;"),
  },
  {
    name: 'setup throws',
    rule: 'nothing-measured',
    script: script({ load: open(10, 5) }, one).concat("export function setup() { throw new Error('no token'); }\n"),
  },
  { name: 'killed', rule: 'damaged-file', script: script({ load: open(20, 8) }, one), after: 'cut' },
  {
    name: 'abortOnFail',
    rule: 'stopped-early',
    script: script(
      { load: open(20, 30) },
      one,
      "thresholds: { http_req_duration: [{ threshold: 'p(95)<1', abortOnFail: true }] }",
    ),
  },
  {
    name: '--vus and --duration',
    rule: 'scenarios-replaced',
    recorded: true,
    script: script({ browse: open(10, 30) }, one),
    arguments: ['--vus', '2', '--duration', '4s'],
  },
  {
    name: 'threshold for thresholds',
    rule: 'options-ignored',
    script: script({ load: open(10, 4) }, one, "threshold: { http_req_failed: ['rate<0.01'] }"),
  },
  {
    name: 'exec.test.abort',
    rule: 'run-ended',
    script: script(
      { load: open(10, 6) },
      "get('/ok/a'); if (exec.scenario.iterationInTest === 20) exec.test.abort('no data');",
    ),
  },
  { name: 'the same file twice', rule: 'workers', script: script({ load: open(10, 4) }, one), after: 'twice' },
  {
    name: 'generator busy',
    rule: 'generator-cpu',
    recorded: true,
    script: script(
      { load: "{ executor: 'constant-vus', vus: 8, duration: '8s' }" },
      "let x = 0; for (let i = 0; i < 3e6; i++) x += i % 7; get('/ok/a');",
    ),
  },
  {
    name: 'generator short of memory',
    rule: 'generator-memory',
    recorded: true,
    // The group holds the process that watches k6 too.
    memoryBytes: 1.5e9,
    script: script(
      { load: open(10, 8) },
      "if (exec.vu.idInTest === 1 && !globalThis.hog) { globalThis.hog = []; for (let i = 0; i < 1230; i++) globalThis.hog.push('x'.repeat(1e6)); } get('/ok/a');",
    ),
  },
  { name: 'workers started apart', rule: 'clock-skew', script: script({ load: open(20, 4) }, one), apart: true },
  { name: 'loopback', rule: 'same-host', recorded: true, script: script({ load: open(10, 4) }, one) },
  { name: 'no thresholds', rule: 'nothing-asserted', script: script({ load: open(10, 4) }, one) },
];

const asserted = "thresholds: { http_req_failed: ['rate<0.2'], http_req_duration: ['med<500'] }";
const healthy = (
  name: string,
  scenarios: Readonly<Record<string, string>>,
  body: string,
  more = asserted,
): VerdictCase => ({ name, script: script(scenarios, body, more) });
const ramp = (text: string) =>
  `{ executor: 'ramping-arrival-rate', startRate: 5, timeUnit: '1s', preAllocatedVUs: 80, stages: [${text}] }`;

export const HEALTHY: readonly VerdictCase[] = [
  healthy('5/s, one request', { load: open(5, 8) }, one),
  healthy('20/s, one request', { load: open(20, 8) }, one),
  healthy('60/s, one request', { load: open(60, 8) }, one),
  healthy('150/s, one request', { load: open(150, 6) }, one),
  healthy('short: 3 s', { load: open(20, 3) }, one),
  healthy('long: 40 s', { load: open(15, 40) }, one),
  healthy('10/s, flow with think time', { load: open(10, 10) }, flow),
  healthy('20/s, flow with think time', { load: open(20, 12) }, flow),
  healthy('two flows', { browse: open(14, 10), search: open(6, 10) }, flow),
  healthy('three flows, 70/20/10', { browse: open(14, 12), search: open(4, 12), checkout: open(2, 12) }, flow),
  healthy('ramp up', { load: ramp("{ target: 40, duration: '10s' }") }, one),
  healthy(
    'ramp, hold, down',
    { load: ramp("{ target: 30, duration: '4s' }, { target: 30, duration: '6s' }, { target: 0, duration: '3s' }") },
    one,
  ),
  healthy(
    'one-second steps around 12/s',
    {
      load: ramp(
        [12, 9, 15, 11, 14, 10, 13, 12]
          .map((n) => `{ target: ${n}, duration: '0s' }, { target: ${n}, duration: '1s' }`)
          .join(', '),
      ),
    },
    one,
  ),
  healthy(
    'per minute',
    { load: "{ executor: 'constant-arrival-rate', rate: 600, timeUnit: '1m', duration: '8s', preAllocatedVUs: 20 }" },
    one,
  ),
  healthy(
    'warm-up and measure',
    {
      warmup: open(10, 4, "tags: { phase: 'warmup' }"),
      measure: open(10, 8, "startTime: '4s', tags: { phase: 'measure' }"),
    },
    one,
  ),
  {
    ...healthy('with setup and teardown', { load: open(12, 6) }, one),
    script: script({ load: open(12, 6) }, one, asserted).concat(
      'export function setup() { return {}; }\nexport function teardown() {}\n',
    ),
  },
  healthy(
    'with checks and groups',
    { load: open(12, 6) },
    "check(get('/ok/a'), { 'is 200': (r) => r.status === 200 });",
  ),
  healthy('posts', { load: open(12, 6) }, "http.post('URL/ok/cart', '{}', { tags: { name: 'POST /ok/cart' } });"),
  healthy('twelve endpoints', { load: open(40, 8) }, "get('/ok/' + (exec.scenario.iterationInTest % 12));"),
  healthy('slow system, enough VUs', { load: open(20, 8) }, "get('/slow');"),
  healthy(
    'few system tags',
    { load: open(15, 6) },
    one,
    asserted.concat(", systemTags: ['status', 'name', 'scenario', 'expected_response']"),
  ),
  healthy('extra tags', { load: open(15, 6, "tags: { region: 'eu', build: '7' }") }, one),
];
