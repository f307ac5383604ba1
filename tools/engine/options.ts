/** k6's options: which exist, which this engine can honour, and how those of the command line go above the script's. */

import { K6_EXIT } from '../../lib/k6/exit-codes.ts';
import { durationOption } from './duration-option.ts';
import { EngineError } from './engine-error.ts';
import { percentOf } from './metrics/sinks.ts';
import { ALL_SYSTEM_TAGS, DEFAULT_SYSTEM_TAGS } from './outputs/output.ts';

/** Options that have a meaning here. */
const OFFERED = [
  'scenarios',
  'vus',
  'iterations',
  'duration',
  'stages',
  'thresholds',
  'tags',
  'systemTags',
  'executionSegment',
  'executionSegmentSequence',
  'setupTimeout',
  'teardownTimeout',
  'handleSummaryTimeout',
  'discardResponseBodies',
  'maxRedirects',
  'batch',
  'batchPerHost',
  'userAgent',
  'throw',
  'insecureSkipTLSVerify',
  'noConnectionReuse',
  'noVUConnectionReuse',
  'noCookiesReset',
  'noSetup',
  'noTeardown',
  'summaryTrendStats',
  'summaryTimeUnit',
] as const;

/** Options without effect on the load or the numbers; taken and left alone. */
const HARMLESS = ['ext', 'cloud', 'dns', 'httpDebug', 'noUsageReport', 'setupData', 'consoleOutput'];

/** Options that would change the load and that this engine does not have. */
const REFUSED = [
  'rps',
  'minIterationDuration',
  'hosts',
  'localIPs',
  'blacklistIPs',
  'blockHostnames',
  'tlsAuth',
  'tlsCipherSuites',
  'tlsVersion',
  'paused',
];

type Options = Readonly<Record<string, unknown>>;

const LOAD_OPTIONS = ['scenarios', 'iterations', 'duration', 'stages'];

/**
 * The script's options with those of the command line above them: load settings there replace all load settings here.
 * @throws EngineError for options that this engine does not have
 */
export function consolidate(script: Options, above: Options, warn: (message: string, error?: string) => void): Options {
  const known: readonly string[] = [...OFFERED, ...HARMLESS, ...REFUSED];
  for (const key of Object.keys(script)) {
    if (!known.includes(key))
      warn('There were unknown fields in the options exported in the script', `json: unknown field "${key}"`);
  }
  const replaces = LOAD_OPTIONS.some((key) => above[key] !== undefined);
  if (script['scenarios'] !== undefined && script['scenarios'] !== null) {
    // k6's own words: the verdict reads them.
    if (replaces) warn('"cli" level configuration overrode scenarios configuration entirely');
    else if (above['vus'] !== undefined) warn(`\`vus=${String(above['vus'])}\` overrides scenarios configuration`);
  }
  const kept = Object.entries(script).filter(
    ([key, value]) => known.includes(key) && value !== null && !(replaces && LOAD_OPTIONS.includes(key)),
  );
  const options: Record<string, unknown> = { ...Object.fromEntries(kept), ...above };
  // `--vus` alone also replaces the script's scenarios.
  if (above['vus'] !== undefined && !replaces) delete options['scenarios'];
  // With less k6 waits for ever for what it never sends.
  if (typeof options['batch'] === 'number' && options['batch'] < 1) {
    throw EngineError.config('the option "batch" must be at least 1');
  }
  for (const key of REFUSED) {
    const value = options[key];
    if (value !== undefined && value !== null && value !== false && value !== 0)
      throw EngineError.notOffered(`the option "${key}"`);
  }
  return options;
}

export function systemTagsOf(options: Options): ReadonlySet<string> {
  const given = options['systemTags'];
  if (given === undefined || given === null) return new Set(DEFAULT_SYSTEM_TAGS);
  if (!Array.isArray(given)) throw EngineError.config('systemTags must be a list of tag names');
  for (const tag of given) {
    if (!ALL_SYSTEM_TAGS.includes(String(tag))) throw EngineError.config(`"${String(tag)}" is not a valid system tag`);
  }
  return new Set(given.map(String));
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

const DEFAULT_TREND_STATS = ['avg', 'min', 'med', 'max', 'p(90)', 'p(95)'];

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
