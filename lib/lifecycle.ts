/**
 * What a run needs once (its plan, the pre-flight, the summary), apart from what every VU holds: the build puts this module, all
 * that it imports and the suite's definition into one file, which virtual users never read, so that it costs them no memory.
 */
import { segmentShare } from './k6/segment.ts';
import type { Workload } from './model/workload.ts';
import { type Environments, environmentOf } from './plan/environments.ts';
import type { LoadTest } from './plan/load-test.ts';
import { checkNames } from './plan/misspelt.ts';
import type { Objectives } from './plan/objectives.ts';
import { headersOf, ownValues, ownVariables, requireSecrets } from './plan/own-variables.ts';
import { makePlan } from './plan/plan.ts';
import type { K6Options, Plan } from './plan/planned.ts';
import { answersAtAll, type SetupRequest, type TargetAnswer, type TargetFacts } from './plan/preflight.ts';
import type { SetupTools, SuiteDefinition } from './plan/suite-definition.ts';
import { type SuiteFacts, suiteOf } from './plan/suite-facts.ts';
import { checkHosts, checkProxy, checkRedirects, checkTarget, withoutUser } from './plan/target.ts';
import { BASE_URL, type Env, read } from './plan/variable.ts';
import { ALLOW_TARGET, JUNIT_XML, PREFLIGHT, SUMMARY_JSON } from './plan/variables.ts';
import type { SummaryData } from './summary/data.ts';
import type { SetupTime } from './summary/planned-load.ts';
import { summarise } from './summary/report.ts';

/** What the life cycle needs of k6. */
export interface LifecycleInput {
  readonly test: LoadTest;
  readonly suite: SuiteDefinition;
  readonly env: Env;
  /** A checked document of `dist/data/`. */
  readonly readData: (name: string) => unknown;
  /** Row by its place among those of all pools. */
  readonly rowAt: (index: number) => unknown;
  readonly request: (
    method: string,
    url: string,
    body: string | null,
    headers: Readonly<Record<string, string>>,
    name: string,
  ) => TargetAnswer;
  /** k6's options as they are once the run has begun. */
  readonly options: () => {
    readonly executionSegment?: unknown;
    readonly hosts?: unknown;
    readonly maxRedirects?: unknown;
  };
  /** Makes a Counter, for which the init of VU 0 is enough where no flow of the test adds to it. */
  readonly makeCounter: (name: string) => void;
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

/** What set-up hands over: what the target said, how long it took, and what the suite gives its sessions. */
export interface SetupData extends SetupTime {
  readonly target?: TargetFacts;
  readonly shared?: unknown;
}

/** @throws string, one sentence: k6 prints a thrown text as it is, and a user's mistake needs no stack */
export function createLifecycle(input: LifecycleInput): Lifecycle {
  const { warn } = input;
  try {
    const env = environmentOf(input.env, input.readData('environments') as Environments);
    const baseUrl = read(BASE_URL, env).replace(/\/+$/, '');
    const own = ownVariables(input.suite.variables);
    checkNames(
      env,
      own.map(({ name }) => name),
    );
    checkTarget(baseUrl, read(ALLOW_TARGET, env));
    checkSummaryFiles(env);
    const { test } = input;
    const facts = input.readData('suite') as SuiteFacts;
    const suite = suiteOf(input.suite, facts);
    const workload = input.readData(test.workload === undefined ? 'workload' : `${test.workload}-workload`) as Workload;
    const plan = makePlan(test, suite, workload, env, input.readData('thresholds') as Record<string, Objectives>);
    for (const name of Object.keys(input.suite.counters ?? {})) input.makeCounter(name);
    const tools = setupTools(input, env, facts, baseUrl);

    const setup = (): SetupData | undefined => {
      const start = Date.now();
      try {
        const { hosts, maxRedirects } = input.options();
        requireSecrets(input.suite.variables, env);
        checkHosts(baseUrl, hosts, read(ALLOW_TARGET, env));
        checkProxy(baseUrl, input.env);
        checkRedirects(maxRedirects);
        const asked = read(PREFLIGHT, env) === 'on';
        const target = asked
          ? (input.suite.preflight ?? answersAtAll)({
              plan,
              env,
              baseUrl: withoutUser(baseUrl),
              variables: tools.variables,
              rows: tools.rows,
              row: tools.row,
              request: setupRequest(input, env, baseUrl, 'pre-flight'),
              warn: (sentence) => warn(`pre-flight: ${sentence}`),
            })
          : undefined;
        const shared = input.suite.setup?.(tools);
        return {
          ...(target !== undefined && { target }),
          ...(shared !== undefined && { shared }),
          setupSeconds: (Date.now() - start) / 1000,
        };
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
    const counters = input.suite.counters ?? {};
    return {
      options: plan.options,
      setup,
      handleSummary: (data) =>
        summarise(
          data,
          { plan: ownPart(plan, segmentShare(input.options().executionSegment)), env, baseUrl, counters },
          other,
        ),
    };
  } catch (error) {
    throw (error as Error).message;
  }
}

/** @throws Error with one sentence for summary files that would not be files, or one file */
function checkSummaryFiles(env: Env): void {
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
}

function setupTools(
  input: LifecycleInput,
  env: Env,
  { pools }: Pick<SuiteFacts, 'pools'>,
  baseUrl: string,
): SetupTools {
  const pool = (name: string) => {
    const found = pools[name];
    if (found === undefined) throw new Error(`the suite has no pool "${name}"`);
    return found;
  };
  return {
    variables: ownValues(input.suite.variables, env),
    rows: (name) => pool(name).rows,
    row: (name, index) => {
      const { from, column } = pool(name);
      const row = input.rowAt(from + index);
      return column === undefined ? row : { [column]: row };
    },
    request: setupRequest(input, env, baseUrl, 'set-up'),
  };
}

/** @param name of its requests in samples */
const setupRequest =
  (input: LifecycleInput, env: Env, baseUrl: string, name: string): SetupRequest =>
  (method, path, { json, body, headers = {} } = {}) => {
    // Anything else could make another host of the URL.
    if (path[0] !== '/') throw new Error(`${name} asks for "${path}": a path begins with /`);
    const type = json === undefined ? {} : { 'Content-Type': 'application/json' };
    const sent = json === undefined ? (body ?? null) : JSON.stringify(json);
    return input.request(method, baseUrl + path, sent, { ...type, ...headersOf(input.suite, env), ...headers }, name);
  };

/** The plan with the sessions of this worker: k6 deals them out in turn, so a share is right to one session or so. */
export function ownPart(plan: Plan, share: number): Plan {
  if (share === 1) return plan;
  const scenarios = plan.scenarios.map(({ sessions, ...rest }) => ({
    ...rest,
    sessions: sessions === undefined ? undefined : Math.floor(sessions * share),
  }));
  return { ...plan, scenarios, workerShare: share };
}
