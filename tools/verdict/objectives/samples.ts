/** Objectives measured on raw samples: exact values, intervals, and whether the sample carries the quantile at all. */

import { holds } from '../../../lib/k6/threshold.ts';
import { samplesNeeded } from '../../../lib/model/samples-needed.ts';
import { type Database, text } from '../database.ts';
import { groupQuantiles } from '../ranks.ts';
import { isOnRequest, tagValueSql } from '../samples/tag-columns.ts';
import { proportionInterval } from '../statistics/beta.ts';
import { samplesBeyond } from '../statistics/quantile.ts';
import { decide, type Measured, type ObjectiveResult } from './decide.ts';
import { withLength } from './length.ts';
import type { ParsedObjective } from './parse.ts';
import { builtInType, refuseForeignAggregates, suiteType, typeOfAggregate } from './types.ts';

export interface SampleContext {
  /** k6 type by metric, where known. */
  readonly types: Readonly<Record<string, string>>;
  /** Tags that were asked for when the samples were loaded. */
  readonly tagColumns: readonly string[];
  /** Length of the run, seconds: for the rate of a counter. */
  readonly seconds: number;
  /** Length of the measured load, seconds: by it is said how long deciding takes. */
  readonly loadSeconds?: number;
  /** Whether requests without an own row of `http_req_failed` can be told by `expected_response`. */
  readonly failedByTag: boolean;
}

/** Tags that objectives name. */
export function tagsOfObjectives(objectives: readonly ParsedObjective[]): string[] {
  return [...new Set(objectives.flatMap((one) => Object.keys(one.tags)))];
}

/** Tag values that k6's CSV does not part from other tags: they hold `&`. */
export function openValues(objectives: readonly ParsedObjective[]): [tag: string, value: string][] {
  return objectives.flatMap((one) => Object.entries(one.tags).filter(([, value]) => value.includes('&')));
}

/** Judges objectives on the loaded samples. Throws `UserError` for an aggregate that the metric's type has not. */
export async function judgeBySamples(
  database: Database,
  objectives: readonly ParsedObjective[],
  context: SampleContext,
): Promise<ObjectiveResult[]> {
  const types = typesOf(objectives, context);
  refuseForeignAggregates(objectives, types);
  const results: ObjectiveResult[] = [];
  for (const objective of objectives) {
    const result = besideK6(await judged(database, objective, { ...context, types, told: context.types }));
    // No length tells the type of a metric.
    const typed = types[objective.metric] !== undefined;
    results.push(typed ? withLength(objective, result, context.loadSeconds) : result);
  }
  return results;
}

/** Says where k6 came to the other result. */
function besideK6(result: ObjectiveResult): ObjectiveResult {
  const { k6, outcome, key, why } = result;
  if (k6 === undefined || k6 === outcome || (outcome !== 'kept' && outcome !== 'crossed')) return result;
  const cause = key.startsWith('http_req_')
    ? ', which counts requests without an answer as latencies (refused ones as 0 ms)'
    : '';
  return { ...result, why: `${why === undefined ? '' : `${why}; `}${k6} for k6${cause}` };
}

/** Types by metric: what k6, the files and the suite say, and what an aggregate gives away that only one type has. */
function typesOf(objectives: readonly ParsedObjective[], { types }: SampleContext): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { metric, aggregate } of objectives) {
    const type =
      builtInType(metric) ?? types[metric] ?? suiteType(metric) ?? found[metric] ?? typeOfAggregate(aggregate);
    if (type !== undefined) found[metric] = type;
  }
  return found;
}

/** `types` with what can be guessed, and as the results tell them. */
interface Context extends SampleContext {
  readonly told: Readonly<Record<string, string>>;
}

async function judged(database: Database, objective: ParsedObjective, context: Context): Promise<ObjectiveResult> {
  const where = conditions(objective, context);
  if (where === undefined) return decide(objective, NOTHING);
  const { metric } = objective;
  // Durations stand for requests: the same number of rows, read already.
  if (metric === 'http_reqs')
    return counted(database, objective, `metric = 'http_req_duration' AND ${where}`, 'count(*)', context);
  if (metric === 'http_req_failed' && context.failedByTag) {
    const rows = `metric = 'http_req_duration' AND expected IS NOT NULL AND ${where}`;
    return decide(objective, await share(database, rows, 'NOT expected'));
  }
  const rows = `metric = ${text(metric)} AND ${where}`;
  switch (context.types[metric] ?? (await onlyCounter(database, metric))) {
    case 'counter':
      return counted(database, objective, rows, 'sum(v)', context);
    case 'rate':
      return decide(objective, await share(database, rows, 'v <> 0'));
    case 'gauge':
      return decide(objective, await gauge(database, rows));
    case 'trend':
      return times(database, objective, rows);
    default:
      return asEither(database, objective, rows, context);
  }
}

