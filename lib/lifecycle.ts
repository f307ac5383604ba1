/**
 * What a run needs once (its plan, the pre-flight, the summary), apart from what every VU holds: the build wraps this module
 * and all that it imports in one function, which VUs never call, so that it costs them no memory.
 */

import { type Answer, type BookList, checkTarget, preflight } from '../scenarios/bookstore/preflight.ts';
import { segmentShare } from './k6/segment.ts';
import { popularitySampler } from './model/popularity.ts';
import type { Workload } from './model/workload.ts';
import { checkNames } from './plan/misspelt.ts';
import type { Objectives } from './plan/objectives.ts';
import { type K6Options, makePlan, type Plan } from './plan/plan.ts';
import type { Spec } from './plan/spec.ts';
import { BASE_URL, type Env, POPULARITY, read } from './plan/variable.ts';
import { ALLOW_TARGET, JUNIT_XML, PREFLIGHT, SUMMARY_JSON } from './plan/variables.ts';
import type { SummaryData } from './summary/data.ts';
import type { SetupTime } from './summary/due.ts';
import { summarise } from './summary/report.ts';

/** What the life cycle needs of k6. */
export interface LifecycleInput {
  readonly spec: Spec;
  readonly env: Env;
  /** A checked document of `dist/data/`. */
  readonly readData: (name: string) => unknown;
  readonly catalogue: BookList;
  readonly request: (method: string, url: string) => Answer;
  /** k6's `executionSegment`, which is known only once the run has begun. */
  readonly segment: () => unknown;
  /** Ends the run with a sentence. */
  readonly abort: (sentence: string) => void;
  readonly warn: (sentence: string) => void;
  /** Says why the run ends. */
  readonly say: (sentence: string) => void;
  /** Text summary in place of ours. */
  readonly text: ((data: SummaryData, options: { indent: string; enableColors: boolean }) => string) | undefined;
}

export interface Lifecycle {
  readonly options: K6Options;
  readonly setup: () => unknown;
  readonly handleSummary: (data: SummaryData) => Record<string, string>;
}

/** @throws string, one sentence: k6 prints a thrown text as it is, and a user's mistake needs no stack */
export function createSuite(input: LifecycleInput): Lifecycle {
  const { spec, env, catalogue, warn } = input;
  try {
    const baseUrl = read(BASE_URL, env).replace(/\/+$/, '');
    checkNames(env);
    checkTarget(baseUrl, read(ALLOW_TARGET, env));
    for (const variable of [SUMMARY_JSON, JUNIT_XML]) {
      const file = read(variable, env);
      // To k6 these are no files: what is written there takes the place of the summary in the terminal.
      if (file !== '' && /^\s*(stdout|stderr)?\s*$/.test(file)) {
        throw new Error(
          `${variable.name}=${file} is no file name to k6: give one such as ./${variable.name.toLowerCase().replace('_', '.')}`,
        );
      }
    }
    const file = read(SUMMARY_JSON, env);
    if (file !== '' && file === read(JUNIT_XML, env)) {
      throw new Error(`${SUMMARY_JSON.name} and ${JUNIT_XML.name} are both ${file}: give each a file of its own`);
    }
    const workload = input.readData(spec.workload === undefined ? 'workload' : `${spec.workload}-workload`) as Workload;
    const made = makePlan(spec, workload, env, input.readData('thresholds') as Record<string, Objectives>);
    const plan: Plan = /^\d{13}$/.test(catalogue.book(0)) ? made : { ...made, things: 'items' };

    checkPopularity(plan, catalogue.books);

    const setup = () => {
      if (read(PREFLIGHT, env) === 'off') return undefined;
      const start = Date.now();
      const request = (method: string, path: string) => input.request(method, baseUrl + path);
      try {
        const status = preflight({
          plan,
          env,
          baseUrl,
          catalogue,
          request,
          warn: (sentence) => warn(`pre-flight: ${sentence}`),
        });
        return { ...status, setupSeconds: (Date.now() - start) / 1000 } satisfies SetupTime;
      } catch (error) {
        const reason = `pre-flight: ${(error as Error).message}`;
        // k6 gives its own line only after the summary; the reason comes first.
        input.say(reason);
        input.abort(reason);
        return undefined;
      }
    };
    const { text } = input;
    const other = text && ((data: SummaryData) => text(data, { indent: ' ', enableColors: false }));
    return {
      options: plan.options,
      setup,
      handleSummary: (data) => summarise(data, ownPart(plan, segmentShare(input.segment())), env, baseUrl, other),
    };
  } catch (error) {
    throw (error as Error).message;
  }
}

/** The plan with the sessions of this worker: k6 deals them out in turn, so a share is right to one session or so. */
export function ownPart(plan: Plan, share: number): Plan {
  if (share === 1) return plan;
  const scenarios = plan.scenarios.map(({ sessions, ...rest }) => ({
    ...rest,
    sessions: sessions === undefined ? undefined : Math.floor(sessions * share),
  }));
  return { ...plan, scenarios, workerShare: share };
}

/** @throws Error with one sentence for a law that does not fit the data */
function checkPopularity({ popularity }: Plan, books: number): void {
  if (popularity === 'once') return;
  try {
    popularitySampler(popularity, books);
  } catch (error) {
    throw new Error(`${(error as Error).message}: give another ${POPULARITY.name} or a data file that it fits`);
  }
}
