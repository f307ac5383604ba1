/** k6's options: which exist, which this engine can honour, and how those of the command line go above the script's. */

import { K6_EXIT } from '../../lib/k6/exit-codes.ts';
import { durationOption } from './duration-option.ts';
import { EngineError } from './engine-error.ts';
import { percentOf } from './metrics/sinks.ts';
import { ALL_SYSTEM_TAGS, DEFAULT_SYSTEM_TAGS } from './outputs/output.ts';
import { namedOptions, RUN_OPTIONS } from './run-options.ts';

type Options = Readonly<Record<string, unknown>>;

const LOAD_OPTIONS = ['scenarios', 'iterations', 'duration', 'stages'];
const PAIRS = [
  ['iterations', 'scenarios'],
  ['duration', 'scenarios'],
  ['stages', 'scenarios'],
  ['iterations', 'stages'],
  ['duration', 'stages'],
] as const;

/**
 * The script's options with those of the environment and the command line above them: load settings there replace all load settings here.
 * @throws EngineError for options that this engine does not have
 */
export function consolidate(script: Options, above: Options, warn: (message: string, error?: string) => void): Options {
  const given = namedOptions(script, (key) =>
    warn('There were unknown fields in the options exported in the script', `json: unknown field "${key}"`),
  );
  const replaces = LOAD_OPTIONS.some((key) => above[key] !== undefined);
  if (given['scenarios'] !== undefined) {
    // k6's own words: the verdict reads them.
    if (replaces) warn('"cli" level configuration overrode scenarios configuration entirely');
    else if ((above['vus'] ?? given['vus']) !== undefined)
      warn(`\`vus=${String(above['vus'] ?? given['vus'])}\` overrides scenarios configuration`);
  }
  const kept = Object.entries(given).filter(([key]) => !(replaces && LOAD_OPTIONS.includes(key)));
  const options: Record<string, unknown> = { ...Object.fromEntries(kept), ...above };
  for (const [one, other] of PAIRS) {
    if (options[one] !== undefined && options[other] !== undefined) {
      throw EngineError.config(`using \`${one}\` and \`${other}\` options simultaneously is not allowed`);
    }
  }
  // `vus` also replaces scenarios.
  if (options['vus'] !== undefined) delete options['scenarios'];
  // With less k6 waits for ever for what it never sends.
  if (typeof options['batch'] === 'number' && options['batch'] < 1) {
    throw EngineError.config('the option "batch" must be at least 1');
  }
  const refused = Object.keys(options).find((key) => isRefused(key, options[key]));
  if (refused !== undefined) throw EngineError.notOffered(`the option "${refused}"`);
  return options;
}

/** A list or an object without anything in it, and `false`, ask for nothing. */
function isRefused(name: string, value: unknown): boolean {
  if (RUN_OPTIONS[name]?.carried !== 'refused' || value === false || value === '' || value === undefined) return false;
  if (name === 'dns') return Object.keys(value as object).some((key) => key !== 'ttl');
  return typeof value !== 'object' || value === null || Object.keys(value).length > 0;
}

export function systemTagsOf(options: Options): ReadonlySet<string> {
  const given = options['systemTags'];
  if (given === undefined || given === null) return new Set(DEFAULT_SYSTEM_TAGS);
  if (!Array.isArray(given)) throw EngineError.config('systemTags must be a list of tag names');
  // Names that are none k6 leaves alone.
  return new Set(given.map(String).filter((tag) => ALL_SYSTEM_TAGS.includes(tag)));
}

export function runTagsOf(options: Options): Record<string, string> {
  const tags = options['tags'];
  if (tags === undefined || tags === null) return {};
  if (typeof tags !== 'object') throw EngineError.config('the option "tags" must be an object');
  return Object.fromEntries(Object.entries(tags).map(([key, value]) => [key, String(value)]));
}

export interface SummarySettings {
  readonly trendStats: readonly string[];
  readonly timeUnit: string;
}

export const DEFAULT_TREND_STATS: readonly string[] = ['avg', 'min', 'med', 'max', 'p(90)', 'p(95)'];

/** @throws EngineError (255, as k6) for a statistic that does not exist */
export function summarySettings(options: Options): SummarySettings {
  const stats = options['summaryTrendStats'] ?? DEFAULT_TREND_STATS;
  if (!Array.isArray(stats)) throw EngineError.config('summaryTrendStats must be a list');
  for (const name of stats.map(String)) {
    if (!['avg', 'min', 'med', 'max', 'count'].includes(name) && Number.isNaN(percentOf(name))) {
      throw new EngineError(`invalid trend stat '${name}'; use avg, min, med, max, count or p(N)`, K6_EXIT.generic);
    }
  }
  const timeUnit = String(options['summaryTimeUnit'] ?? '');
  if (!['', 's', 'ms', 'us'].includes(timeUnit)) {
    throw new EngineError(`invalid summaryTimeUnit '${timeUnit}'; use s, ms or us`, K6_EXIT.generic);
  }
  return { trendStats: stats.map(String), timeUnit };
}

/** A timeout option in ms. */
export function timeoutOf(options: Options, name: 'setupTimeout' | 'teardownTimeout' | 'handleSummaryTimeout'): number {
  const value = options[name];
  return durationOption(value ?? (name === 'handleSummaryTimeout' ? '120s' : '60s'), name);
}
