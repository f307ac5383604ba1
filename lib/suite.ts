// Touches k6: what a scenario file is made of: options, set-up, flows as sessions, summary.

import exec from 'k6/execution';
import http from 'k6/http';
import { books } from './catalogue.ts';
import { BASE_URL, read } from './env.ts';
import { externalSummary } from './external-summary.ts';
import { office } from './lazy-office.ts';
import type { Objectives } from './objectives.ts';
import type { K6Options, Plan } from './plan.ts';
import type { Answer } from './preflight.ts';
import { sessions } from './session.ts';
import type { Spec } from './spec.ts';
import type { SummaryData } from './summary/populations.ts';
import type { Flow } from './visit.ts';
import type { Workload } from './workload.ts';

/** A spec as a scenario file gives it: the workload straight from its JSON file, which the build has checked. */
export type ScenarioSpec = Omit<Spec, 'workload'> & { readonly workload: object };

export interface Suite {
  readonly options: K6Options | undefined;
  readonly setup: () => unknown;
  readonly handleSummary: (data: SummaryData) => Record<string, string>;
  /** The function that runs sessions of a flow; export it under the flow's name. */
  readonly session: (flow: string) => () => void;
}

const PREFLIGHT_TIMEOUT = 10_000;

export function suite(given: ScenarioSpec): Suite {
  const spec = given as Spec;
  const workload: Workload = spec.workload;
  const run = sessions(workload);
  const known = spec.own ?? workload.flows;
  const session = (flow: string) => run(known[flow]?.thinkTimes ?? {}, spec.flows[flow] as Flow);
  // k6 reads options, sets up and sums up in VUs with the number 0; the others only run sessions.
  if (__VU !== 0) return { options: undefined, setup: () => undefined, handleSummary: () => ({}), session };

  const { makePlan, checkTarget, preflight, summarise, ALLOW_TARGET, PREFLIGHT } = office();
  const baseUrl = read(BASE_URL, __ENV);
  const plan: Plan = sentence(() => {
    checkTarget(baseUrl, read(ALLOW_TARGET, __ENV));
    return makePlan(spec, __ENV, JSON.parse(open('./data/thresholds.json')) as Record<string, Objectives>);
  });

  function setup(): unknown {
    if (read(PREFLIGHT, __ENV) === 'off') return undefined;
    try {
      return preflight({
        plan,
        env: __ENV,
        baseUrl,
        books,
        request,
        warn: (text) => console.warn(`pre-flight: ${text}`),
      });
    } catch (error) {
      return exec.test.abort(`pre-flight: ${(error as Error).message}`);
    }
  }

  function request(method: string, path: string): Answer {
    const { status, body } = http.request(method, baseUrl.replace(/\/+$/, '') + path, null, {
      responseType: 'text',
      timeout: PREFLIGHT_TIMEOUT,
      tags: { name: 'pre-flight' },
    });
    return { status, body };
  }

  const text = externalSummary && ((data: SummaryData) => externalSummary?.(data, { indent: ' ' }) ?? '');
  const handleSummary = (data: SummaryData) => summarise(data, plan, __ENV, baseUrl, text);
  return { options: plan.options, setup, handleSummary, session };
}

/** A thrown text, unlike an error, is printed by k6 as it is: a user's mistake needs no stack. */
function sentence<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw (error as Error).message;
  }
}
