/** The plan of a run: workload, `-e` variables and objectives become k6 options. */

import { durationSeconds } from '../k6/duration.ts';
import { aggregateName, thresholdOf } from '../k6/threshold.ts';
import type { AnyFlow } from '../model/flow.ts';
import { statusClassOf } from '../model/names.ts';
import { thinkTimeMean } from '../model/think-times.ts';
import { DEFAULT_WORKLOAD, type Workload, workloadFile } from '../model/workload.ts';
import { type FlowRecord, recordFlow } from './flow-record.ts';
import type { LoadTest } from './load-test.ts';
import { compileObjectives, type Objectives, type Scope, type Thresholds } from './objectives.ts';
import { ownValues } from './own-variables.ts';
import type { Plan, PlannedFlow } from './planned.ts';
import { planPools } from './pools.ts';
import { type LoadStage, type Profile, phasesOf } from './profiles.ts';
import { planScenarios } from './scenarios.ts';
import type { Suite } from './suite-facts.ts';
import { type Env, read, SEED, THINK, TIMEOUT } from './variable.ts';
import {
  ARRIVALS,
  CACHE,
  DURATION,
  PROFILE,
  RATE,
  SHARES,
  THINK_LAW,
  THRESHOLDS,
  VARIABLES,
  WARMUP,
} from './variables.ts';

const TREND_STATS = ['count', 'avg', 'min', 'med', 'p(90)', 'p(95)', 'p(99)', 'max'];
/**
 * k6's default without `url`, which repeats `name` for every request of the suite, and without what only gRPC and WebSocket
 * samples have. A ninth tag on a sample makes k6 build a larger table for each (a seventh of the cost of a CSV line).
 */
const SYSTEM_TAGS =
  'proto status method name group check error error_code tls_version scenario expected_response'.split(' ');
/** Warm-up of CACHE=warm, s: one and a half lives of a cached answer; after one, the first rush would run out as the measuring begins. */
const WARM_SECONDS = 90;
/** k6's executors take no shorter duration, s. */
const SHORTEST_PHASE = 1;

/**
 * @param objectives checked objectives by file name
 * @throws Error with one sentence for a variable or a combination of them that cannot be
 */
