/** The options of a run as `exec.test.options` shows them: all names, null where nothing was said. */
import { durationOption } from './duration-option.ts';
import { DEFAULT_TREND_STATS } from './options.ts';
import { DEFAULT_SYSTEM_TAGS } from './outputs/output.ts';
import { RUN_OPTIONS, wholeNumber } from './run-options.ts';
import { inKnownCase, type Scenario, scenarioOptions } from './scenarios.ts';

type Fields = Readonly<Record<string, unknown>>;

export function shownOptions(options: Fields): Fields {
  const names = Object.entries(RUN_OPTIONS).filter(([name, { hidden }]) => hidden !== true || name === 'cloud');
  return Object.fromEntries(
    names
      .filter(([name]) => name !== 'cloud' || given(options['cloud']))
      .map(([name, { kind }]) => [name, shownOption(name, kind === 'duration', options)]),
  );
}

function shownOption(name: string, isDuration: boolean, options: Fields): unknown {
  const value = options[name];
  switch (name) {
    case 'scenarios':
      return shownScenarios(options);
    case 'dns':
      return { ttl: null, select: null, policy: null, ...(value as object | undefined) };
    case 'summaryTrendStats':
      return value ?? DEFAULT_TREND_STATS;
    case 'systemTags':
      return value ?? [...DEFAULT_SYSTEM_TAGS].sort();
    case 'thresholds':
      return given(value) ? shownThresholds(value as Fields) : null;
    default:
      if (!given(value)) return null;
      return isDuration ? goDuration(durationOption(value, name)) : value;
  }
}

const shownThresholds = (thresholds: Fields) =>
  Object.fromEntries(
    Object.entries(thresholds).map(([key, list]) => [
      key,
      Array.isArray(list)
        ? list.map((one: unknown) =>
            typeof one === 'object' ? { threshold: '', abortOnFail: false, delayAbortEval: null, ...one } : one,
          )
        : list,
    ]),
  );

const given = (value: unknown) => value !== undefined && value !== null;

/** Scenarios as `exec.test.options` shows them: all fields, null where nothing was said. */
function shownScenarios(options: Fields): Record<string, Fields> {
  return Object.fromEntries(
    Object.entries(scenarioOptions(options, () => undefined)).map(([name, written]) => {
      const fields = inKnownCase(written as Fields);
      const executor = fields['executor'] as Scenario['executor'];
      const { executor: _, ...others } = fields;
      const names = [...SHOWN_FIRST, ...(given(fields['options']) ? ['options'] : []), ...SHOWN[executor]];
      return [name, { executor, ...Object.fromEntries(names.map((key) => [key, shown(key, others[key])])) }];
    }),
  );
}

const SHOWN_FIRST = ['startTime', 'gracefulStop', 'env', 'exec', 'tags'];
const SHOWN: Readonly<Record<Scenario['executor'], readonly string[]>> = {
  'constant-arrival-rate': ['rate', 'timeUnit', 'duration', 'preAllocatedVUs', 'maxVUs'],
  'ramping-arrival-rate': ['startRate', 'timeUnit', 'stages', 'preAllocatedVUs', 'maxVUs'],
  'constant-vus': ['vus', 'duration'],
  'ramping-vus': ['startVUs', 'stages', 'gracefulRampDown'],
  'per-vu-iterations': ['vus', 'iterations', 'maxDuration'],
  'shared-iterations': ['vus', 'iterations', 'maxDuration'],
};
const DURATIONS: ReadonlySet<string> = new Set([
  'startTime',
  'gracefulStop',
  'timeUnit',
  'duration',
  'gracefulRampDown',
  'maxDuration',
]);

function shown(key: string, value: unknown): unknown {
  if (!given(value)) return null;
  if (DURATIONS.has(key)) return goDuration(durationOption(value, key));
  if (key !== 'stages') return wholeNumber(value) ?? value;
  return (value as Fields[]).map(({ duration, target }) => ({
    duration: shown('duration', duration),
    target: shown('target', target),
  }));
}

/** A duration as Go writes it: `1m30s`, `1.5s`, `500ms`. @param ms milliseconds */
function goDuration(ms: number): string {
  if (ms === 0) return '0s';
  if (Math.abs(ms) < 1000) return Math.abs(ms) < 1 ? `${ms * 1000}µs` : `${ms}ms`;
  const seconds = Math.abs(ms) / 1000;
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Number((seconds % 60).toFixed(9))];
  return `${ms < 0 ? '-' : ''}${h > 0 ? `${h}h` : ''}${h > 0 || m > 0 ? `${m}m` : ''}${s}s`;
}
