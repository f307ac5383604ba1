/** Scenarios as k6's options describe them: shortcuts, defaults and checks, ending in plain numbers. */
import { largest } from '../../lib/model/extremes.ts';
import { durationOption } from './duration-option.ts';
import { EngineError } from './engine-error.ts';
import { wholeNumber } from './run-options.ts';

export interface Stage {
  /** Milliseconds. */
  readonly duration: number;
  readonly target: number;
}

interface Common {
  readonly name: string;
  readonly exec: string;
  /** Milliseconds after the start of the load. */
  readonly startTime: number;
  /** Milliseconds that running iterations are left after the regular end. */
  readonly gracefulStop: number;
  readonly env: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
}

/** One scenario; times in ms, rates per `timeUnit`. */
export type Scenario = Common &
  (
    | ({ readonly executor: 'constant-arrival-rate'; readonly rate: number; readonly duration: number } & ArrivalVus)
    | ({
        readonly executor: 'ramping-arrival-rate';
        readonly startRate: number;
        readonly stages: readonly Stage[];
      } & ArrivalVus)
    | { readonly executor: 'constant-vus'; readonly vus: number; readonly duration: number }
    | {
        readonly executor: 'ramping-vus';
        readonly startVUs: number;
        readonly stages: readonly Stage[];
        readonly gracefulRampDown: number;
      }
    | {
        readonly executor: 'per-vu-iterations';
        readonly vus: number;
        readonly iterations: number;
        readonly maxDuration: number;
      }
    | {
        readonly executor: 'shared-iterations';
        readonly vus: number;
        readonly iterations: number;
        readonly maxDuration: number;
      }
  );

interface ArrivalVus {
  readonly timeUnit: number;
  readonly preAllocatedVUs: number;
  readonly maxVUs: number;
}

export type ScenarioOf<E extends Scenario['executor']> = Extract<Scenario, { executor: E }>;

const COMMON_FIELDS = ['executor', 'startTime', 'gracefulStop', 'env', 'exec', 'tags', 'options'];
const ARRIVAL_FIELDS = ['timeUnit', 'preAllocatedVUs', 'maxVUs'];
const FIELDS: Readonly<Record<Scenario['executor'], readonly string[]>> = {
  'constant-arrival-rate': [...ARRIVAL_FIELDS, 'rate', 'duration'],
  'ramping-arrival-rate': [...ARRIVAL_FIELDS, 'startRate', 'stages'],
  'constant-vus': ['vus', 'duration'],
  'ramping-vus': ['startVUs', 'stages', 'gracefulRampDown'],
  'per-vu-iterations': ['vus', 'iterations', 'maxDuration'],
  'shared-iterations': ['vus', 'iterations', 'maxDuration'],
};

type Fields = Readonly<Record<string, unknown>>;

/**
 * Scenarios of the options, shortcuts (`vus`, `iterations`, `duration`, `stages`) resolved as k6 does.
 * @throws EngineError (exit code 104)
 */
export function scenariosOf(options: Fields, warn: (message: string) => void): Scenario[] {
  return Object.entries(scenarioOptions(options, warn)).map(([name, fields]) => parse(name, fields as Fields));
}

/** The `scenarios` that shortcuts stand for, or those that were given, as they were written. */
export function scenarioOptions(options: Fields, warn: (message: string) => void): Fields {
  const { scenarios, vus, iterations, duration, stages } = options;
  const one = (executor: Scenario['executor'], fields: Fields) => ({ default: { executor, ...fields } });
  const own = given(vus) ? { vus } : {};
  if (given(iterations))
    return one('shared-iterations', { ...own, iterations, ...(given(duration) && { maxDuration: duration }) });
  if (given(duration)) {
    if (durationOption(duration, 'duration') <= 0)
      throw EngineError.config('the option "duration" must be more than 0');
    return one('constant-vus', { ...own, duration });
  }
  const ramps = Array.isArray(stages) && stages.some((stage) => given((stage as Fields)?.['duration']));
  if (ramps) {
    return one('ramping-vus', { ...(given(vus) && { startVUs: vus }), stages });
  }
  if (given(vus) && !given(stages)) return one('shared-iterations', { vus, iterations: vus });
  if (given(scenarios)) {
    if (typeof scenarios !== 'object' || scenarios === null || Array.isArray(scenarios))
      throw EngineError.config('scenarios must be an object');
    if (Object.keys(scenarios).length > 0) return scenarios as Fields;
  }
  const empty = given(stages) ? 'stages' : given(scenarios) ? 'scenarios' : undefined;
  if (empty !== undefined)
    warn(`\`${empty}\` was explicitly set to an empty value, running the script with 1 iteration in 1 VU`);
  return one('per-vu-iterations', {});
}

const given = (value: unknown) => value !== undefined && value !== null;

function parse(name: string, written: Fields): Scenario {
  if (written === null || typeof written !== 'object') throw EngineError.config(`scenario ${name} must be an object`);
  if (!/^[0-9A-Za-z_-]+$/.test(name)) {
    throw EngineError.config(`scenario ${name}: its name should hold letters, digits, underscores and dashes only`);
  }
  const fields = inKnownCase(written);
  const executor = fields['executor'];
  if (executor === undefined) throw EngineError.config(`scenario ${name} doesn't have a specified executor type`);
  if (typeof executor !== 'string' || !(executor in FIELDS)) {
    throw EngineError.config(`unknown executor type '${String(executor)}' of scenario ${name}`);
  }
  const type = executor as Scenario['executor'];
  for (const key of Object.keys(fields)) {
    if (!COMMON_FIELDS.includes(key) && !FIELDS[type].includes(key)) {
      throw EngineError.config(`scenario ${name}: json: unknown field "${key}"`);
    }
  }
  if (given(fields['options'])) throw EngineError.notOffered(`the field "options" of scenario ${name}`);
  return { ...common(name, fields), ...executorFields(name, type, fields) } as Scenario;
}

