/** k6 scenarios of a run: one a flow and phase, with the VUs that Little's law asks for. */
import { arrivedBy } from '../k6/ramp.ts';
import { arrivalSteps, metronomeRate, poissonCounts, stepStages } from '../model/arrivals.ts';
import type { Endpoint } from '../model/endpoints.ts';
import { hashSeed, type Random, sessionRandom } from '../model/random.ts';
import { SESSION_SETTINGS, type SessionSettings } from '../model/session-settings.ts';
import { preallocatedVus, type SessionModel } from '../model/sizing.ts';
import { thinkTimeMean } from '../model/think-times.ts';
import type { ThinkTimeLaw, Workload } from '../model/workload.ts';
import type { LoadTest } from './load-test.ts';
import type { PlannedFlow, PlannedScenario } from './planned.ts';
import { type PlannedPool, poolEntries } from './pools.ts';
import type { LoadStage, PlannedPhase } from './profiles.ts';
import type { Suite } from './suite-facts.ts';
import { endpointEntries, suiteSettings } from './suite-settings.ts';
import { BASE_URL, type Env, read, SESSION_ID, TRACE } from './variable.ts';
import { CACHE, CACHE_TAG, MAX_VUS, PREALLOCATED_VUS, VUS, WORKERS } from './variables.ts';

export interface ScenarioInput {
  readonly test: LoadTest;
  readonly suite: Suite;
  readonly workload: Workload;
  readonly flows: readonly PlannedFlow[];
  readonly phases: readonly PlannedPhase[];
  readonly arrivals: 'poisson' | 'metronome';
  readonly pools: readonly PlannedPool[];
  readonly think: number;
  readonly seed: string;
  readonly timeoutSeconds: number;
  readonly env: Env;
}

/** maxVUs over what Little's law asks for, unless MAX_VUS says otherwise. */
const HEADROOM = 2;
/** Where an uncapped lognormal think time counts as ended: 1 in 30,000 is longer. */
const LONGEST_SIGMAS = 4;

export function planScenarios(input: ScenarioInput): PlannedScenario[] {
  const { flows, phases, test } = input;
  const own = suiteSettings(input.suite, input.env);
  const endpoints = endpointEntries(input.suite, input.workload);
  const picks = mostPicks(flows);
  const planned: PlannedScenario[] = [];
  const [givenVus, givenMost] = [read(PREALLOCATED_VUS, input.env), read(MAX_VUS, input.env)];
  if (givenVus !== undefined && givenMost !== undefined && givenVus > givenMost) {
    throw new Error(
      `${PREALLOCATED_VUS.name}=${givenVus} is more than ${MAX_VUS.name}=${givenMost}: raise ${MAX_VUS.name} or leave out one of the two`,
    );
  }
  for (const phase of phases) {
    const drafts = flows.map((flow) => draft(input, phase, flow));
    const needs = drafts.map((one) => one.need);
    const preallocated = spread(givenVus, needs, needs, PREALLOCATED_VUS.name);
    const ceilings = spread(
      givenMost,
      needs,
      needs.map((n) => HEADROOM * n),
      MAX_VUS.name,
    );
    drafts.forEach(({ flow, need: _need, executor, shift, gracefulSeconds, ...rest }, i) => {
      const preallocatedVus = Math.min(
        preallocated[i] as number,
        givenMost === undefined ? Infinity : (ceilings[i] as number),
      );
      const maxVus = test.shape === 'closed' ? preallocatedVus : Math.max(preallocatedVus, ceilings[i] as number);
      const name = phase.phase === 'measure' ? flow.name : `${flow.name}_${phase.phase}`;
      const pools = poolEntries(input.pools, picks, planned.length, flows.length * phases.length);
      planned.push({
        name,
        flow: flow.name,
        phase: phase.phase,
        preallocatedVus,
        maxVus,
        ...rest,
        k6: {
          ...executor,
          ...(test.shape !== 'closed' && { preAllocatedVUs: preallocatedVus, maxVUs: maxVus }),
          exec: flow.name,
          startTime: `${phase.startSeconds}s`,
          gracefulStop: `${gracefulSeconds}s`,
          tags: { flow: flow.name, phase: phase.phase },
          env: {
            [SESSION_SETTINGS]: JSON.stringify({ ...own, ...settingsOf(input, flow, name, shift) }),
            ...endpoints,
            ...pools,
          },
        },
      });
    });
  }
  return planned;
}