const NOTHING: Measured = { n: 0, value: undefined, exact: false };

/** Of a metric asked for its `rate`: a value other than 0 and 1 tells a Counter; otherwise it may be a Rate too. */
async function onlyCounter(database: Database, metric: string): Promise<'counter' | undefined> {
  const [row] = await database.query<{ other: number }>(
    `SELECT count(*) AS other FROM samples JOIN series USING (h) WHERE metric = ${text(metric)} AND v NOT IN (0, 1)`,
  );
  return (row?.other ?? 0) > 0 ? 'counter' : undefined;
}

/** A metric of unknown type is judged both as a Rate and as a Counter, and decided only where the two agree. */
async function asEither(
  database: Database,
  objective: ParsedObjective,
  rows: string,
  context: Context,
): Promise<ObjectiveResult> {
  const rate = decide(objective, await share(database, rows, 'v <> 0'));
  if (rate.outcome === 'no samples') return rate;
  const counter = decide(objective, await total(database, objective, rows, 'sum(v)', context));
  if (rate.outcome === counter.outcome) return rate;
  return {
    ...rate,
    outcome: 'undecided',
    why: `the CSV does not say what ${objective.metric} is: as a Rate its share is ${short(rate.value)}, as a Counter it grows by ${short(counter.value)} a second; give the summary too (--summary), or record with --out json`,
  };
}

function short(value: number | undefined): string {
  return String(Number((value ?? 0).toPrecision(4)));
}

async function gauge(database: Database, rows: string): Promise<Measured> {
  const [row] = await database.query<{ n: number; value: number | null }>(
    `SELECT count(*) AS n, arg_max(v, t) AS value FROM samples JOIN series USING (h) WHERE ${rows}`,
  );
  return { n: row?.n ?? 0, value: row?.value ?? undefined, exact: (row?.n ?? 0) > 0 };
}

/** A Counter that was never raised is 0, and that is an answer only if it is sure that it was watched. */
async function counted(
  database: Database,
  objective: ParsedObjective,
  rows: string,
  sum: string,
  context: Context,
): Promise<ObjectiveResult> {
  const measured = await total(database, objective, rows, sum, context);
  const { operator, limit } = objective;
  if (measured.n > 0 || !holds(0, operator, limit)) return decide(objective, measured);
  return decide(objective, (await watched(database, objective, context)) ? measured : NOTHING);
}

/** Tags that tell how a request went; that none went so is an answer. All other tags say which requests are meant. */
const OUTCOME_TAGS: ReadonlyMap<string, RegExp> = new Map([
  ['status', /^\d{1,3}$/],
  ['error_code', /^\d{4}$/],
  ['expected_response', /^(true|false)$/],
  ['error', /./],
]);

/** Whether a Counter without samples would have had some: the metric is known, and the tags that select are in use. */
async function watched(database: Database, objective: ParsedObjective, context: Context): Promise<boolean> {
  const { metric, tags } = objective;
  const selecting = Object.entries(tags).filter(([tag]) => !OUTCOME_TAGS.has(tag));
  if (!Object.entries(tags).every(([tag, value]) => OUTCOME_TAGS.get(tag)?.test(value) ?? true)) return false;
  const where = conditions({ ...objective, tags: Object.fromEntries(selecting) }, context);
  if (where === undefined) return false;
  const accepted = objective.acceptedByK6 === true || objective.k6Crossed !== undefined;
  const known = builtInType(metric) ?? suiteType(metric) ?? context.told[metric];
  const own = known !== undefined || accepted ? 'true' : `metric = ${text(metric)}`;
  // Requests are the only rows that carry every tag of their own; other Counters may have tags of any metric.
  const rows = metric === 'http_reqs' ? `metric = 'http_req_duration' AND ${where}` : where;
  const found = await database.query(`SELECT 1 AS one FROM series WHERE ${rows} LIMIT 1`);
  if (found.length === 0) return false;
  return (await database.query(`SELECT 1 AS one FROM series WHERE ${own} LIMIT 1`)).length > 0;
}

async function total(
  database: Database,
  objective: ParsedObjective,
  rows: string,
  sum: string,
  context: SampleContext,
): Promise<Measured> {
  const [row] = await database.query<{ n: number; total: number | null }>(
    `SELECT count(*) AS n, CAST(${sum} AS DOUBLE) AS total FROM samples JOIN series USING (h) WHERE ${rows}`,
  );
  const total = row?.total ?? 0;
  return {
    n: row?.n ?? 0,
    value: objective.aggregate === 'rate' ? total / Math.max(context.seconds, 1e-9) : total,
    exact: true,
  };
}