export function makePlan(
  test: LoadTest,
  suite: Suite,
  workload: Workload,
  env: Env,
  objectives: Readonly<Record<string, Objectives>>,
): Plan {
  for (const variable of VARIABLES) read(variable, env);
  const profile = read(PROFILE, env) as Profile;
  const cache = read(CACHE, env) as Plan['cache'];
  const warmupSeconds = read(WARMUP, env) ?? (cache === 'warm' ? WARM_SECONDS : 0);
  if (warmupSeconds > 0 && warmupSeconds < SHORTEST_PHASE) {
    throw new Error(`WARMUP=${env[WARMUP.name]} is not valid: give 0s for none, or at least ${SHORTEST_PHASE}s`);
  }
  if (cache === 'cold' && warmupSeconds > 0) {
    throw new Error(`CACHE=cold and WARMUP=${env[WARMUP.name]} exclude each other: leave out one of the two`);
  }
  const flows = plannedFlows(test, suite, workload, env);
  const phases = phasesOf({
    profile,
    rate: test.rate ?? workload.arrivals.rate * ownShare(test, workload),
    givenRate: read(RATE, env),
    givenSeconds: read(DURATION, env),
    warmupSeconds,
    ...(test.seconds !== undefined && { seconds: test.seconds }),
    ...(profile === 'log' && { log: logStages(test, workload) }),
  });
  const arrivals = (read(ARRIVALS, env) || test.arrivals || workload.arrivals.process) as Plan['arrivals'];
  const think = read(THINK, env);
  const seed = read(SEED, env);
  const timeoutSeconds = read(TIMEOUT, env);
  const pools = planPools(suite.definition.pools ?? {}, suite.facts.pools, workload, env);
  const scenarios = planScenarios({
    test,
    workload,
    flows,
    phases,
    arrivals,
    suite,
    pools,
    think,
    seed,
    timeoutSeconds,
    env,
  });

  const measured = scenarios.filter((one) => one.phase === 'measure');
  if (measured.every((one) => one.sessions === 0)) {
    const rate = measured.reduce((sum, one) => sum + one.rate, 0);
    const seconds = measured[0]?.seconds;
    throw new Error(
      `the run plans no session: ${+rate.toPrecision(3)} a second for ${seconds} s; raise ${RATE.name} or ${DURATION.name}`,
    );
  }

  const given = read(THRESHOLDS, env);
  // A suite need not have objectives of their own for a cache state or the smoke profile.
  const fitting = [cache, profile === 'smoke' ? profile : ''].find((name) => ownValue(objectives, name) !== undefined);
  const thresholdsName = given || fitting || (test.thresholds ?? 'default');
  // What a user types may be the name of something that every object has.
  const chosen = ownValue(objectives, thresholdsName);
  if (chosen === undefined) {
    const names = Object.keys(objectives).join(', ');
    throw new Error(
      `THRESHOLDS=${thresholdsName} is not valid: give one of ${names}, or add thresholds/${thresholdsName.replace(/\.json$/, '')}.json and build`,
    );
  }
  const called = [...new Set(flows.flatMap((flow) => Object.keys(flow.requests)))];
  const sure = new Set(flows.flatMap((flow) => surelyCalled(flow, measured)));
  const requests = suite.endpoints.map(({ name }) => name);
  const scope: Scope = {
    endpoints: called,
    rare: called.filter((name) => !sure.has(name)),
    classes: Object.fromEntries(
      suite.endpoints
        .filter(({ expected }) => expected.length > 0)
        .map(({ name, expected }) => [name, expected.map((status) => statusClassOf(status) ?? '')]),
    ),
    steps: called.filter((name) => !requests.includes(name)),
    counters: Object.keys(suite.definition.counters ?? {}),
    flows: flows.map((flow) => flow.name),
    scenarios: measured.map((one) => one.name),
    narrowed: given === '',
    warmsUp: warmupSeconds > 0,
  };
  const thresholds = compileObjectives(chosen, scope);
  return {
    test,
    profile,
    cache,
    seed,
    think,
    timeoutSeconds,
    arrivals,
    pools,
    flows,
    scenarios,
    thresholdsName,
    scope,
    options: {
      scenarios: Object.fromEntries(scenarios.map((one) => [one.name, one.k6])),
      thresholds,
      // No hop is followed: it could lead to a host that ALLOW_TARGET does not name, and the 3xx answer is what is measured.
      maxRedirects: 0,
      setupTimeout: '60s',
      summaryTrendStats: trendStats(thresholds),
      systemTags: SYSTEM_TAGS,
    },
  };
}

/** What the summary shows of a Trend, and what objectives speak of, so that it can say what they were judged on. */
function trendStats(thresholds: Thresholds): string[] {
  const named = Object.values(thresholds).flatMap((list) =>
    list.map((one) => {
      const parsed = thresholdOf(one.threshold);
      return parsed?.percentile === undefined ? 'max' : aggregateName(parsed);
    }),
  );
  return [...new Set([...TREND_STATS, ...named])];
}

const ownValue = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;

/** The rate of the log that the workload was made of. @throws Error when it has none, or none above 0 */
function logStages(test: LoadTest, { arrivals }: Workload): LoadStage[] {
  const stages = (arrivals.stages ?? []).map(({ duration, target }) => ({
    seconds: durationSeconds(duration) ?? 0,
    rate: target,
  }));
  if (!stages.some(({ rate }) => rate > 0)) {
    const file = workloadFile(test.workload ?? DEFAULT_WORKLOAD);
    throw new Error(
      `${PROFILE.name}=log is not possible: ${file} has no arrivals.stages; write it with traffic --out from a longer log`,
    );
  }
  return stages;
}

/** Share of the workload's sessions that the scenario's flows have; flows of its own have all. */
function ownShare({ flows, own }: LoadTest, workload: Workload): number {
  if (own) return 1;
  let sum = 0;
  for (const name of Object.keys(flows)) sum += ownValue(workload.flows, name)?.share ?? 0;
  return sum;
}

