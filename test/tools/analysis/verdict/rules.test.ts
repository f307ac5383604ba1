/** Each rule on facts with one thing broken: it fires with the severity that its limits ask for, and the rest stays silent. */
import { describe, expect, it } from 'vitest';
import type { Facts, WorkerFacts } from '../../../../tools/analysis/facts.ts';
import { judge, RULES } from '../../../../tools/analysis/verdict/judge.ts';
import { DEFAULT_VALIDITY, limitsOf } from '../../../../tools/analysis/verdict/limits.ts';
import type { Severity } from '../../../../tools/analysis/verdict/rule.ts';
import { redact } from '../../../../tools/analysis/verdict/rules/leaked-query.ts';
import { itemOf } from '../../../../tools/analysis/verdict/rules/popularity-collapse.ts';
import { healthy, population } from './facts.ts';

const limits = limitsOf();

function worker(path: string, more: Partial<WorkerFacts> = {}): WorkerFacts {
  return {
    path,
    worker: path,
    startMs: 0,
    endMs: 1000,
    requests: 10,
    failed: 0,
    finished: 10,
    dropped: 0,
    fingerprint: path,
    ...more,
  };
}

type Breakage = readonly [rule: string, severity: Severity, what: string, broken: (facts: Facts) => Partial<Facts>];

const status = (facts: Facts, code: number, n: number, errorCode = 1000 + code): Facts['requests'] => ({
  ...facts.requests,
  failed: n,
  noAnswer: code === 0 ? n : 0,
  statuses: [
    { status: 200, errorCode: 0, n: facts.requests.n - n },
    { status: code, errorCode, n },
  ],
});

const BREAKAGES: readonly Breakage[] = [
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
    (f) => ({
      run: {
        inputs: {},
        env: {},
        ...f.run,
        generator: {
          cores: 2,
          memoryBytes: 8e9,
          timeMs: [0, 1, 2],
          cpuCores: [1.95, 1.99, 2],
          machineCores: [2, 2, 2],
          rssBytes: [1, 1, 1],
        },
      },
    }),
  ],
  [
    'generator-cpu',
    'suspect',
    'machine busy with others',
    (f) => ({
      run: {
        inputs: {},
        env: {},
        ...f.run,
        generator: {
          cores: 2,
          memoryBytes: 8e9,
          timeMs: [0, 1, 2],
          cpuCores: [0.2, 0.2, 0.2],
          machineCores: [2, 2, 2],
          rssBytes: [1, 1, 1],
        },
      },
    }),
  ],
  [
    'generator-memory',
    'suspect',
    '85 % of the memory',
    (f) => ({
      run: {
        inputs: {},
        env: {},
        ...f.run,
        generator: {
          cores: 4,
          memoryBytes: 1e9,
          timeMs: [0, 1, 2],
          cpuCores: [1, 1, 1],
          machineCores: [1, 1, 1],
          rssBytes: [8.5e8],
        },
      },
    }),
  ],
  ['rate-limited', 'invalid', '20 % 429', (f) => ({ requests: status(f, 429, f.requests.n * 0.2) })],
  ['rate-limited', 'suspect', 'one 429', (f) => ({ requests: status(f, 429, 1) })],
  ['no-answer', 'suspect', 'four refused', (f) => ({ requests: status(f, 0, 4, 1212) })],
  ['exhausted-data', 'suspect', 'a pool ran out', () => ({ counters: { data_exhausted: 3 } })],
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
      objectives: [{ key: 'checks', expression: 'rate>0.9', outcome: 'no samples', limit: 0.9, n: 0, k6: 'passed' }],
    }),
  ],
  [
    'percentile-without-samples',
    'suspect',
    'p99 of 81',
    () => ({
      objectives: [
        {
          key: 'd',
          expression: 'p(99)<1',
          outcome: 'undecided',
          limit: 1,
          n: 81,
          why: 'only 0 of 81 samples lie beyond it',
        },
      ],
    }),
  ],
  [
    'threshold-inside-interval',
    'suspect',
    'limit inside',
    () => ({
      objectives: [
        {
          key: 'd',
          expression: 'p(95)<40',
          outcome: 'undecided',
          limit: 40,
          n: 900,
          value: 39,
          low: 37,
          high: 42,
          why: 'the 95 % interval holds the limit',
        },
      ],
    }),
  ],
  [
    'mix-drift',
    'suspect',
    'browse lost sessions',
    (f) => ({ scenarios: f.scenarios.map((s) => (s.name === 'browse' ? { ...s, finished: s.finished * 0.8 } : s)) }),
  ],
  [
    'popularity-collapse',
    'suspect',
    'one book',
    (f) => ({ run: { inputs: {}, env: {}, ...f.run, popularity: 'single' } }),
  ],
  [
    'popularity-collapse',
    'suspect',
    'one id in ungrouped names',
    (f) => ({ endpoints: [{ name: 'GET /books/1', n: 900 }, { name: 'GET /books/2', n: 50 }, ...f.endpoints] }),
  ],
  [
    'think-time',
    'suspect',
    'closed loop without think time',
    (f) => ({
      plan: closed(f),
      scenarios: [
        {
          name: 'browse',
          finished: 500,
          dropped: 0,
          requests: 500,
          firstSecond: 0,
          lastSecond: 300,
          iteration: { meanMs: 20, p10Ms: 10, p50Ms: 20, p90Ms: 40 },
          requestMs: 20,
        },
      ],
    }),
  ],
  [
    'think-time',
    'suspect',
    'closed loop, everybody thinks 1 s',
    (f) => ({
      plan: closed(f),
      scenarios: [
        {
          name: 'browse',
          finished: 500,
          dropped: 0,
          requests: 500,
          firstSecond: 0,
          lastSecond: 300,
          iteration: { meanMs: 1010, p10Ms: 1005, p50Ms: 1010, p90Ms: 1016 },
          requestMs: 10,
        },
      ],
    }),
  ],
  ['closed-model', 'suspect', 'constant-vus', (f) => ({ plan: closed(f) })],
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
    (f) => ({ iterations: { finished: 0, dropped: 0 }, requests: { ...f.requests, n: 0, statuses: [] } }),
  ],
  ['run-ended', 'invalid', 'script threw at init', (f) => ({ run: { inputs: {}, env: {}, ...f.run, exitCode: 107 } })],
  ['run-ended', 'suspect', 'stopped by a signal', (f) => ({ run: { inputs: {}, env: {}, ...f.run, exitCode: 105 } })],
  ['stopped-early', 'invalid', 'at 10 s of 300', (f) => ({ window: { ...f.window, seconds: 10 } })],
  [
    'scenarios-replaced',
    'invalid',
    '--vus on the command line',
    (f) => ({ run: { inputs: {}, env: {}, ...f.run, argv: ['run', '--vus', '10', 'x.js'] } }),
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
  ['same-host', 'note', 'loopback', (f) => ({ run: { inputs: {}, env: {}, ...f.run, sameHost: true } })],
  ['nothing-asserted', 'note', 'no objective', () => ({ objectives: [] })],
];

