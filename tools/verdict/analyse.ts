/** `analyse`: files in, facts, verdict and objectives out. Shared by the commands that read results. */

import { optional } from '../base/optional.ts';
import { collect, workerRows } from './collect.ts';
import { type Database, openDatabase } from './database.ts';
import type { Facts } from './facts.ts';
import { judge, type Verdict } from './judge.ts';
import { type Limits, limitsOf } from './limits.ts';
import type { ObjectiveResult } from './objectives/decide.ts';
import { judgeBySamples, openValues, tagsOfObjectives } from './objectives/samples.ts';
import { judgeBySummary } from './objectives/summary.ts';
import { refuseForeignAggregates } from './objectives/types.ts';
import { isBatch } from './planned-load.ts';
import { ANALYSIS_SCHEMA_VERSION, type Given, type Prepared, prepare } from './prepare.ts';
import { redactAll } from './redact.ts';
import { withSuite } from './run-folder.ts';
import { type Loaded, loadSamples } from './samples/load.ts';
import { hasRequests, refuseWithoutStatus } from './samples/status.ts';
import { RARE_TAGS } from './samples/tag-columns.ts';
import { refuseUnknownTags } from './split-tags.ts';
import type { Summary } from './summary.ts';
import { countsOfSummary, factsOfSummary } from './summary-facts.ts';
import { joinRuns } from './workers/join.ts';
import { withManifests } from './workers/manifests.ts';

export interface AnalyseOptions extends Given {
  readonly by?: readonly string[];
  /** Refuse a tag of `by` that no sample carries. */
  readonly byMustExist?: boolean;
  /** Tags to be read beside those of `by` and of the objectives, without splitting populations. */
  readonly tags?: readonly string[];
  /** Metrics to be read in full beside those of the objectives. */
  readonly metrics?: readonly string[];
  readonly limits?: Limits;
  readonly memoryMb?: number;
  /** Keep method and check of every sample (a merged file wants them). */
  readonly rare?: boolean;
}

export interface Analysis {
  readonly schemaVersion: typeof ANALYSIS_SCHEMA_VERSION;
  readonly verdict: Verdict;
  readonly objectives: readonly ObjectiveResult[];
  readonly facts: Facts;
}

/** Below this many bytes of samples several threads of the database wait for each other longer than they work. */
const WORTH_THREADS = 2 << 20;

/** Analyses result files or folders. Throws `UserError` for what cannot be read at all. */
export async function analyse(options: AnalyseOptions): Promise<Analysis> {
  return withSamples(options, (_database, analysis) => Promise.resolve(analysis));
}

/** Analyses, then lets `use` ask the open database for more (charts, merged files) before it is closed. */
export async function withSamples<Result>(
  options: AnalyseOptions,
  use: (database: Database | undefined, analysis: Analysis) => Promise<Result>,
): Promise<Result> {
  const prepared = await prepare(options);
  const limits = options.limits ?? limitsOf();
  if (prepared.inputs.samples.length === 0) return use(undefined, fromSummary(prepared, limits));
  const bytes = prepared.inputs.samples.reduce((sum, file) => sum + file.bytes, 0);
  const database = await openDatabase({
    ...(options.memoryMb === undefined ? {} : { memoryMb: options.memoryMb }),
    ...(bytes < WORTH_THREADS ? { threads: 1 } : {}),
  });
  try {
    const tags = [...tagsOfObjectives(prepared.objectives), ...(options.by ?? []), ...(options.tags ?? [])];
    const loaded = await loadSamples(database, prepared.inputs.samples, {
      rare: options.rare === true || RARE_TAGS.some((tag) => tags.includes(tag)),
      tags,
      values: openValues(prepared.objectives),
      metrics: [
        ...prepared.objectives
          .map((objective) => objective.metric)
          .filter((metric) => !['http_reqs', 'http_req_failed'].includes(metric)),
        ...(options.metrics ?? []),
      ],
    });
    return await use(database, await fromSamples(database, loaded, prepared, options, limits));
  } finally {
    database.close();
  }
}

