/** Facts of a healthy run, to be broken one thing at a time. */
import type { Facts } from '../../../../tools/verdict/facts.ts';
import type { Population } from '../../../../tools/verdict/populations.ts';

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

export function population(
  endpoint: string,
  statusClass: string,
  n: number,
  p50: number,
  status = Number(statusClass[0]) * 100,
): Population {
  const quantile = (p: number, value: number) => ({ p, value, carried: true, low: value * 0.95, high: value * 1.05 });
  return {
    endpoint,
    statusClass,
    phase: '',
    by: [],
    n,
    statuses: [{ status, errorCode: status >= 400 ? 1000 + status : 0, n }],
    latency: {
      minMs: p50 / 2,
      meanMs: p50 * 1.1,
      maxMs: p50 * 4,
      maxAtMs: 1_795_982_300_000,
      quantiles: [quantile(0.5, p50), quantile(0.9, p50 * 1.6), quantile(0.95, p50 * 2), quantile(0.99, p50 * 3)],
    },
    setup: { blockedMs: 0, connectingMs: 0, tlsMs: 0, waited: 0 },
  };
}

const SECONDS = 300;

/** Five minutes, 20 sessions/s of 3 s, 60 requests/s, nothing wrong. */
export function healthy(): Facts {
  const finished = 20 * SECONDS;
  const requests = 60 * SECONDS;
  const names = ['GET /api/books', 'GET /api/books/{isbn}'];
  return {
    files: [{ path: 'samples.csv', format: 'csv', rows: 100_000, lostRows: 0, lost: [], resolutionMs: 1 }],
    window: { startMs: 1_795_982_260_000, endMs: 1_795_982_260_000 + SECONDS * 1000, seconds: SECONDS },
    plan: {
      source: 'manifest.json',
      segment: 1,
      maxVUs: 150,
      seconds: SECONDS,
      scenarios: [
        {
          name: 'browse',
          executor: 'ramping-arrival-rate',
          open: true,
          startSeconds: 0,
          seconds: SECONDS,
          iterations: 0.7 * finished,
          rate: 14,
          steady: true,
          maxVUs: 100,
          preAllocatedVUs: 100,
        },
        {
          name: 'search',
          executor: 'ramping-arrival-rate',
          open: true,
          startSeconds: 0,
          seconds: SECONDS,
          iterations: 0.3 * finished,
          rate: 6,
          steady: true,
          maxVUs: 50,
          preAllocatedVUs: 50,
        },
      ],
    },
    run: {
      exitCode: 0,
      sameHost: false,
      tls: true,
      inputs: {},
      env: {},
      argv: ['run', 'dist/bookstore-mix.js'],
      popularity: 'power',
      generator: {
        cores: 4,
        memoryBytes: 8e9,
        timeMs: [0, 1000, 2000, 3000],
        cpuCores: [0.5, 0.8, 0.7, 0.6],
        machineCores: [1, 1.2, 1.1, 1],
        rssBytes: [2e8, 3e8, 3e8, 3e8],
      },
    },
    log: { ...baseLog, lines: 10 },
    requests: {
      n: requests,
      failed: 0,
      failedByScript: true,
      noAnswer: 0,
      statuses: [{ status: 200, errorCode: 0, n: requests }],
    },
    endpoints: names.map((name) => ({ name, n: requests / 2 })),
    endpointCount: 2,
    populations: names.map((name) => population(name, '2xx', requests / 2, 20)),
    byStatus: [population('*', '200', requests, 20)],
    blends: [population('*', 'all', requests, 20)],
    failures: [],
    scenarios: [
      {
        name: 'browse',
        finished: 0.7 * finished,
        dropped: 0,
        requests: requests * 0.7,
        firstSecond: 0,
        lastSecond: SECONDS,
        iteration: { meanMs: 3000, p10Ms: 1500, p50Ms: 3000, p90Ms: 4500 },
        requestMs: 80,
      },
      {
        name: 'search',
        finished: 0.3 * finished,
        dropped: 0,
        requests: requests * 0.3,
        firstSecond: 0,
        lastSecond: SECONDS,
        iteration: { meanMs: 3000, p10Ms: 1500, p50Ms: 3000, p90Ms: 4500 },
        requestMs: 80,
      },
    ],
    iterations: { finished, dropped: 0 },
    vus: Array.from({ length: SECONDS }, (_, second) => ({ second, value: 58 + (second % 5) })),
    vusMax: Array.from({ length: SECONDS }, (_, second) => ({ second, value: 150 })),
    seconds: Array.from({ length: SECONDS }, (_, second) => ({
      second,
      requests: 60,
      failed: 0,
      iterations: 20,
      dropped: 0,
    })),
    gaps: [],
    bins: Array.from({ length: 20 }, (_, bin) => ({
      second: bin * 15,
      n: 900,
      relative: 1 + 0.02 * (((bin * 7) % 5) - 2),
    })),
    checks: { passed: requests, failed: 0 },
    counters: {},
    objectives: [
      {
        key: 'http_req_duration',
        expression: 'p(95)<300',
        outcome: 'kept',
        limit: 300,
        n: requests,
        value: 40,
        low: 39,
        high: 41,
      },
    ],
    tagKeys: ['flow', 'phase'],
    ambiguousRows: 0,
    notFinite: 0,
    workers: [],
    summaryOnly: false,
  };
}
