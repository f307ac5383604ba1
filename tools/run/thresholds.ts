/** Which thresholds a summary calls crossed; the two formats that k6 writes mean opposite things by a boolean. */
import { existsSync, readFileSync } from 'node:fs';

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

/** As above, from the first of the files that is there. */
export function crossedThresholdsIn(files: readonly string[]): string[] | null {
  const file = files.find((candidate) => existsSync(candidate));
  return file === undefined ? null : crossedThresholds(readFileSync(file, 'utf8'));
}
