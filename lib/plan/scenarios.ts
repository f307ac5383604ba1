/** k6 scenarios of a run: one a flow and phase, with the VUs that Little's law asks for. */
import { arrivedBy } from '../k6/ramp.ts';
import { arrivalSteps, metronomeRate, poissonCounts, stepStages } from '../model/arrivals.ts';
import { hashSeed, type Random, sessionRandom } from '../model/random.ts';
import { DRAWN_ENTRY, type DrawnSettings, SESSION_SETTINGS, type SessionSettings } from '../model/session-settings.ts';
import { preallocatedVus, type SessionModel } from '../model/sizing.ts';
import type { Workload } from '../model/workload.ts';
import type { LoadTest } from './load-test.ts';
import type { PlannedFlow, PlannedScenario } from './planned.ts';
import { type PlannedPool, poolEntries } from './pools.ts';
import type { LoadStage, PlannedPhase } from './profiles.ts';
import { timesOf } from './session-times.ts';
import type { Suite } from './suite-facts.ts';
import { endpointEntries, suiteSettings } from './suite-settings.ts';
import { BASE_URL, type Env, read, SESSION_ID, TRACE } from './variable.ts';
import { CACHE, CACHE_TAG, MAX_VUS, PREALLOCATED_VUS, THINK_LAW, VUS, WORKERS } from './variables.ts';

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

export function planScenarios(input: ScenarioInput): PlannedScenario[] {
  const { flows, phases, test } = input;
  const own = suiteSettings(input.suite, input.env);
  const endpoints = endpointEntries(input.suite, input.workload);
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
      const pools = poolEntries(input.pools, flows, i, phases.indexOf(phase), phases.length);
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
            ...(flow.from !== undefined && drawnEntry(input, flow.from, name, rest.sessions)),
          },
        },
      });
    });
  }
  return planned;
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
    thinkTimes: flow.from === undefined ? flow.thinkTimes : {},
    cdnShare: workload.cdnShare,
    identified: read(SESSION_ID, env) === 'on',
    cacheTag: (read(CACHE_TAG, env) || (read(CACHE, env) && 'on')) as SessionSettings['cacheTag'],
    traced: read(TRACE, env) === 'on',
  };
}

/** What VUs of a drawn flow draw by; they hold none of its data. */
function drawnEntry(
  { seed, env }: ScenarioInput,
  from: number,
  scenario: string,
  sessions = 0,
): Record<string, string> {
  const fixed = read(THINK_LAW, env) === 'fixed';
  const settings: DrawnSettings = { from, sessions, base: hashSeed(`${seed}/${scenario}`), ...(fixed && { fixed }) };
  return { [DRAWN_ENTRY]: JSON.stringify(settings) };
}

function draft(input: ScenarioInput, phase: PlannedPhase, flow: PlannedFlow) {
  const { test, workload, seed, think } = input;
  const stages = phase.stages.map((stage) => ({ seconds: stage.seconds, rate: stage.rate * flow.share }));
  const random = sessionRandom(hashSeed(`${seed}/${flow.name}/${phase.phase}/arrivals`), 0);
  const { executor, shift, sessions } = arrivalPattern(input, stages, random);
  // A ramp knows one rate, whatever the profile.
  const rate = test.shape === 'ramp' ? (stages[0] as LoadStage).rate : Math.max(...stages.map((stage) => stage.rate));
  const requests = Object.values(flow.requests).reduce((sum, n) => sum + n, 0);
  const times = timesOf(flow, input.suite, input.timeoutSeconds);
  const workers = read(WORKERS, input.env);
  // Chance does not shrink with the share: four workers need more VUs than one, and k6 deals them out evenly.
  const model: SessionModel = {
    rate: rate / workers,
    requests,
    thinkSeconds: think * times.thinkSeconds,
    latencySeconds: workload.latency.degradedMs / 1000,
    shiftSeconds: shift,
  };
  const longest = shift + think * times.longestThinkSeconds + times.longestWaitSeconds;
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
  // Stages of a profile are multiples of the shortest; those of a log may end within a step.
  const shortest = Math.min(...stages.map((stage) => stage.seconds));
  const even = stages.every((stage) => Math.abs((stage.seconds / shortest) % 1) < ROUNDING);
  const { steps, stepSeconds, shiftSeconds } = arrivalSteps(rate, seconds, even ? shortest : seconds);
  let [time, due, begun, planned] = [0, 0, 0, 0];
  const counts = stages.flatMap((stage) => {
    time += stage.seconds;
    due += stage.rate * stage.seconds;
    const length = Math.round((steps * time) / seconds) - begun;
    // A stage shorter than half a step leaves its sessions to the next one.
    if (length === 0) return [];
    const total = Math.round(due) - planned;
    begun += length;
    planned += total;
    return poissonCounts(total, length, random);
  });
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