async function share(database: Database, rows: string, hit: string): Promise<Measured> {
  const [row] = await database.query<{ n: number; hits: number }>(
    `SELECT count(*) AS n, count(*) FILTER (${hit}) AS hits FROM samples JOIN series USING (h) WHERE ${rows}`,
  );
  const n = row?.n ?? 0;
  if (n === 0) return { n, value: undefined, exact: false };
  const hits = row?.hits ?? 0;
  const [low, high] = proportionInterval(hits, n);
  return { n, value: hits / n, low, high, exact: false };
}

/**
 * A Trend against its limit. A request without an answer has no latency, but it waited at least as long as k6 wrote: where that
 * is the limit or more, it counts at that. What crosses for k6, which counts every one of them, then crosses here: leaving out
 * values below an upper limit lowers neither a quantile nor a mean that lies above it.
 */
async function times(database: Database, objective: ParsedObjective, rows: string): Promise<ObjectiveResult> {
  const { metric, operator, limit } = objective;
  const unanswered = `starts_with(metric, 'http_req_') AND status IS NOT DISTINCT FROM 0`;
  const answers = decide(objective, await trend(database, objective, `${rows} AND NOT (${unanswered})`));
  if (!metric.startsWith('http_req_') || !operator.startsWith('<')) return answers;
  const waited = `${unanswered} AND v >= ${limit}`;
  const [row] = await database.query<{ n: number }>(
    `SELECT count(*) AS n FROM samples JOIN series USING (h) WHERE ${rows} AND ${waited}`,
  );
  const n = row?.n ?? 0;
  if (n === 0) return answers;
  const all = decide(objective, await trend(database, objective, `${rows} AND (NOT (${unanswered}) OR ${waited})`));
  const alone =
    answers.value === undefined || answers.outcome === all.outcome
      ? ''
      : `; the answers alone: ${short(answers.value)} (${answers.outcome})`;
  const said = `${n} of ${all.n} waited ${limit} or longer for an answer that never came and count at that${alone}`;
  return { ...all, why: all.why === undefined ? said : `${all.why}; ${said}` };
}

async function trend(database: Database, objective: ParsedObjective, timed: string): Promise<Measured> {
  const [row] = await database.query<{ n: number; low: number; high: number; mean: number; deviation: number | null }>(
    `SELECT count(*) AS n, min(v) AS low, max(v) AS high, avg(v) AS mean, stddev_samp(v) AS deviation
     FROM samples JOIN series USING (h) WHERE ${timed}`,
  );
  const n = row?.n ?? 0;
  if (row === undefined || n === 0) return { n: 0, value: undefined, exact: false };
  switch (objective.aggregate) {
    case 'min':
      return { n, value: row.low, exact: true };
    case 'max':
      return { n, value: row.high, exact: true };
    case 'count':
      return { n, value: n, exact: true };
    case 'avg': {
      const half = (1.96 * (row.deviation ?? 0)) / Math.sqrt(n);
      const weak = n < 30 ? { weak: `an average of ${n} samples; 30 are needed for an interval` } : {};
      return { n, value: row.mean, low: row.mean - half, high: row.mean + half, exact: false, ...weak };
    }
    default: {
      const p = objective.p ?? 0.5;
      const found = await groupQuantiles(
        database,
        `SELECT 1 AS g, v FROM samples JOIN series USING (h) WHERE ${timed}`,
        [p],
      );
      const estimate = found.get(1)?.estimates[0];
      const weak =
        estimate?.carried === false
          ? {
              weak: `only ${samplesBeyond(n, p)} of ${n} samples lie beyond it; it needs ${samplesNeeded(p)} samples (ten beyond)`,
            }
          : {};
      return { n, value: estimate?.value, low: estimate?.low, high: estimate?.high, exact: p <= 0 || p >= 1, ...weak };
    }
  }
}

/** SQL for the objective's tags; undefined when a tag is no column (then no sample can have it). */
function conditions({ tags }: Pick<ParsedObjective, 'tags'>, { tagColumns }: SampleContext): string | undefined {
  const parts = ['true'];
  for (const [tag, value] of Object.entries(tags)) {
    if (isOnRequest(tag) && !tagColumns.includes(tag)) return undefined;
    parts.push(`coalesce(${tagValueSql(tag)}, '') = ${text(value)}`);
  }
  return parts.join(' AND ');
}
