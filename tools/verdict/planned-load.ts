/**
 * What the run was meant to do: from the options as k6 saw them (manifest, `k6 inspect`), or from a few words on the
 * command line for foreign runs. `vus_max` says nothing of this: it counts VUs that were made, not those allowed.
 */

import { bareSeconds, durationSeconds } from '../../lib/k6/duration.ts';
import { type RampStage, rampArea } from '../../lib/k6/ramp.ts';
import { segmentShare } from '../../lib/k6/segment.ts';
import { largest } from '../../lib/model/extremes.ts';
import { EXIT } from '../base/exit-codes.ts';
import { plainText } from '../base/input-file.ts';
import { optional } from '../base/optional.ts';
import { UserError } from '../base/user-error.ts';
import { isObject } from './summary.ts';

export interface ScenarioLoad {
  readonly name: string;
  readonly executor: string;
  /** Arrivals do not wait for answers. */
  readonly open: boolean;
  /** Seconds after the start of the test. */
  readonly startSeconds: number;
  /** Planned length without gracefulStop, seconds. */
  readonly seconds?: number;
  /** Iterations planned over the whole length, where the executor plans them. */
  readonly iterations?: number;
  /** Highest planned arrival rate, iterations per second. */
  readonly rate?: number;
  /** Whether the rate is meant to be the same all the time (one-second steps of random arrivals count as the same). */
  readonly steady: boolean;
  readonly maxVUs?: number;
  readonly preAllocatedVUs?: number;
  /** When k6 gives up on a batch job, seconds after its start. */
  readonly maxSeconds?: number;
  /** `phase` tag of the scenario's samples. */
  readonly phase?: string;
}

/** Whether a scenario works off a fixed number of iterations: a batch job, and no model of users. */
export function isBatch({ executor }: Pick<ScenarioLoad, 'executor'>): boolean {
  return executor === 'shared-iterations' || executor === 'per-vu-iterations';
}

export interface PlannedLoad {
  readonly source: string;
  readonly scenarios: readonly ScenarioLoad[];
  readonly maxVUs?: number;
  /** From the start to the last scenario's planned end, seconds. */
  readonly seconds?: number;
  /** k6 holds a VU at least this long an iteration, s; `iteration_duration` does not show it. */
  readonly minIterationSeconds?: number;
  /** Requests a second that k6 sends at most; the others wait before they are sent. */
  readonly rps?: number;
  /** Share of the whole load that this worker was given (1 without segments). */
  readonly segment: number;
}

const WORDS = ['rate', 'duration', 'maxVUs', 'preAllocatedVUs', 'vus', 'iterations'] as const;

/** `rate=50,duration=4s,maxVUs=30`: one open scenario (or a closed one with `vus=`). Throws `UserError`. */
export function loadFromWords(words: string): PlannedLoad {
  const values = new Map<string, number>();
  for (const word of words.split(',')) {
    const [key = '', text = ''] = word.split('=').map((part) => part.trim());
    if (!WORDS.includes(key as (typeof WORDS)[number])) {
      throw new UserError(`--plan "${words}": unknown word "${key}"; known are ${WORDS.join(', ')}`);
    }
    const number = key === 'duration' ? bareSeconds(text) : Number(text);
    if (number === undefined || !Number.isFinite(number) || number < 0 || text === '') {
      throw new UserError(
        `--plan "${words}": "${text}" is no ${key === 'duration' ? 'duration such as 5m' : 'number'}`,
      );
    }
    values.set(key, number);
  }
  const rate = values.get('rate');
  const seconds = values.get('duration');
  const maxVUs = values.get('maxVUs') ?? (rate === undefined ? undefined : values.get('preAllocatedVUs'));
  const iterations =
    values.get('iterations') ?? (rate === undefined || seconds === undefined ? undefined : rate * seconds);
  const closed = values.has('vus');
  return {
    source: '--plan',
    segment: 1,
    ...optional('maxVUs', maxVUs),
    ...optional('seconds', seconds),
    scenarios: [
      {
        name: '*',
        executor: !closed ? 'constant-arrival-rate' : iterations === undefined ? 'constant-vus' : 'shared-iterations',
        open: !closed,
        startSeconds: 0,
        steady: true,
        ...optional('seconds', seconds),
        ...optional('iterations', iterations),
        ...optional('rate', rate),
        ...optional('maxVUs', maxVUs),
        ...optional('preAllocatedVUs', values.get('preAllocatedVUs')),
      },
    ],
  };
}

/** The plan in k6's consolidated options. Throws `UserError` (exit 3) when there are no scenarios in them. */
export function loadFromOptions(options: unknown, source: string, requirements?: { maxVUs: number }): PlannedLoad {
  const scenarios = isObject(options) ? options['scenarios'] : undefined;
  if (!isObject(scenarios) || !isObject(options)) {
    throw new UserError(
      `${source}: no scenarios in these options; give the output of k6 inspect --execution-requirements`,
      EXIT.noVerdict,
    );
  }
  const segment = segmentShare(options['executionSegment']);
  const plans = Object.entries(scenarios).flatMap(([name, scenario]) =>
    isObject(scenario) ? [scenarioPlan(name, scenario, segment)] : [],
  );
  const ends = plans.map((plan) => (plan.seconds === undefined ? undefined : plan.startSeconds + plan.seconds));
  const maxVUs = requirements?.maxVUs ?? total(plans.map((plan) => plan.maxVUs));
  return {
    source,
    scenarios: plans,
    segment,
    ...optional('maxVUs', maxVUs),
    ...optional('minIterationSeconds', seconds(options['minIterationDuration'])),
    ...optional('rps', typeof options['rps'] === 'number' && options['rps'] > 0 ? options['rps'] : undefined),
    ...optional(
      'seconds',
      ends.includes(undefined)
        ? undefined
        : largest(
            ends.map((end) => end ?? 0),
            0,
          ),
    ),
  };
}