/** Most rows of each pool that a session of any flow takes. */
function mostPicks(flows: readonly PlannedFlow[]): Record<string, number> {
  const most: Record<string, number> = {};
  for (const { picks } of flows) {
    for (const [pool, n] of Object.entries(picks)) most[pool] = Math.max(most[pool] ?? 0, n);
  }
  return most;
}

function settingsOf(
  { workload, env, seed, think, timeoutSeconds }: ScenarioInput,
  flow: PlannedFlow,
  scenario: string,
  shift: number,
): Omit<SessionSettings, keyof ReturnType<typeof suiteSettings>> {
  return {
    baseUrl: read(BASE_URL, env).replace(/\/+$/, ''),
    timeout: timeoutSeconds,
    scenario,
    base: hashSeed(`${seed}/${scenario}`),
    seed,
    shift,
    think,
    thinkTimes: flow.thinkTimes,
    cdnShare: workload.cdnShare,
    identified: read(SESSION_ID, env) === 'on',
    cacheTag: (read(CACHE_TAG, env) || (read(CACHE, env) && 'on')) as SessionSettings['cacheTag'],
    traced: read(TRACE, env) === 'on',
  };
}

function draft(input: ScenarioInput, phase: PlannedPhase, flow: PlannedFlow) {
  const { test, workload, seed, think, timeoutSeconds } = input;
  const stages = phase.stages.map((stage) => ({ seconds: stage.seconds, rate: stage.rate * flow.share }));
  const random = sessionRandom(hashSeed(`${seed}/${flow.name}/${phase.phase}/arrivals`), 0);
  const { executor, shift, sessions } = arrivalPattern(input, stages, random);
  // A ramp knows one rate, whatever the profile.
  const rate = test.shape === 'ramp' ? (stages[0] as LoadStage).rate : Math.max(...stages.map((stage) => stage.rate));
  const laws = flow.thinks.map((step) => flow.thinkTimes[step] as ThinkTimeLaw);
  const requests = Object.values(flow.requests).reduce((sum, n) => sum + n, 0);
  const workers = read(WORKERS, input.env);
  // Chance does not shrink with the share: four workers need more VUs than one, and k6 deals them out evenly.
  const model: SessionModel = {
    rate: rate / workers,
    requests,
    thinkSeconds: think * laws.reduce((sum, law) => sum + thinkTimeMean(law), 0),
    latencySeconds: workload.latency.degradedMs / 1000,
    shiftSeconds: shift,
  };
  const waits = Object.entries(flow.requests).map(
    ([name, n]) =>
      n *
      longestWait(
        input.suite.endpoints.find((one) => one.name === name),
        timeoutSeconds,
      ),
  );
  const longest =
    shift + think * laws.reduce((sum, law) => sum + longestThink(law), 0) + waits.reduce((sum, wait) => sum + wait, 0);
  return {
    flow,
    rate: test.shape === 'closed' ? 0 : rate,
    seconds: phase.seconds,
    sessions,
    executor,
    shift,
    need: test.shape === 'closed' ? read(VUS, input.env) : workers * preallocatedVus(model, phase.seconds),
    gracefulSeconds: Math.ceil(longest) + 1,
  };
}

/** Sessions by which a sum of products may miss the whole number that it stands for. */
const ROUNDING = 1e-6;

interface Pattern {
  /** Longest random wait of a session, s. */
  readonly shift: number;
  readonly sessions: number | undefined;
  readonly executor: Readonly<Record<string, unknown>>;
}

