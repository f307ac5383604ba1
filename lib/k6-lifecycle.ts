// Touches k6: gives the life cycle what k6 offers in VU 0; held by no other VU.
import type exec from 'k6/execution';
import type http from 'k6/http';
import type { Counter } from 'k6/metrics';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import type { LoadTest } from './plan/load-test.ts';
import type { SuiteDefinition } from './plan/suite-definition.ts';
import type { SummaryData } from './summary/data.ts';

/** Modules of k6 and of the session that the bundle holds anyway: this file is read as text and cannot import them. */
export interface BundleModules {
  readonly exec: typeof exec;
  readonly http: typeof http;
  readonly Counter: typeof Counter;
  /** Rows of all pools. */
  readonly rows: readonly unknown[];
  /** Text of a document of the build. */
  readonly read: (name: string) => string;
  readonly text: ((data: SummaryData, options: { indent: string; enableColors: boolean }) => string) | undefined;
}

const SETUP_REQUEST_TIMEOUT = 10_000;

/** What the build writes beside the bundles, with the suite's definition. @throws string, one sentence */
export const k6Lifecycle = (
  suite: SuiteDefinition,
  test: LoadTest,
  { exec, http, Counter, rows, read, text }: BundleModules,
): Lifecycle =>
  createLifecycle({
    test,
    suite,
    env: __ENV,
    readData: (name) => JSON.parse(read(name)),
    rowAt: (index) => rows[index],
    request: (method, url, body, headers, name) => {
      // As in a session, no redirect is followed: it could lead to a host that ALLOW_TARGET does not name.
      const answer = http.request(method, url, body, {
        responseType: 'text',
        timeout: SETUP_REQUEST_TIMEOUT,
        redirects: 0,
        // What an answer means is for the suite to say; a status that it asked for is no failed request of the run.
        responseCallback: http.expectedStatuses({ min: 100, max: 599 }),
        tags: { name },
        headers: { ...headers },
      });
      return { status: answer.status, body: answer.body };
    },
    options: () => exec.test.options as never,
    makeCounter: (name) => void new Counter(name),
    abort: (sentence) => exec.test.abort(sentence),
    warn: (sentence) => console.warn(sentence),
    say: (sentence) => console.error(sentence),
    text,
  });