function scenarioPlan(name: string, options: Record<string, unknown>, segment: number): ScenarioLoad {
  const executor = plainText(options['executor'] ?? '');
  const number = (key: string) => (typeof options[key] === 'number' ? options[key] : undefined);
  const unit = seconds(options['timeUnit']) ?? 1;
  const stages = (Array.isArray(options['stages']) ? options['stages'] : []).filter(isObject).map((stage) => ({
    duration: seconds(stage['duration']) ?? 0,
    target: typeof stage['target'] === 'number' ? stage['target'] / unit : 0,
  }));
  const tags = options['tags'];
  const phase = isObject(tags) && typeof tags['phase'] === 'string' ? tags['phase'] : undefined;
  const common = {
    name,
    executor,
    startSeconds: seconds(options['startTime']) ?? 0,
    ...optional('phase', phase),
    ...optional('preAllocatedVUs', scaled(number('preAllocatedVUs'), segment)),
  };
  const maxVUs = scaled(number('maxVUs') ?? number('preAllocatedVUs'), segment);
  switch (executor) {
    case 'constant-arrival-rate': {
      const rate = ((number('rate') ?? 0) / unit) * segment;
      const length = seconds(options['duration']) ?? 0;
      return {
        ...common,
        open: true,
        steady: true,
        seconds: length,
        rate,
        iterations: rate * length,
        ...optional('maxVUs', maxVUs),
      };
    }
    case 'ramping-arrival-rate': {
      const ramp = rampOf((number('startRate') ?? 0) / unit, stages);
      return {
        ...common,
        open: true,
        steady: ramp.steady,
        seconds: ramp.seconds,
        rate: ramp.rate * segment,
        iterations: ramp.area * segment,
        ...optional('maxVUs', maxVUs),
      };
    }
    case 'shared-iterations':
    case 'per-vu-iterations': {
      const each = number('iterations') ?? 1;
      const vus = number('vus') ?? 1;
      const all = executor === 'shared-iterations' ? each : each * vus;
      return {
        ...common,
        open: false,
        steady: true,
        iterations: all * segment,
        // k6's default.
        maxSeconds: seconds(options['maxDuration']) ?? 600,
        ...optional('maxVUs', scaled(vus, segment)),
      };
    }
    default: {
      const vus =
        executor === 'ramping-vus'
          ? largest(
              stages.map((stage) => stage.target * unit),
              number('startVUs') ?? 1,
            )
          : number('vus');
      const length =
        executor === 'ramping-vus'
          ? stages.reduce((sum, stage) => sum + stage.duration, 0)
          : seconds(options['duration']);
      return {
        ...common,
        open: false,
        steady: executor !== 'ramping-vus',
        ...optional('seconds', length),
        ...optional('maxVUs', scaled(vus, segment)),
      };
    }
  }
}

/** Area under the rate, its highest value, and whether it is one rate with random one-second counts around it. */
function rampOf(startRate: number, stages: readonly RampStage[]) {
  let rate = startRate;
  let length = 0;
  let highest = startRate;
  const flat: { seconds: number; rate: number }[] = [];
  let sloped = 0;
  for (const stage of stages) {
    length += stage.duration;
    if (stage.duration > 0) {
      if (Math.abs(stage.target - rate) < 1e-9) flat.push({ seconds: stage.duration, rate });
      else sloped += stage.duration;
    }
    rate = stage.target;
    highest = Math.max(highest, rate);
  }
  const area = rampArea(startRate, stages);
  const mean = length === 0 ? 0 : area / length;
  const steady = sloped <= 0.01 * length && onlyChance(flat);
  return { area, seconds: length, rate: steady ? mean : highest, steady };
}

/**
 * Whether steps of constant rate differ by no more than random arrivals do: n arrivals in a step of s seconds have a
 * deviation of sqrt(n), so the step's rate one of sqrt(rate / s). Steps that only end a schedule (far shorter than the
 * others) do not count.
 */
function onlyChance(steps: readonly { seconds: number; rate: number }[]): boolean {
  const typical = [...steps].sort((a, b) => a.seconds - b.seconds)[Math.floor(steps.length / 2)]?.seconds ?? 1;
  const kept = steps.filter((step) => step.seconds >= typical / 2);
  const length = kept.reduce((sum, step) => sum + step.seconds, 0);
  const mean = kept.reduce((sum, step) => sum + step.rate * step.seconds, 0) / Math.max(length, 1e-9);
  const spread = Math.sqrt(
    kept.reduce((sum, step) => sum + step.seconds * (step.rate - mean) ** 2, 0) / Math.max(length, 1e-9),
  );
  return kept.length <= 1 || spread <= 2 * Math.sqrt(mean / typical);
}

function seconds(value: unknown): number | undefined {
  return typeof value === 'number' || typeof value === 'string' ? durationSeconds(value) : undefined;
}

function scaled(value: number | undefined, segment: number): number | undefined {
  return value === undefined ? undefined : segment === 1 ? value : Math.ceil(value * segment);
}

function total(values: readonly (number | undefined)[]): number | undefined {
  return values.includes(undefined) || values.length === 0
    ? undefined
    : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}
