/** The summary for people: every percentile beside its n, and none that its samples cannot carry. */

import { thresholdOf } from '../k6/threshold.ts';
import { largest } from '../model/extremes.ts';
import { figure, percent } from '../model/figures.ts';
import { DURATION_METRICS, METRICS } from '../model/names.ts';
import { textTable } from '../model/text-table.ts';
import { GUARD } from '../plan/objectives.ts';
import type { Plan } from '../plan/planned.ts';
import type { Counters } from './counters.ts';
import type { SummaryData } from './data.ts';
import { nothingSent, stoppedEarly } from './planned-load.ts';
import {
  neededFor,
  type Population,
  populationsOf,
  requestRows,
  sessionRows,
  thresholdRows,
  tooFew,
} from './populations.ts';
import { remarksOf } from './remarks.ts';

const PERCENTILES = ['p(90)', 'p(95)', 'p(99)'];

/** @param head lines about the target, printed first */
export function textSummary(data: SummaryData, plan: Plan, head: readonly string[], counters: Counters = {}): string {
  if (nothingSent(data)) return unsent(head);
  const rows = populationsOf(data, plan);
  const shown = rows.filter((row) => row.phase === 'measure');
  const warmup = rows.filter((row) => row.phase === 'warmup');
  const lines = [
    '',
    ...head,
    '',
    ...latencyTable('LATENCY, ms, by endpoint and status class', shown),
    ...(warmup.length > 0 ? ['', ...latencyTable('WARM-UP, ms, not judged', warmup)] : []),
    '',
    ...requests(data, plan),
    '',
    ...sessions(data, plan),
    '',
    ...thresholds(data, plan),
    ...ownMetrics(data, counters),
    ...remarks(data, plan, counters),
    '',
  ];
  return lines.join('\n');
}

/** The summary of a run that sent nothing: no table of zeros, nothing that looks kept. */
function unsent(head: readonly string[]): string {
  return [
    '',
    'NOTHING WAS SENT: the run ended before its first session, the error above says why; no objective was judged',
    ...head,
    '',
  ].join('\n');
}

export function latencyTable(title: string, rows: readonly Population[]): string[] {
  if (rows.length === 0) return [title, '  no answer came'];
  const cells = rows.map(({ endpoint, statusClass, n, values }) => [
    endpoint,
    statusClass,
    `${n}`,
    ms(values['med']),
    ...PERCENTILES.map((p) => (n < neededFor(p) ? `n<${neededFor(p)}` : ms(values[p]))),
    ms(values['max']),
  ]);
  return [
    title,
    ...tableOf([['', 'class', 'n', 'median', ...PERCENTILES.map((p) => p.replace(/[()]/g, '')), 'max'], ...cells], 2),
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
  return ['REQUESTS', ...tableOf([['', 'n', 'share', 'no answer'], ...cells], 1)];
}

function sessions(data: SummaryData, plan: Plan): string[] {
  const early = stoppedEarly(data, plan);
  const cells = sessionRows(data, plan).map((row) => [
    row.flow,
    row.planned === undefined ? '-' : `${row.planned}`,
    ...(early ? [row.due === undefined ? '-' : `${row.due}`] : []),
    `${row.finished}`,
    `${row.dropped}`,
    `${row.unaccounted}`,
    percent(row.share),
    row.finished > 0 ? seconds(row.meanSeconds) : '-',
  ]);
  return [
    'SESSIONS',
    ...tableOf(
      [['', 'planned', ...(early ? ['due'] : []), 'finished', 'dropped', 'cut off', 'share', 'mean s'], ...cells],
      1,
    ),
  ];
}

function thresholds(data: SummaryData, plan: Plan): string[] {
  const rows = thresholdRows(data, stoppedEarly(data, plan));
  if (rows.length === 0) return ['THRESHOLDS', '  none: nothing was asserted'];
  const guards: readonly string[] = Object.values(GUARD);
  const good = rows.filter((row) => row.ok && row.seen);
  const unseen = rows.filter((row) => row.ok && !row.seen).length;
  const crossed = rows.filter((row) => !row.ok);
  const weak = rows.filter((row) => row.few).length;
  const lines = rows
    // What was kept is a number, unless it rests on too little.
    .filter((row) => !row.ok || ((!row.seen || row.few) && !guards.includes(row.expression)))
    .map(({ metric, expression, ok, actual, seen, few }) => {
      const limit = thresholdOf(expression)?.limit;
      const value = actual === undefined ? '' : `was ${figure(actual, limit)}`;
      const was = guards.includes(expression) || !seen ? 'no samples' : few ? `${value}  (${tooFew(few)})` : value;
      return [ok ? (seen ? 'kept' : 'unseen') : 'CROSSED', metric, expression, was] as const;
    });
  const marks = largest(lines.map(([mark]) => mark.length));
  return [
    `THRESHOLDS: ${good.length} kept (${good.filter((row) => guards.includes(row.expression)).length} of them guards against empty populations), ${crossed.length} crossed${unseen > 0 ? `, ${unseen} without samples to judge` : ''}${weak > 0 ? `, ${weak} of them on too few samples` : ''}`,
    ...textTable(lines.map(([mark, metric, ...rest]) => [`${mark.padEnd(marks)} ${metric}`, ...rest])),
  ];
}

/** Trends, Rates and Gauges of the suite's own, a line each; its counters are remarks. Of the whole run, warm-up included. */
function ownMetrics(data: SummaryData, counters: Counters): string[] {
  const rows = Object.keys(data.metrics)
    .sort()
    .filter((name) => !name.includes('{') && !LIBRARY.test(name) && !(name in counters))
    .flatMap((name) => {
      const { type, values } = data.metrics[name] ?? { type: '', values: {} };
      const { count = 0, passes = 0, fails = 0, value } = values;
      const n = passes + fails;
      if (type === 'rate') return n > 0 ? [[name, percent(passes / n), `n=${n}`]] : [];
      if (type === 'gauge') return value === undefined ? [] : [[name, figure(value)]];
      if (type !== 'trend' || count === 0) return [];
      const shown = PERCENTILES.filter((p) => count >= neededFor(p)).map(
        (p) => `${p.replace(/[()]/g, '')} ${ms(values[p])}`,
      );
      return [[name, [`median ${ms(values['med'])}`, ...shown, `max ${ms(values['max'])}`].join('  '), `n=${count}`]];
    });
  return rows.length === 0 ? [] : ['', 'OWN METRICS, whole run', ...textTable(rows)];
}

/** Metrics of k6 and of the library. */
const LIBRARY = new RegExp(
  `^(checks|vus|vus_max|group_duration|(data|http|iteration|dropped|ws|grpc|browser)_.*|iterations|${[...Object.values(METRICS), ...Object.values(DURATION_METRICS)].join('|')})$`,
);

/** The remarks under their title; nothing when there are none. */
export function remarks(data: SummaryData, plan: Plan, counters: Counters): string[] {
  const lines = remarksOf(data, plan, counters);
  return lines.length > 0 ? ['', 'REMARKS', ...lines.map((line) => `  ${line}`)] : [];
}

/** The first `left` columns go to the left. */
const tableOf = (rows: readonly (readonly string[])[], left: number): string[] =>
  textTable(rows, { goesRight: (column) => column >= left });

const ms = (value: number | undefined): string => (value === undefined ? '-' : figure(value));
const seconds = (value: number): string => (value >= 0.1 ? value.toFixed(2) : figure(value));