const baseLog = {
  path: 'k6.log',
  lines: 1,
  exceptions: 0,
  setupFailed: false,
  ignoredOptions: [],
  vuCeiling: false,
  overridden: false,
  abortedByThreshold: false,
};

function closed(facts: Facts): NonNullable<Facts['plan']> {
  return {
    source: facts.plan?.source ?? '',
    segment: 1,
    seconds: 300,
    maxVUs: 150,
    scenarios: [
      {
        name: 'browse',
        executor: 'constant-vus',
        open: false,
        startSeconds: 0,
        seconds: 300,
        steady: true,
        maxVUs: 150,
      },
    ],
  };
}

describe('rules', () => {
  it('say nothing of a healthy run, and all are judged', () => {
    const verdict = judge(healthy(), limits);
    expect(verdict.reasons).toEqual([]);
    expect(verdict.notJudged).toEqual([]);
    expect(verdict.status).toBe('VALID');
  });

  it.each(BREAKAGES.map(([rule, severity, what, broken]) => ({ rule, severity, what, broken })))(
    '$rule ($severity): $what',
    ({ rule, severity, broken }) => {
      const facts = healthy();
      const verdict = judge({ ...facts, ...broken(facts) }, limits);
      const own = verdict.reasons.filter((reason) => reason.rule === rule);
      expect(own.length).toBeGreaterThan(0);
      expect(own[0]?.severity).toBe(severity);
      expect(own[0]?.remedy.length).toBeGreaterThan(10);
      expect(own[0]?.limit.length).toBeGreaterThan(3);
      if (severity === 'invalid') expect(verdict.status).toBe('INVALID');
      if (severity === 'suspect') expect(verdict.status).not.toBe('VALID');
    },
  );

  it('each has a breakage here and its limits, reason and source as data', () => {
    const broken = new Set(BREAKAGES.map(([rule]) => rule));
    expect(RULES.map((rule) => rule.id).filter((id) => !broken.has(id))).toEqual([]);
    expect(Object.keys(DEFAULT_VALIDITY.rules).sort()).toEqual(RULES.map((rule) => rule.id).sort());
  });

  it('without plan, manifest or log say what they miss instead of guessing', () => {
    const { plan: _plan, run: _run, log: _log, ...facts } = healthy();
    const verdict = judge(facts, limits);
    expect(verdict.status).toBe('VALID');
    expect(verdict.notJudged.map((one) => one.rule)).toEqual(
      expect.arrayContaining(['vu-ceiling', 'rate-achieved', 'generator-cpu', 'options-ignored', 'same-host']),
    );
    for (const { why } of verdict.notJudged) expect(why.length).toBeGreaterThan(15);
  });

  it('201 of 200 iterations is the tick at 0, not a finding', () => {
    const facts = healthy();
    const scenarios = facts.scenarios.map((one) => ({ ...one, finished: one.finished + 1 }));
    expect(judge({ ...facts, scenarios }, limits).reasons).toEqual([]);
  });
});

describe('helpers of rules', () => {
  it('an item is a number or a GUID at the end of the path', () => {
    expect([
      itemOf('GET /books/9781234567897'),
      itemOf('/carts/0f8fad5b-d9cb-469f-a165-70867728950e?x=1'),
      itemOf('GET /books/{isbn}'),
      itemOf('search'),
    ]).toEqual(['9781234567897', '0f8fad5b-d9cb-469f-a165-70867728950e', undefined, undefined]);
  });

  it('query values are hidden, templates stay', () => {
    expect(redact('GET /a?token=abc&q=1#x')).toBe('GET /a?token=…&q=…#x');
    expect(redact('GET /api/books?search=')).toBe('GET /api/books?search=');
    expect(redact('GET /a?id={id}')).toBe('GET /a?id={id}');
  });
});
