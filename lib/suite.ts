// Touches k6: what a scenario file is made of: options, set-up, summary.

import exec from 'k6/execution';
import http from 'k6/http';
import { lifecycle } from './lazy-lifecycle.ts';
import type { K6Options } from './plan/plan.ts';
import type { Spec } from './plan/spec.ts';
import { BOOKS, bookAt } from './session/pools.ts';
import type { SummaryData } from './summary/data.ts';
import { externalSummary } from './summary/external-text.ts';

export interface Suite {
  readonly options: K6Options | undefined;
  readonly setup: (() => unknown) | undefined;
  readonly handleSummary: ((data: SummaryData) => Record<string, string>) | undefined;
}

const PREFLIGHT_TIMEOUT = 10_000;

/**
 * Options, set-up and summary of a scenario file, which exports all three and, under its name, each flow as `sessionOf` runs it.
 * k6 reads options, sets up and sums up in VUs with the number 0; in the others, which only run sessions, nothing is made.
 */
export const suite = (spec: Spec): Suite => {
  if (__VU !== 0) return NOTHING;
  return lifecycle().createSuite({
    spec,
    env: __ENV,
    readData: (name) => JSON.parse(open(`./data/${name}.json`)),
    catalogue: { books: BOOKS, book: bookAt },
    request: (method, url) => {
      // As in a session, no redirect is followed: it could lead to a host that ALLOW_TARGET does not name.
      const tags = { name: 'pre-flight' };
      const params = { responseType: 'text', timeout: PREFLIGHT_TIMEOUT, redirects: 0, tags } as const;
      const { status, body } = http.request(method, url, null, params);
      return { status, body };
    },
    segment: () => exec.test.options.executionSegment,
    abort: (sentence) => exec.test.abort(sentence),
    warn: (sentence) => console.warn(sentence),
    say: (sentence) => console.error(sentence),
    text: externalSummary,
  });
};

const NOTHING: Suite = { options: undefined, setup: undefined, handleSummary: undefined };
