// Touches k6: what a file of `scenarios/` exports: options, set-up, summary.
import exec from 'k6/execution';
import http from 'k6/http';
import type { createLifecycle, Lifecycle } from './lifecycle.ts';
import type { LoadTest } from './plan/load-test.ts';
import type { SuiteDefinition } from './plan/suite-definition.ts';
import { counter } from './session/metrics.ts';
import { rowAt } from './session/pools.ts';
import { externalSummary } from './summary/external-text.ts';

/** What the build writes beside the bundles: an expression that gives this. */
interface LifecycleFile {
  readonly createLifecycle: typeof createLifecycle;
  readonly suite: SuiteDefinition;
}

const SETUP_REQUEST_TIMEOUT = 10_000;
const NOTHING: { readonly [K in keyof Lifecycle]: Lifecycle[K] | undefined } = {
  options: undefined,
  setup: undefined,
  handleSummary: undefined,
};

/**
 * Options, set-up and summary of a load test, whose file exports all three and, under its name, each flow as `sessionOf` runs it.
 * k6 reads options, sets up and sums up in VUs with the number 0; in the others, which only run sessions, nothing is made, and
 * the file with the plan, the pre-flight and the suite's definition is not even read: 14 kB of code at top level cost a VU 90 kB.
 */
export const loadTest = (test: LoadTest): typeof NOTHING => {
  if (__VU !== 0) return NOTHING;
  const { createLifecycle: create, suite } = new Function(`return ${open('./lib/lifecycle.js')}`)() as LifecycleFile;
  return create({
    test,
    suite,
    env: __ENV,
    readData: (name) => JSON.parse(open(`./data/${name}.json`)),
    rowAt,
    request: (method, url, body, headers, name) => {
      // As in a session, no redirect is followed: it could lead to a host that ALLOW_TARGET does not name.
      const params = {
        responseType: 'text',
        timeout: SETUP_REQUEST_TIMEOUT,
        redirects: 0,
        tags: { name },
        headers,
      } as const;
      const answer = http.request(method, url, body, { ...params, headers: { ...headers } });
      return { status: answer.status, body: answer.body };
    },
    options: () => exec.test.options as never,
    makeCounter: counter,
    abort: (sentence) => exec.test.abort(sentence),
    warn: (sentence) => console.warn(sentence),
    say: (sentence) => console.error(sentence),
    text: externalSummary,
  });
};
