/** What every breakage needs. */
import type { Facts, WorkerFacts } from '../../../../tools/verdict/facts.ts';
import type { Severity } from '../../../../tools/verdict/rule.ts';
import { population } from './facts.ts';

export function worker(path: string, more: Partial<WorkerFacts> = {}): WorkerFacts {
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

export type Breakage = readonly [
  rule: string,
  severity: Severity,
  what: string,
  broken: (facts: Facts) => Partial<Facts>,
];

export const status = (facts: Facts, code: number, n: number, errorCode = 1000 + code): Facts['requests'] => ({
  ...facts.requests,
  failed: n,
  noAnswer: code === 0 ? n : 0,
  statuses: [
    { status: 200, errorCode: 0, n: facts.requests.n - n },
    { status: code, errorCode, n },
  ],
});

export const baseLog = {
  path: 'k6.log',
  lines: 1,
  exceptions: 0,
  setupFailed: false,
  ignoredOptions: [],
  vuCeiling: false,
  overridden: false,
  abortedByThreshold: false,
};

export function closed(facts: Facts): NonNullable<Facts['plan']> {
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

export { population };
