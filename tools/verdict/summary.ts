/**
 * k6's three JSON summaries, told apart by shape. `handleSummary` data and `--summary-export` say the same with opposite
 * booleans; the machine-readable one holds no thresholds and only some aggregates.
 */
import { EXIT } from '../base/exit-codes.ts';
import { parseBoundedJson } from '../base/input-file.ts';
import { UserError } from '../base/user-error.ts';

export type SummaryFormat = 'handleSummary' | 'summary-export' | 'machine-readable';

export interface SummaryMetric {
  /** trend, counter, rate, gauge; undefined where the format does not say and the values do not tell. */
  readonly type?: string;
  /** Aggregates by k6's names (`avg`, `p(95)`, `count`, `rate`, `passes`, `fails`, `value`). */
  readonly values: Readonly<Record<string, number>>;
  /** By expression: true when the threshold was crossed, whatever the file's own polarity. */
  readonly crossed: Readonly<Record<string, boolean>>;
}

export interface Summary {
  readonly format: SummaryFormat;
  readonly path: string;
  /** By k6's key, sub-metrics included (`http_reqs{name:a}`). */
  readonly metrics: Readonly<Record<string, SummaryMetric>>;
  /** Whole run time, ms: only handleSummary knows it. */
  readonly runMs?: number;
  /** What the suite's own summary says beside k6's data (key `bookstoreLoad`). */
  readonly suite?: Readonly<Record<string, unknown>>;
}

/** Whether a JSON document is a k6 summary, and of which format. */
export function summaryFormat(document: unknown): SummaryFormat | undefined {
  if (!isObject(document)) return undefined;
  const { metrics, results, metadata } = document;
  if (isObject(metrics)) {
    const entries = Object.values(metrics).filter(isObject);
    if (entries.some((entry) => isObject(entry['values']))) return 'handleSummary';
    if (isObject(document['state']) && isObject(document['options'])) return 'handleSummary';
    if (entries.some((entry) => Object.values(entry).some((value) => typeof value === 'number')))
      return 'summary-export';
    return isObject(document['root_group']) ? 'summary-export' : undefined;
  }
  return isObject(results) && (isObject(metadata) || 'version' in document || isObject(document['config']))
    ? 'machine-readable'
    : undefined;
}

/** Reads a summary. Throws `UserError` (exit 3) for anything that is none, and for the format without thresholds. */
export function readSummary(path: string, content: string): Summary {
  const document = parseJson(path, content);
  const format = summaryFormat(document);
  if (format === undefined || !isObject(document)) {
    throw new UserError(
      `${path}: no k6 summary; make one with handleSummary or k6 run --summary-export=summary.json`,
      EXIT.noVerdict,
    );
  }
  if (format === 'machine-readable') {
    throw new UserError(
      `${path}: this is k6's machine-readable summary, which holds no thresholds; run k6 with --summary-export=summary.json or --out csv=samples.csv instead`,
      EXIT.noVerdict,
    );
  }
  const metrics = isObject(document['metrics']) ? document['metrics'] : {};
  const state = document['state'];
  const runMs = isObject(state) ? state['testRunDurationMs'] : undefined;
  return {
    format,
    path,
    metrics: Object.fromEntries(
      Object.entries(metrics).flatMap(([key, metric]) => (isObject(metric) ? [[key, readMetric(metric, format)]] : [])),
    ),
    ...(typeof runMs === 'number' ? { runMs } : {}),
    ...(isObject(document['bookstoreLoad']) ? { suite: document['bookstoreLoad'] } : {}),
  };
}

/** The same summary as if nothing had been asserted. */
export function withoutThresholds(summary: Summary): Summary {
  const metrics = Object.entries(summary.metrics).map(([key, metric]) => [key, { ...metric, crossed: {} }] as const);
  return { ...summary, metrics: Object.fromEntries(metrics) };
}

function readMetric(metric: Record<string, unknown>, format: SummaryFormat): SummaryMetric {
  const source = format === 'handleSummary' && isObject(metric['values']) ? metric['values'] : metric;
  const values: Record<string, number> = {};
  for (const [name, value] of Object.entries(source)) if (typeof value === 'number') values[name] = value;
  // Only a Rate has passes; the export calls its share `value`, as it does a Gauge's last value.
  if ('passes' in values && !('rate' in values) && values['value'] !== undefined) values['rate'] = values['value'];
  const type = typeof metric['type'] === 'string' ? metric['type'] : typeOf(values);
  return { ...(type === undefined ? {} : { type }), values, crossed: crossedOf(metric['thresholds']) };
}

/** `{ok: false}` and, in the export, a bare `true` both mean crossed. */
function crossedOf(thresholds: unknown): Record<string, boolean> {
  const crossed: Record<string, boolean> = {};
  if (!isObject(thresholds)) return crossed;
  for (const [expression, result] of Object.entries(thresholds)) {
    crossed[expression] = typeof result === 'boolean' ? result : isObject(result) && result['ok'] === false;
  }
  return crossed;
}

function typeOf(values: Readonly<Record<string, number>>): string | undefined {
  if ('passes' in values) return 'rate';
  if ('avg' in values || 'med' in values) return 'trend';
  if ('count' in values) return 'counter';
  return 'value' in values ? 'gauge' : undefined;
}

/** Parses JSON of a user's file. Throws `UserError` with the parser's place. */
export function parseJson(path: string, content: string): unknown {
  try {
    return parseBoundedJson(content);
  } catch (error) {
    throw new UserError(
      `${path}: no valid JSON (${error instanceof Error ? error.message : String(error)}); the file may be cut`,
      EXIT.noVerdict,
    );
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether a summary metric saw no sample at all. A Trend with zeros everywhere is told from a real 0 by `count`, else by
 * the sibling `http_reqs` with the same tags, else by average = minimum = maximum = 0. A Counter that is absent or 0
 * counted nothing, which is an answer; a Gauge likewise.
 */
export function isEmptyMetric(summary: Summary, key: string): boolean {
  const metric = summary.metrics[key];
  if (metric === undefined) return true;
  const { values, type } = metric;
  if (type === 'rate') return (values['passes'] ?? 0) + (values['fails'] ?? 0) === 0;
  if (type !== 'trend') return false;
  if (values['count'] !== undefined) return values['count'] === 0;
  const sibling = summary.metrics[key.replace(/^[^{]*/, 'http_reqs')];
  if (key.startsWith('http_req_') && sibling?.values['count'] !== undefined) return sibling.values['count'] === 0;
  return Object.values(values).every((value) => value === 0);
}
