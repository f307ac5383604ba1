/** How a run ended, beyond its exit code: whether it went to its end, whether load was sent, which kind of limit was crossed. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { NOT_STARTED, TO_THE_END } from '../../lib/k6/exit-codes.ts';
import { VALIDITY } from '../../lib/plan/objectives.ts';
import { documentText } from '../base/input-file.ts';
import type { EngineResult } from './engine.ts';
import { withoutGuards } from './thresholds.ts';

/** Codes of runs that somebody stopped: over the REST API, by a signal. */
const STOPPED: readonly number[] = [103, 105];

/** `complete`: to its end; `interrupted`: stopped or killed from outside; `aborted`: refused or given up by itself. */
export type Ending = 'complete' | 'interrupted' | 'aborted';

export function endingOf({ exitCode, signal }: EngineResult, interrupted: boolean): Ending {
  if (interrupted || signal !== null || STOPPED.includes(exitCode) || exitCode === 137) return 'interrupted';
  return TO_THE_END.includes(exitCode) ? 'complete' : 'aborted';
}

/**
 * Whether any session was begun: pre-flight requests in setup() are no load.
 * @param summaries files that may hold k6's summary, in either format
 * @param samplesFile CSV of the samples, when one was asked for
 */
export function loadWasSent(exitCode: number, summaries: readonly string[], samplesFile: string | undefined): boolean {
  if (NOT_STARTED.includes(exitCode)) return false;
  if (TO_THE_END.includes(exitCode)) return true;
  if (summaries.some((file) => countsIterations(documentText(file)))) return true;
  return samplesFile !== undefined && hasScenarioSamples(samplesFile);
}

function countsIterations(json: string): boolean {
  try {
    const metrics = (JSON.parse(json) as { metrics?: Record<string, { count?: number; values?: { count?: number } }> })
      .metrics;
    return Object.entries(metrics ?? {}).some(
      ([name, { count, values }]) => /^iterations(\{|$)/.test(name) && (values?.count ?? count ?? 0) > 0,
    );
  } catch {
    return false;
  }
}

/** The first samples of sessions lie near the beginning of the file; it may be gigabytes long. */
const LOOKED_AT = 1 << 20;

function hasScenarioSamples(file: string): boolean {
  if (!existsSync(file)) return false;
  const descriptor = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(LOOKED_AT);
    const [header = '', ...lines] = buffer.toString('utf8', 0, readSync(descriptor, buffer)).split('\n');
    const column = header.split(',').indexOf('scenario');
    // Requests of setup() and teardown() belong to no scenario.
    return lines.some((line) =>
      column === -1 ? line.startsWith('iterations,') : (line.split(',')[column] ?? '') !== '',
    );
  } finally {
    closeSync(descriptor);
  }
}

/** What crossed thresholds speak against; undefined when none is known. */
export type CrossedKind = 'objectives' | 'limits' | 'both' | 'guards';

/**
 * @param crossed `metric{tags}: expression` of each crossed threshold
 * @param counters of the suite's own: limits on them are limits of the test
 */
export function crossedKind(crossed: readonly string[], counters: readonly string[] = []): CrossedKind | undefined {
  if (crossed.length === 0) return undefined;
  const isLimit = (metric: string) => Object.hasOwn(VALIDITY, metric) || counters.includes(metric);
  // A guard says that nothing was there to be judged, which speaks for itself only where nothing else was crossed.
  const judged = withoutGuards(crossed) ?? [];
  if (judged.length === 0) return 'guards';
  const limits = judged.filter((one) => isLimit(one.split(/[{:]/, 1)[0] ?? '')).length;
  if (limits === 0) return 'objectives';
  return limits === judged.length ? 'limits' : 'both';
}

/** One sentence for exit code 99, as exact as the crossed thresholds allow. */
export function crossedMeaning(
  crossed: readonly string[] | null,
  fallback: string,
  counters: readonly string[] = [],
): string {
  switch (crossedKind(crossed ?? [], counters)) {
    case 'objectives':
      return 'a threshold was crossed: the system did not keep an objective';
    case 'limits':
      return 'a limit of the test was crossed, no objective of the system: the test cannot be believed, it says nothing against the system';
    case 'both':
      return 'objectives of the system and limits of the test were crossed: find out first whether sessions failed by the answers that they got or by the test itself; the log has the first exceptions, and `analyse` says when requests began to fail';
    case 'guards':
      return 'an objective saw no sample that it speaks of, and nothing else was crossed: whether the system keeps it was not tested; see which endpoints and status classes got answers';
    default:
      return fallback;
  }
}