/** Go reads names of fields in any case. */
export function inKnownCase(fields: Fields): Fields {
  const known = [...COMMON_FIELDS, ...Object.values(FIELDS).flat()];
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      known.find((name) => name.toLowerCase() === key.toLowerCase()) ?? key,
      value,
    ]),
  );
}

function common(name: string, fields: Fields): Common {
  return {
    name,
    exec: given(fields['exec']) ? String(fields['exec']) : 'default',
    startTime: time(name, fields, 'startTime', 0),
    gracefulStop: time(name, fields, 'gracefulStop', 30_000),
    env: texts(fields['env']),
    tags: texts(fields['tags']),
  };
}

function executorFields(name: string, executor: Scenario['executor'], fields: Fields): Record<string, unknown> {
  switch (executor) {
    case 'constant-arrival-rate':
      return {
        executor,
        ...arrivalVus(name, fields),
        rate: count(name, fields, 'rate', undefined, 1),
        duration: time(name, fields, 'duration', undefined, 1000),
      };
    case 'ramping-arrival-rate':
      return {
        executor,
        ...arrivalVus(name, fields),
        startRate: count(name, fields, 'startRate', 0, 0),
        stages: stagesOf(name, fields),
      };
    case 'constant-vus':
      return {
        executor,
        vus: count(name, fields, 'vus', 1, 1),
        duration: time(name, fields, 'duration', undefined, 1000),
      };
    case 'ramping-vus':
      return {
        executor,
        startVUs: count(name, fields, 'startVUs', 1, 0),
        stages: stagesOf(name, fields),
        gracefulRampDown: time(name, fields, 'gracefulRampDown', 30_000),
      };
    case 'per-vu-iterations':
    case 'shared-iterations': {
      const vus = count(name, fields, 'vus', 1, 1);
      const iterations = count(name, fields, 'iterations', 1, 1);
      if (executor === 'shared-iterations' && iterations < vus) {
        throw EngineError.config(
          `scenario ${name}: the number of iterations (${iterations}) can't be less than the number of VUs (${vus})`,
        );
      }
      return { executor, vus, iterations, maxDuration: time(name, fields, 'maxDuration', 600_000, 1000) };
    }
  }
}

function arrivalVus(name: string, fields: Fields): ArrivalVus {
  const preAllocatedVUs = count(name, fields, 'preAllocatedVUs', undefined, 0);
  const maxVUs = count(name, fields, 'maxVUs', preAllocatedVUs, 1);
  if (maxVUs < preAllocatedVUs) {
    throw EngineError.config(`scenario ${name}: maxVUs can't be less than preAllocatedVUs`);
  }
  return { preAllocatedVUs, maxVUs, timeUnit: time(name, fields, 'timeUnit', 1000, 1e-6) };
}

function stagesOf(name: string, fields: Fields): Stage[] {
  const stages = fields['stages'];
  if (!Array.isArray(stages) || stages.length === 0) {
    throw EngineError.config(`scenario ${name}: at least one stage has to be specified`);
  }
  return stages.map((stage: Fields, i) => {
    const place = `${name}: stage ${i + 1}`;
    return {
      duration: time(place, stage, 'duration', undefined, 0),
      target: count(place, stage, 'target', undefined, 0),
    };
  });
}

function count(name: string, fields: Fields, key: string, fallback: number | undefined, least: number): number {
  const value = given(fields[key]) ? fields[key] : fallback;
  if (value === undefined) throw EngineError.config(`scenario ${name}: ${key} is required`);
  const number = wholeNumber(value);
  if (number === undefined) {
    throw EngineError.config(`scenario ${name}: ${key} must be a whole number, not ${JSON.stringify(value)}`);
  }
  if (number < least) throw EngineError.config(`scenario ${name}: ${key} must be at least ${least}`);
  return number;
}

function time(name: string, fields: Fields, key: string, fallback: number | undefined, least = 0): number {
  const value = given(fields[key]) ? fields[key] : fallback;
  if (value === undefined) throw EngineError.config(`scenario ${name}: ${key} is required`);
  const ms = durationOption(value, `${key} of scenario ${name}`);
  if (ms < least) throw EngineError.config(`scenario ${name}: ${key} must be at least ${least} ms`);
  return ms;
}

function texts(value: unknown): Record<string, string> {
  if (value === null || typeof value !== 'object') return {};
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, String(item)]));
}

/** Regular length of a scenario, ms, without gracefulStop. */
export function regularDuration(scenario: Scenario): number {
  switch (scenario.executor) {
    case 'constant-arrival-rate':
    case 'constant-vus':
      return scenario.duration;
    case 'ramping-arrival-rate':
    case 'ramping-vus':
      return scenario.stages.reduce((sum, stage) => sum + stage.duration, 0);
    default:
      return scenario.maxDuration;
  }
}

/** Most VUs of a scenario: those made before the start, and those that it may grow to. */
export function vusOf(scenario: Scenario): { planned: number; most: number } {
  switch (scenario.executor) {
    case 'constant-arrival-rate':
    case 'ramping-arrival-rate':
      return { planned: scenario.preAllocatedVUs, most: scenario.maxVUs };
    case 'ramping-vus': {
      const most = largest(
        scenario.stages.map((stage) => stage.target),
        scenario.startVUs,
      );
      return { planned: most, most };
    }
    default:
      return { planned: scenario.vus, most: scenario.vus };
  }
}