function arrivalPattern({ test, arrivals, env }: ScenarioInput, stages: readonly LoadStage[], random: Random): Pattern {
  const seconds = stages.reduce((sum, stage) => sum + stage.seconds, 0);
  const duration = milliseconds(seconds);
  if (test.shape === 'closed') {
    return { shift: 0, sessions: undefined, executor: { executor: 'constant-vus', vus: read(VUS, env), duration } };
  }
  const first = stages[0] as LoadStage;
  if (test.shape === 'ramp') return ramp(first.rate, seconds);
  if (arrivals === 'metronome') {
    if (stages.length > 1) return metronomeSteps(stages);
    return {
      shift: 0,
      // The first tick is at 0, so a run of any length has one.
      sessions: Math.ceil(first.rate * seconds - ROUNDING),
      executor: { executor: 'constant-arrival-rate', duration, ...metronomeRate(first.rate) },
    };
  }
  const rate = Math.max(...stages.map((stage) => stage.rate));
  // The other stages are multiples of the shortest.
  const unit = Math.min(...stages.map((stage) => stage.seconds));
  const { steps, stepSeconds, shiftSeconds } = arrivalSteps(rate, seconds, unit);
  const counts = stages.flatMap((stage) =>
    poissonCounts(Math.round(stage.rate * stage.seconds), Math.round((steps * stage.seconds) / seconds), random),
  );
  return {
    shift: shiftSeconds,
    sessions: counts.reduce((sum, count) => sum + count, 0),
    executor: { executor: 'ramping-arrival-rate', ...stepStages(counts, stepSeconds) },
  };
}

/** Evenly spaced arrivals whose rate jumps from stage to stage; per hour, because k6 takes whole rates only. */
function metronomeSteps(load: readonly LoadStage[]): Pattern {
  const hourly = load.map((stage) => Math.max(1, Math.round(stage.rate * 3600)));
  const stages = load.flatMap((stage, i) => {
    const target = hourly[i] as number;
    return [...(i > 0 ? [{ target, duration: '0s' }] : []), { target, duration: milliseconds(stage.seconds) }];
  });
  const executor = { executor: 'ramping-arrival-rate', startRate: hourly[0], timeUnit: '1h', stages };
  return { shift: 0, sessions: Math.floor(arrivedBy(executor) + ROUNDING), executor };
}

/** A quarter of the time from a tenth of the rate to all of it, five eighths there, one eighth down. */
function ramp(rate: number, seconds: number): Pattern {
  const start = rate / 10;
  const stage = (target: number, share: number) => ({
    target: Math.round(target * 60),
    duration: milliseconds(share * seconds),
  });
  const stages = [stage(rate, 0.25), stage(rate, 0.625), stage(start, 0.125)];
  const executor = { executor: 'ramping-arrival-rate', startRate: Math.round(start * 60), timeUnit: '60s', stages };
  return { shift: 0, sessions: Math.floor(arrivedBy(executor) + ROUNDING), executor };
}

const milliseconds = (seconds: number): string => `${Math.round(seconds * 1000)}ms`;

/**
 * `total` spread over the flows by need, at least one each; without a total each gets its fallback.
 * @throws Error when there are fewer VUs than flows
 */
function spread(
  total: number | undefined,
  needs: readonly number[],
  fallback: readonly number[],
  name: string,
): number[] {
  if (total === undefined) return [...fallback];
  if (total < needs.length)
    throw new Error(`${name}=${total} is not valid: the run has ${needs.length} flows, give at least one VU each`);
  const sum = needs.reduce((a, b) => a + b, 0);
  const shares = needs.map((need) => Math.max(1, Math.floor((total * need) / sum)));
  let rest = total - shares.reduce((a, b) => a + b, 0);
  for (let i = 0; rest !== 0; i = (i + 1) % shares.length) {
    const change = rest > 0 ? 1 : (shares[i] as number) > 1 ? -1 : 0;
    shares[i] = (shares[i] as number) + change;
    rest -= change;
  }
  return shares;
}

/** Longest that a request to an endpoint, and what it is led on to, can last, s. */
function longestWait(endpoint: Pick<Endpoint, 'timeout' | 'redirects'> | undefined, timeoutSeconds: number): number {
  return (endpoint?.timeout ?? timeoutSeconds) * (1 + (endpoint?.redirects ?? 0));
}

/** Longest think time of a law that counts, s. */
export function longestThink(law: ThinkTimeLaw): number {
  switch (law.law) {
    case 'fixed':
      return law.value;
    case 'uniform':
      return law.max;
    case 'exponential':
      return law.cap;
    case 'lognormal':
      return Math.min(law.cap ?? Infinity, Math.exp(law.mu + LONGEST_SIGMAS * law.sigma));
    case 'empirical':
      return law.quantiles[law.quantiles.length - 1] as number;
  }
}
