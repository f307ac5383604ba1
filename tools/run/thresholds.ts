/** Which thresholds a summary calls crossed; the two formats that k6 writes mean opposite things by a boolean. */
import { existsSync } from 'node:fs';
import { GUARD } from '../../lib/plan/objectives.ts';
import type { SummaryData } from '../../lib/summary/data.ts';
import { nothingSent } from '../../lib/summary/planned-load.ts';
import { documentText } from '../base/input-file.ts';

interface Metric {
  readonly values?: unknown;
  readonly thresholds?: Readonly<Record<string, boolean | { readonly ok?: boolean }>>;
}

/**
 * `metric: expression` of each crossed threshold in a handleSummary file (`{ ok: false }`) or a `--summary-export` file
 * (`true`); null when the text is neither.
 */
export function crossedThresholds(json: string): string[] | null {
  let metrics: Readonly<Record<string, Metric>> | undefined;
  try {
    metrics = (JSON.parse(json) as { metrics?: Readonly<Record<string, Metric>> } | null)?.metrics;
  } catch {
    return null;
  }
  if (metrics === undefined || metrics === null || typeof metrics !== 'object' || Array.isArray(metrics)) return null;
  return Object.entries(metrics).flatMap(([name, metric]) =>
    Object.entries(metric.thresholds ?? {})
      .filter(([, result]) => (typeof result === 'boolean' ? result : result.ok === false))
      .map(([expression]) => `${name}: ${expression}`),
  );
}

/** Whether the suite's summary says that the run ended before any load: then no objective was judged. */
export function sentNothing(file: string): boolean {
  try {
    return nothingSent(JSON.parse(documentText(file)) as SummaryData);
  } catch {
    return false;
  }
}

/** Without the guards of populations that had no time to come: of a run that did not go to its end they say nothing. */
export function withoutGuards(crossed: readonly string[] | null): string[] | null {
  const guards = Object.values(GUARD).map((guard) => `: ${guard}`);
  return crossed === null ? null : crossed.filter((one) => !guards.some((guard) => one.endsWith(guard)));
}

/** As above, from the first of the files that is there. */
export function crossedThresholdsIn(files: readonly string[]): string[] | null {
  const file = files.find((candidate) => existsSync(candidate));
  return file === undefined ? null : crossedThresholds(documentText(file));
}
