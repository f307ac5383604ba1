/** Facts with one thing broken about the load. */
import { type Breakage, counted, generator, population, ran, status } from './breakage.ts';

export const BROKEN_LOAD: readonly Breakage[] = [
  [
    'dropped-iterations',
    'invalid',
    '5 % dropped',
    (f) => ({ iterations: { finished: f.iterations.finished * 0.95, dropped: f.iterations.finished * 0.05 } }),
  ],
  [
    'dropped-iterations',
    'suspect',
    'one dropped late',
    (f) => ({
      iterations: { ...f.iterations, dropped: 1 },
      seconds: f.seconds.map((s) => (s.second === 200 ? { ...s, dropped: 1 } : s)),
    }),
  ],
  ['vu-ceiling', 'suspect', 'all VUs busy', (f) => ({ vus: f.vus.map((p) => ({ ...p, value: 150 })) })],
  [
    'rate-achieved',
    'invalid',
    '90 % of the rate',
    (f) => ({ scenarios: f.scenarios.map((s) => ({ ...s, finished: s.finished * 0.9 })) }),
  ],
  [
    'accounting',
    'suspect',
    '1.5 % left no trace',
    (f) => ({ scenarios: f.scenarios.map((s) => ({ ...s, finished: Math.round(s.finished * 0.985) })) }),
  ],
  [
    'generator-cpu',
    'invalid',
    'CPU at its limit',
    (f) =>
      generator(f, {
        cores: 2,
        memoryBytes: 8e9,
        cpuCores: [1.95, 1.99, 2],
        machineCores: [2, 2, 2],
        rssBytes: [1, 1, 1],
      }),
  ],
  [
    'generator-cpu',
    'suspect',
    'machine busy with others',
    (f) =>
      generator(f, {
        cores: 2,
        memoryBytes: 8e9,
        cpuCores: [0.2, 0.2, 0.2],
        machineCores: [2, 2, 2],
        rssBytes: [1, 1, 1],
      }),
  ],
  [
    'generator-memory',
    'suspect',
    '85 % of the memory',
    (f) =>
      generator(f, { cores: 4, memoryBytes: 1e9, cpuCores: [1, 1, 1], machineCores: [1, 1, 1], rssBytes: [8.5e8] }),
  ],
  ['rate-limited', 'invalid', '20 % 429', (f) => ({ requests: status(f, 429, f.requests.n * 0.2) })],
  ['rate-limited', 'suspect', 'one 429', (f) => ({ requests: status(f, 429, 1) })],
  ['no-answer', 'suspect', 'four refused', (f) => ({ requests: status(f, 0, 4, 1212) })],
  ['exhausted-data', 'suspect', 'a pool ran out', () => ({ counters: { data_exhausted: 3 } })],
  [
    'own-counters',
    'note',
    'orders unpaid',
    (f) => ({
      run: ran(f, { counters: { payment_pending: { means: 'note', says: '{n} orders stay unpaid' } } }),
      counters: { payment_pending: 1162 },
    }),
  ],
  ['exhausted-data', 'invalid', 'no stock for orders', () => ({ counters: { out_of_stock: 900 } })],
  [
    'exhausted-data',
    'suspect',
    'rows beyond the end',
    (f) => ({ endpoints: [...f.endpoints, { name: 'GET /user/undefined', n: 5 }] }),
  ],
  [
    'timeout-cluster',
    'suspect',
    '503 at 5 s',
    () => ({
      failures: [{ endpoint: 'GET /a', status: 503, errorCode: 1503, n: 40, p10Ms: 5001, p50Ms: 5003, p90Ms: 5020 }],
    }),
  ],
  [
    'error-heavy',
    'suspect',
    'half fail fast',
    (f) => ({ requests: status(f, 500, f.requests.n / 2), blends: [population('*', 'all', f.requests.n, 2)] }),
  ],
  [
    'threshold-without-samples',
    'invalid',
    'a green rule that saw nothing',
    () => ({
      objectives: [{ key: 'checks', expression: 'rate>0.9', outcome: 'no samples', limit: 0.9, n: 0, k6: 'kept' }],
    }),
  ],
  ['samples-whole', 'suspect', '0.5 % of the rows lost', (f) => counted(Math.round(f.iterations.finished * 1.005))],
  ['samples-whole', 'invalid', 'half of the rows lost', (f) => counted(f.iterations.finished * 2)],
];