function plannedFlows(test: LoadTest, suite: Suite, workload: Workload, env: Env): PlannedFlow[] {
  const text = read(SHARES, env);
  const given = text === '' ? undefined : parseShares(text, Object.keys(test.flows));
  const known = test.own ?? workload.flows;
  const source = test.own ? `scenarios/${test.name}.ts` : workloadFile(test.workload ?? DEFAULT_WORKLOAD);
  const planned = Object.entries(test.flows).map(([name, flow]) => {
    const model = ownValue(known, name);
    if (model === undefined)
      throw new Error(`${source} has no flow "${name}": add it or take it out of scenarios/${test.name}.ts`);
    const record = recorded(name, flow, suite, workload, model, env);
    for (const step of record.thinks) {
      if (ownValue(model.thinkTimes, step) === undefined) {
        throw new Error(`${source} has no think time "${step}" for the flow ${name}: add it`);
      }
    }
    const from = record.drawn && suite.facts.drawnRows?.[test.own ? '' : (test.workload ?? DEFAULT_WORKLOAD)]?.[name];
    if (record.drawn !== undefined && from === undefined) {
      throw new Error(`the flow ${name} is drawn, and the build has no rows of it in ${source}: build the suite again`);
    }
    const thinkTimes = read(THINK_LAW, env) === 'fixed' ? fixed(model.thinkTimes) : model.thinkTimes;
    return {
      name,
      share: given ? (ownValue(given, name) ?? 0) : model.share,
      thinkTimes,
      ...(from !== undefined && { from }),
      ...record,
    };
  });
  const total = planned.reduce((sum, flow) => sum + flow.share, 0);
  return planned.filter((flow) => flow.share > 0).map((flow) => ({ ...flow, share: flow.share / total }));
}

/** Fewer requests than these may by chance be none: the probability is exp(-10), one in 20,000. */
const SURELY_SENT = 10;

/** Endpoints that sessions of a flow are sure to call. */
function surelyCalled(flow: PlannedFlow, measured: Plan['scenarios']): string[] {
  const { sessions = Infinity } = measured.find((one) => one.flow === flow.name) ?? {};
  return Object.entries(flow.requests)
    .filter(([, n]) => flow.drawn === undefined || n * sessions >= SURELY_SENT)
    .map(([name]) => name);
}

/** The same think times without chance: each its mean. */
function fixed(laws: PlannedFlow['thinkTimes']): PlannedFlow['thinkTimes'] {
  const means = Object.entries(laws).map(([step, law]) => [step, { law: 'fixed', value: thinkTimeMean(law) }] as const);
  return Object.fromEntries(means);
}

function recorded(
  name: string,
  flow: AnyFlow,
  suite: Suite,
  { endpoints }: Workload,
  model: Workload['flows'][string],
  env: Env,
): FlowRecord {
  const rows = Object.fromEntries(Object.entries(suite.facts.pools).map(([pool, { example }]) => [pool, example]));
  const variables = ownValues(suite.definition.variables, env);
  try {
    const said = { ...(endpoints !== undefined && { endpoints }), flow: model };
    return recordFlow(flow, { endpoints: suite.endpoints, rows, variables, workload: said });
  } catch (error) {
    // Of what the flow's own code throws, an answer without content is the likely cause.
    const reads = error instanceof TypeError || error instanceof SyntaxError;
    const remedy = reads ? ': give the endpoints whose answers it reads an `example`' : '';
    throw new Error(`the flow ${name} cannot be counted (${(error as Error).message})${remedy}`);
  }
}

function parseShares(text: string, flows: readonly string[]): Record<string, number> {
  const shares: Record<string, number> = {};
  for (const part of text.split(',')) {
    const [name = '', value = ''] = part.split('=').map((piece) => piece.trim());
    const share = /^\d*\.?\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!flows.includes(name) || !(share >= 0) || Object.hasOwn(shares, name)) {
      throw new Error(
        `SHARES=${text} is not valid at "${part}": give each of ${flows.join(', ')} once at most, as in ${flows[0]}=0.6`,
      );
    }
    shares[name] = share;
  }
  if (!Object.values(shares).some((share) => share > 0))
    throw new Error(`SHARES=${text} is not valid: one share must be above 0`);
  return shares;
}
