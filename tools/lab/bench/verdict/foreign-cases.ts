/** Runs of other people's kind: plain k6, judged by the CSV and what k6 printed. */
import type { VerdictCase } from './cases.ts';

/** Somebody's own script, with whatever executor and shape; `URL` is the target. */
const foreign = (name: string, options: string, body: string, more = ''): VerdictCase => ({
  name,
  consoleOnly: true,
  script: `import http from 'k6/http'; import { check, group, sleep } from 'k6'; import { Trend } from 'k6/metrics';
export const options = { ${options} };
${more}export default function () { ${body} }\n`,
});
const thresholds = "thresholds: { http_req_failed: ['rate<0.2'], http_req_duration: ['med<500'] }";
const page = "const res = http.get('URL/ok/list'); check(res, { 'status is 200': (r) => r.status === 200 });";

/** Runs of other people's kind, all executors: nothing but the samples and the console text is known of them. */
export const FOREIGN: readonly VerdictCase[] = [
  foreign('vus and duration, sleep(1)', `vus: 10, duration: '10s', ${thresholds}`, `${page} sleep(1);`),
  foreign(
    'stages up and down',
    `stages: [{ duration: '4s', target: 12 }, { duration: '4s', target: 12 }, { duration: '2s', target: 0 }], ${thresholds}`,
    `${page} sleep(Math.random());`,
  ),
  foreign('vus and iterations', `vus: 5, iterations: 200, ${thresholds}`, page),
  foreign(
    'constant-vus without think time',
    `scenarios: { load: { executor: 'constant-vus', vus: 6, duration: '8s' } }, ${thresholds}`,
    page,
  ),
  foreign(
    'ramping-vus with groups',
    `scenarios: { load: { executor: 'ramping-vus', startVUs: 2, stages: [{ duration: '5s', target: 10 }, { duration: '5s', target: 2 }] } }, ${thresholds}`,
    `group('list', () => { ${page} }); sleep(0.3); group('details', () => { http.get('URL/ok/details'); }); sleep(Math.random());`,
  ),
  foreign(
    'per-vu-iterations, batch',
    `scenarios: { job: { executor: 'per-vu-iterations', vus: 4, iterations: 25 } }, ${thresholds}`,
    "http.batch([['GET', 'URL/ok/a'], ['GET', 'URL/ok/b']]);",
  ),
  foreign(
    'shared-iterations, own Trend',
    `scenarios: { job: { executor: 'shared-iterations', vus: 4, iterations: 120 } }, ${thresholds}`,
    `${page} own.add(res.timings.waiting);`,
    "const own = new Trend('waiting', true);\n",
  ),
  foreign(
    'constant-arrival-rate, setup',
    `scenarios: { load: { executor: 'constant-arrival-rate', rate: 15, timeUnit: '1s', duration: '10s', preAllocatedVUs: 10 } }, ${thresholds}`,
    page,
    "export function setup() { return http.get('URL/ok/login').json(); }\n",
  ),
  foreign(
    'ramping-arrival-rate',
    `scenarios: { load: { executor: 'ramping-arrival-rate', startRate: 2, timeUnit: '1s', preAllocatedVUs: 20, stages: [{ duration: '6s', target: 20 }, { duration: '4s', target: 20 }] } }, ${thresholds}`,
    page,
  ),
  foreign(
    'three scenarios, one after the other and together',
    `scenarios: { warm: { executor: 'constant-vus', vus: 2, duration: '3s', gracefulStop: '1s' }, steady: { executor: 'constant-arrival-rate', rate: 10, timeUnit: '1s', duration: '6s', preAllocatedVUs: 5, startTime: '3s' }, job: { executor: 'shared-iterations', vus: 2, iterations: 20, startTime: '4s' } }, ${thresholds}`,
    `${page} sleep(0.05 + 0.1 * Math.random());`,
  ),
];

/** The same in which one thing went wrong; none may be VALID. */
export const FOREIGN_BROKEN: readonly VerdictCase[] = [
  { ...(FOREIGN[0] as VerdictCase), name: 'killed: the last rows and the end of the text are lost', after: 'cut' },
  { ...(FOREIGN[7] as VerdictCase), name: 'every fourth finished session is missing', after: 'part' },
  { ...(FOREIGN[8] as VerdictCase), name: 'the same file twice', after: 'twice' },
  {
    ...(FOREIGN[4] as VerdictCase),
    name: '--vus and --duration replace its scenarios',
    arguments: ['--vus', '2', '--duration', '4s'],
  },
  foreign('every iteration throws', `vus: 3, duration: '4s', ${thresholds}`, "http.get('URL/ok/a').json('x').y.z;"),
  foreign(
    'abort after a second',
    `vus: 3, duration: '20s', thresholds: { http_req_duration: [{ threshold: 'p(95)<1', abortOnFail: true }] }`,
    page,
  ),
  foreign(
    'setup throws',
    `vus: 3, duration: '4s', ${thresholds}`,
    page,
    "export function setup() { throw new Error('no token'); }\n",
  ),
  foreign(
    'too few VUs',
    `scenarios: { load: { executor: 'constant-arrival-rate', rate: 40, timeUnit: '1s', duration: '6s', preAllocatedVUs: 2, maxVUs: 2 } }, ${thresholds}`,
    "http.get('URL/slow');",
  ),
  foreign(
    'the job is cut off by maxDuration',
    `scenarios: { job: { executor: 'shared-iterations', vus: 2, iterations: 500, maxDuration: '4s' } }, ${thresholds}`,
    "http.get('URL/slow');",
  ),
  foreign(
    'sessions cut off at the end',
    `scenarios: { load: { executor: 'ramping-arrival-rate', startRate: 10, timeUnit: '1s', preAllocatedVUs: 60, gracefulStop: '0s', stages: [{ duration: '6s', target: 10 }] } }, ${thresholds}`,
    `${page} sleep(2);`,
  ),
];
