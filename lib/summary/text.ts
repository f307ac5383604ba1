/** The summary for people: every percentile beside its n, and none that its samples cannot carry. */

import { METRICS } from '../names.ts';
import { GUARD, metricKey } from '../objectives.ts';
import type { Plan } from '../plan.ts';
import {
  measured,
  type Population,
  populationsOf,
  requestRows,
  type SummaryData,
  sessionRows,
  thresholdRows,
  valueIn,
} from './populations.ts';

/** Samples that must lie beyond a percentile before it is printed. */
const BEYOND = 10;
const PERCENTILES = ['p(90)', 'p(95)', 'p(99)'];

/** @param head lines about the target, printed first */
export function textSummary(data: SummaryData, plan: Plan, head: readonly string[]): string {
  const { scenarios } = plan;
  const dropped = scenarios.some(
    (one) => valueIn(data, metricKey('dropped_iterations', { scenario: one.name }), 'count') > 0,
  );
  if (measured(data, 'http_reqs') === 0 && valueIn(data, 'iterations', 'count') === 0 && !dropped) {
    return ['', ...head, '', 'Nothing was measured: the run ended before any load was sent.', ''].join('\n');
  }
  const rows = populationsOf(data, plan);
  const shown = rows.filter((row) => row.phase === 'measure');
  const warmup = rows.filter((row) => row.phase === 'warmup');
  const lines = [
    '',
    ...head,
    '',
    ...latency('LATENCY, ms, by endpoint and status class', shown),
    ...(warmup.length > 0 ? ['', ...latency('WARM-UP, ms, not judged', warmup)] : []),
    '',
    ...requests(data, plan),
    '',
    ...sessions(data, plan),
    '',
    ...thresholds(data),
    ...remarks(data, plan),
    '',
  ];
  return lines.join('\n');
}

/** n that a percentile needs so that ten samples lie beyond it. */
export function samplesNeeded(percentile: string): number {
  return Math.ceil(((100 * BEYOND) / (100 - Number.parseFloat(percentile.slice(2)))) * (1 - 1e-12));
}

function latency(title: string, rows: readonly Population[]): string[] {
  if (rows.length === 0) return [title, '  no answer came'];
  const cells = rows.map(({ endpoint, statusClass, n, values }) => [
    endpoint,
    statusClass,
    `${n}`,
    ms(values['med']),
    ...PERCENTILES.map((p) => (n < samplesNeeded(p) ? `n<${samplesNeeded(p)}` : ms(values[p]))),
    ms(values['max']),
  ]);
  return [
    title,
    ...table(['', 'class', 'n', 'median', ...PERCENTILES.map((p) => p.replace(/[()]/g, '')), 'max'], cells, 2),
  ];
}

function requests(data: SummaryData, plan: Plan): string[] {
  const rows = requestRows(data, plan);
  const cells = rows.map((row) => [
    row.endpoint,
    `${row.requests}`,
    percent(row.share),
    row.noResponse > 0 ? `${row.noResponse}` : '-',
  ]);
  return ['REQUESTS', ...table(['', 'n', 'share', 'no answer'], cells, 1)];
}

function sessions(data: SummaryData, plan: Plan): string[] {
  const cells = sessionRows(data, plan).map((row) => [
    row.flow,
    row.planned === undefined ? '-' : `${row.planned}`,
    `${row.finished}`,
    `${row.dropped}`,
    `${row.unaccounted}`,
    percent(row.share),
    row.finished > 0 ? row.meanSeconds.toFixed(2) : '-',
  ]);
  return ['SESSIONS', ...table(['', 'planned', 'finished', 'dropped', 'cut off', 'share', 'mean s'], cells, 1)];
}

function thresholds(data: SummaryData): string[] {
  const rows = thresholdRows(data);
  if (rows.length === 0) return ['THRESHOLDS', '  none: nothing was asserted'];
  const guards: readonly string[] = Object.values(GUARD);
  const good = rows.filter((row) => row.ok && row.seen);
  const unseen = rows.filter((row) => row.ok && !row.seen).length;
  const crossed = rows.filter((row) => !row.ok);
  const lines = rows
    .filter((row) => !row.ok || !guards.includes(row.expression))
    .map(({ metric, expression, ok, actual, seen }) => {
      const was =
        guards.includes(expression) || !seen ? 'no samples' : actual === undefined ? '' : `was ${round(actual)}`;
      return [ok ? (seen ? '  ok ' : '  unseen ') : '  CROSSED ', metric, expression, was];
    });
  const width = (column: number) => Math.max(...lines.map((line) => (line[column] as string).length));
  const [a, b, c] = [width(0), width(1), width(2)];
  return [
    `THRESHOLDS: ${good.length} met (${good.filter((row) => guards.includes(row.expression)).length} of them guards against empty populations), ${crossed.length} crossed${unseen > 0 ? `, ${unseen} without samples to judge` : ''}`,
    ...lines.map(([mark = '', metric = '', expression = '', was = '']) =>
      `${mark.padEnd(a)}${metric.padEnd(b)}  ${expression.padEnd(c)}  ${was}`.trimEnd(),
    ),
  ];
}

/** What a reader must know before believing the numbers. */
export function remarks(data: SummaryData, plan: Plan): string[] {
  const lines: string[] = [];
  const all = sessionRows(data, plan);
  const dropped = all.reduce((sum, row) => sum + row.dropped, 0);
  if (dropped > 0) {
    const planned = all.reduce((sum, row) => sum + (row.planned ?? 0), 0);
    lines.push(
      `${dropped} of ${planned} sessions never started because no VU was free: the test, not the system, is at fault; raise PREALLOCATED_VUS (and MAX_VUS) or leave them out`,
    );
  }
  const out = measured(data, METRICS.outOfStock);
  if (out > 0)
    lines.push(
      `${out} orders were answered "not enough stock": the test data ran out, these are no failures; top up the stock`,
    );
  const limited = measured(data, METRICS.rateLimited);
  if (limited > 0)
    lines.push(
      `${limited} answers were 429: a rate limiter answered for the system, fast; switch it off or declare it`,
    );
  const silent = measured(data, METRICS.noResponse);
  if (silent > 0) lines.push(`${silent} requests got no answer; they are in no percentile`);
  const exhausted = measured(data, METRICS.dataExhausted);
  if (exhausted > 0) lines.push(`${exhausted} times no data row was left; shorten the run, or see POOL`);
  const errors = measured(data, METRICS.flowErrors, {}, 'passes');
  if (errors > 0) lines.push(`${errors} sessions ended with an exception; the log has the first of each VU`);
  if (plan.spec.shape === 'closed') {
    lines.push(
      'a closed loop: a slow system is asked less often, so these percentiles flatter it; use an arrival rate to judge',
    );
  }
  return lines.length > 0 ? ['', 'REMARKS', ...lines.map((line) => `  ${line}`)] : [];
}

/** Columns padded; the first `left` are aligned to the left. */
function table(header: readonly string[], rows: readonly (readonly string[])[], left: number): string[] {
  const widths = header.map((cell, i) => Math.max(cell.length, ...rows.map((row) => (row[i] ?? '').length)));
  return [header, ...rows].map((row) => {
    const cells = row.map((cell, i) =>
      i < left ? cell.padEnd(widths[i] as number) : cell.padStart(widths[i] as number),
    );
    return `  ${cells.join('  ')}`.trimEnd();
  });
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const ms = (value: number | undefined): string => (value === undefined ? '-' : round(value));
const round = (value: number): string =>
  value % 1 === 0 ? `${value}` : value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
