/** Facts with one thing broken about the run or its results. */
import { type Breakage, baseLog, closed, looping, ran, worker } from './breakage.ts';

export const BROKEN_RESULTS: readonly Breakage[] = [
  [
    'mix-drift',
    'suspect',
    'browse lost sessions',
    (f) => ({ scenarios: f.scenarios.map((s) => (s.name === 'browse' ? { ...s, finished: s.finished * 0.8 } : s)) }),
  ],
  ['gaps', 'suspect', '20 s without a row', () => ({ gaps: [{ fromSecond: 40, toSecond: 60 }] })],
  [
    'matching-counts',
    'suspect',
    'two rows lost',
    () => ({ pairs: [{ metrics: ['http_reqs', 'http_req_duration'], n: [121, 119] }] }),
  ],
  ['popularity-collapse', 'suspect', 'one book', (f) => ({ run: ran(f, { popularity: 'single' }) })],
  [
    'popularity-collapse',
    'suspect',
    'one id in ungrouped names',
    (f) => ({ endpoints: [{ name: 'GET /books/1', n: 900 }, { name: 'GET /books/2', n: 50 }, ...f.endpoints] }),
  ],
  [
    'think-time',
    'note',
    'closed loop without think time',
    (f) => looping(f, { meanMs: 20, p10Ms: 10, p50Ms: 20, p90Ms: 40 }, 20),
  ],
  [
    'think-time',
    'suspect',
    'closed loop, a hundred users think 1 s together',
    (f) => ({
      ...looping(f, { meanMs: 1010, p10Ms: 1005, p50Ms: 1010, p90Ms: 1016 }, 10),
      dispersion: { browse: 98 },
    }),
  ],
  [
    'think-time',
    'note',
    'closed loop, four users think 1 s',
    (f) => ({
      ...looping(f, { meanMs: 1010, p10Ms: 1005, p50Ms: 1010, p90Ms: 1016 }, 10),
      dispersion: { browse: 4 },
    }),
  ],
  ['closed-model', 'note', 'constant-vus', (f) => ({ plan: closed(f) })],
  [
    'closed-model',
    'suspect',
    'constant-vus through a stall',
    (f) => ({
      plan: closed(f),
      withheld: [{ scenario: 'browse', seconds: 300, slowSeconds: 4, times: 30, sent: 18_000, withheld: 240 }],
    }),
  ],
  [
    'cold-start',
    'suspect',
    'first bins three times as slow',
    (f) => ({ bins: f.bins.map((b, i) => (i < 2 ? { ...b, relative: 3 } : b)) }),
  ],
  ['drift', 'suspect', 'latency climbs', (f) => ({ bins: f.bins.map((b, i) => ({ ...b, relative: 0.7 + 0.04 * i })) })],
  [
    'littles-law',
    'suspect',
    'twice the VUs that the sessions explain',
    (f) => ({ vus: f.vus.map((p) => ({ ...p, value: 120 })) }),
  ],
  ['names-not-grouped', 'suspect', '5,000 names', (f) => ({ endpointCount: 5000, endpoints: f.endpoints })],
  [
    'leaked-query',
    'note',
    'token in a name',
    (f) => ({ endpoints: [...f.endpoints, { name: 'GET /a?token=abc', n: 1 }] }),
  ],
  [
    'iterations-throwing',
    'invalid',
    'all threw',
    (f) => ({ log: { ...baseLog, exceptions: f.iterations.finished, firstException: 'TypeError: x' } }),
  ],
  ['iterations-throwing', 'suspect', 'a few by the metric', () => ({ counters: { flow_errors: 3 } })],
  ['nothing-measured', 'invalid', 'setup threw', () => ({ log: { ...baseLog, setupFailed: true } })],
  [
    'nothing-measured',
    'invalid',
    'no iteration',
    (f) => ({
      iterations: { finished: 0, dropped: 0 },
      requests: { ...f.requests, n: 0, statuses: [] },
      scenarios: [],
    }),
  ],
  ['run-ended', 'invalid', 'script threw at init', (f) => ({ run: ran(f, { exitCode: 107 }) })],
  ['run-ended', 'suspect', 'stopped by a signal', (f) => ({ run: ran(f, { exitCode: 105 }) })],
  ['stopped-early', 'invalid', 'at 10 s of 300', (f) => ({ window: { ...f.window, seconds: 10 } })],
  [
    'scenarios-replaced',
    'invalid',
    '--vus on the command line',
    (f) => ({
      run: ran(f, { argv: ['run', '--vus', '10', 'x.js'] }),
      log: { ...baseLog, overridden: true, overriddenBy: '`vus=10` overrides scenarios configuration' },
    }),
  ],
  ['scenarios-replaced', 'invalid', 'a planned scenario sent nothing', (f) => ({ scenarios: f.scenarios.slice(0, 1) })],
  [
    'options-ignored',
    'invalid',
    'threshold for thresholds',
    () => ({ log: { ...baseLog, ignoredOptions: ['threshold'] } }),
  ],
  [
    'workers',
    'invalid',
    'the same file twice',
    () => ({ workers: [worker('a', { fingerprint: '1' }), worker('b', { fingerprint: '1' })] }),
  ],
  [
    'workers',
    'invalid',
    'a quarter is missing',
    () => ({ workers: [worker('a', { segment: '0:1/4' }), worker('b', { segment: '1/2:1' })] }),
  ],
  ['workers', 'invalid', 'another seed', () => ({ workers: [worker('a', { seed: '1' }), worker('b', { seed: '2' })] })],
  [
    'clock-skew',
    'suspect',
    'three seconds apart',
    () => ({ workers: [worker('a'), worker('b', { startMs: 3000, endMs: 4000 })] }),
  ],
  [
    'damaged-file',
    'suspect',
    'a cut line',
    (f) => ({ files: f.files.map((file) => ({ ...file, lostRows: 1, lost: ['1 broken line'] })) }),
  ],
  ['same-host', 'note', 'loopback', (f) => ({ run: ran(f, { sameHost: true }) })],
  ['nothing-asserted', 'note', 'no objective', () => ({ objectives: [] })],
];