async function fromSamples(
  database: Database,
  loaded: Loaded,
  prepared: Prepared,
  options: AnalyseOptions,
  limits: Limits,
): Promise<Analysis> {
  refuseWithoutStatus(loaded, await hasRequests(database));
  if (options.byMustExist === true) await refuseUnknownTags(database, loaded, options.by ?? []);
  const { summary, folders } = prepared;
  const counters = Object.keys(folders[0]?.run.counters ?? {}).map((metric) => [metric, 'counter'] as const);
  const types: Record<string, string> = {
    ...Object.fromEntries(counters),
    ...(summary === undefined ? {} : typesOf(summary)),
    ...loaded.metricTypes,
  };
  const sample = await collect(database, loaded, {
    types,
    by: options.by ?? [],
    bins: limits('cold-start', 'bins'),
    gapSeconds: limits('gaps', 'suspectSeconds'),
    isClosed: (scenario) =>
      prepared.plan?.scenarios.some(
        (one) => !one.open && !isBatch(one) && (one.name === '*' || one.name === scenario),
      ) === true,
    slow: { ratio: limits('closed-model', 'slowRatio'), ms: limits('closed-model', 'slowMs') },
  });
  const objectives = await judgeBySamples(database, prepared.objectives, {
    types,
    tagColumns: loaded.tagColumns,
    seconds: summary?.runMs === undefined ? sample.window.seconds : summary.runMs / 1000,
    ...optional('loadSeconds', sample.window.loadSeconds),
    failedByTag: loaded.files.every((file) => file.columns?.has('expected_response') === true),
  });
  const facts: Facts = {
    ...sample,
    ...optional('plan', prepared.plan),
    ...optional('run', withSuite(joinRuns(folders.map((folder) => folder.run)), summary?.suite)),
    ...optional('log', prepared.log),
    ...optional('summary', summary === undefined || loaded.files.length > 1 ? undefined : countsOfSummary(summary)),
    beside: prepared.beside,
    summaryRead: summary !== undefined,
    objectives,
    workers: loaded.files.length < 2 ? [] : withManifests(await workerRows(database, loaded), prepared.folders),
    summaryOnly: false,
  };
  return judged(facts, limits);
}

function typesOf(summary: Summary): Record<string, string> {
  const told = Object.entries(summary.metrics).flatMap(([key, metric]) =>
    metric.type === undefined ? [] : [[key.replace(/\{.*$/s, ''), metric.type] as const],
  );
  return Object.fromEntries(told);
}

function fromSummary(prepared: Prepared, limits: Limits): Analysis {
  const { summary } = prepared;
  if (summary === undefined) throw new Error('a summary is needed');
  refuseForeignAggregates(prepared.objectives, typesOf(summary));
  const objectives = prepared.objectives.map((objective) => judgeBySummary(objective, summary));
  const facts: Facts = {
    ...factsOfSummary(summary),
    ...optional('plan', prepared.plan),
    ...optional('run', withSuite(prepared.folders[0]?.run, summary.suite)),
    ...optional('log', prepared.log),
    beside: prepared.beside,
    summaryRead: true,
    objectives,
  };
  return judged(facts, limits);
}

/** The verdict, and everything that is shown without the values of queries; the rules have seen them. */
function judged(facts: Facts, limits: Limits): Analysis {
  const { endpoints, populations, byStatus, blends, failures, objectives, run, log, others } = facts;
  const about = { ...optional('run', run), ...optional('log', log), ...optional('others', others) };
  const named = { endpoints, populations, byStatus, blends, failures, objectives, ...about };
  const names = endpoints.map(({ name }) => name);
  const { verdict, ...shown } = redactAll({ ...named, verdict: judge(facts, limits) }, names);
  return {
    schemaVersion: ANALYSIS_SCHEMA_VERSION,
    verdict,
    objectives: shown.objectives,
    facts: { ...facts, ...shown },
  };
}
