/** What every breakage needs. */
import type { Facts, RunFacts, WorkerFacts } from '../../../../tools/verdict/facts.ts';
import type { Severity } from '../../../../tools/verdict/rule.ts';
import { baseLog, population } from './facts.ts';

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

/** A console text that counts so many finished iterations. */
export const counted = (finished: number): Partial<Facts> => ({
  log: {
    ...baseLog,
    console: { outputs: [], finished, ended: true, stopped: [], thresholds: [], logged: true, withoutErrors: false },
  },
});

export const status = (facts: Facts, code: number, n: number, errorCode = 1000 + code): Facts['requests'] => ({
  ...facts.requests,
  failed: n,
  noAnswer: code === 0 ? n : 0,
  statuses: [
    { status: 200, errorCode: 0, n: facts.requests.n - n },
    { status: code, errorCode, n },
  ],
});

/** What is known of the run, and something more. */
export function ran(facts: Facts, more: Partial<RunFacts>): RunFacts {
  return { inputs: {}, env: {}, ...facts.run, ...more };
}

/** A run whose generator was watched three times. */
export function generator(
  facts: Facts,
  watched: Omit<NonNullable<RunFacts['generator']>, 'timeMs'>,
): Pick<Facts, 'run'> {
  return { run: ran(facts, { generator: { timeMs: [0, 1, 2], ...watched } }) };
}

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

/** A closed loop, its 500 iterations as long as told, of which `requestMs` are requests. */
export function looping(
  facts: Facts,
  iteration: NonNullable<Facts['scenarios'][number]['iteration']>,
  requestMs: number,
): Pick<Facts, 'plan' | 'scenarios'> {
  const ran = { finished: 500, dropped: 0, requests: 500, firstSecond: 0, lastSecond: 300 };
  return { plan: closed(facts), scenarios: [{ name: 'browse', ...ran, iteration, requestMs }] };
}

export { baseLog, population };
