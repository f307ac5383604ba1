/** `analyse`: files in, facts, verdict and objectives out. Shared by the commands that read results. */

import { EXIT } from '../base/exit-codes.ts';
import { optional } from '../base/optional.ts';
import { UserError } from '../base/user-error.ts';
import { findBeside } from './beside.ts';
import { collect, workerRows } from './collect.ts';
import { type Database, openDatabase } from './database.ts';
import type { Facts } from './facts.ts';
import { gather, type Inputs, type ResultFile, sniff } from './files.ts';
import { judge, type Verdict } from './judge.ts';
import { type Limits, limitsOf } from './limits.ts';
import { type LogFacts, readLog } from './log.ts';
import type { ObjectiveResult } from './objectives/decide.ts';
import {
  objectivesOf,
  objectivesOfConsole,
  objectivesOfSummary,
  type ParsedObjective,
  readRules,
} from './objectives/parse.ts';
import { judgeBySamples, openValues, tagsOfObjectives } from './objectives/samples.ts';
import { judgeBySummary } from './objectives/summary.ts';
import { refuseForeignAggregates } from './objectives/types.ts';
import { isBatch, loadFromOptions, loadFromWords, type PlannedLoad } from './planned-load.ts';
import { redactAll } from './redact.ts';
import { type FolderFacts, readFolder, withSuite } from './run-folder.ts';
import { type Loaded, loadSamples } from './samples/load.ts';
import { hasRequests, refuseWithoutStatus } from './samples/status.ts';
import { RARE_TAGS } from './samples/tag-columns.ts';
import { refuseUnknownTags } from './split-tags.ts';
import { isObject, parseJson, readSummary, type Summary, summaryFormat, withoutThresholds } from './summary.ts';
import { countsOfSummary, factsOfSummary } from './summary-facts.ts';
import { logLines, readText, textOf } from './text-file.ts';
import { joinLogs, joinPlans, joinRuns } from './workers/join.ts';
import { withManifests } from './workers/manifests.ts';

/** 2: the verdict may be UNPROVEN and lists what is missing; objectives say how long deciding takes. 3: an objective is `kept` (was: `passed`). */
export const ANALYSIS_SCHEMA_VERSION = 3;

export interface AnalyseOptions {
  readonly paths: readonly string[];
  /** `rate=50,duration=4s,maxVUs=3`, or the path of k6's options (`k6 inspect`). */
  readonly plan?: string;
  readonly summary?: string;
  readonly log?: string;
  /** Objectives beside, or instead of, those of the summary. */
  readonly rules?: string;
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

/** Everything that was given, read but not yet judged. */
export interface Prepared {
  readonly inputs: Inputs;
  readonly objectives: readonly ParsedObjective[];
  readonly summary?: Summary;
  readonly log?: LogFacts;
  readonly plan?: PlannedLoad;
  readonly folders: readonly FolderFacts[];
  /** Files that were not named but lay beside the samples. */
  readonly beside: readonly string[];
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

/** Reads everything but the samples. */
export async function prepare(options: AnalyseOptions): Promise<Prepared> {
  const inputs = await gather(options.paths);
  const summaries: ResultFile[] = [];
  const manifests: unknown[] = [];
  for (const document of inputs.documents) {
    const parsed = parseJson(document.path, textOf(document));
    if (summaryFormat(parsed) !== undefined) summaries.push(document);
    else if (isObject(parsed) && 'scenarios' in parsed) manifests.push(parsed);
    else {
      if (isObject(parsed) && isObject(parsed['verdict']))
        throw new UserError(
          `${document.path}: this is what analyse says of a run (schema version ${String(parsed['schemaVersion'])}, now ${ANALYSIS_SCHEMA_VERSION}); give the samples or the results folder, which are judged anew`,
          EXIT.noVerdict,
        );
      throw new UserError(
        `${document.path}: JSON, but no k6 summary, options or results; objectives are given with --rules`,
        EXIT.noVerdict,
      );
    }
  }
  if (options.summary !== undefined) summaries.push(await sniff(options.summary));
  const named = options.log === undefined ? inputs.logs : [await sniff(options.log)];
  const found = await findBeside(inputs.samples);
  const logFiles = named.length === 0 ? found.logs : named;
  const beside = named.length === 0 ? found.logs.map((file) => file.path) : [];
  if (summaries.length === 0) {
    summaries.push(...found.summaries);
    beside.push(...found.summaries.map((file) => file.path));
  }
  const [summaryFile] = summaries;
  if (inputs.samples.length === 0 && summaries.length > 1) {
    throw new UserError(
      `${summaries.map((file) => file.path).join(', ')}: percentiles of several summaries cannot be combined; give the raw samples (--out csv=samples.csv), or use merge for their counters`,
      EXIT.noVerdict,
    );
  }
  const read = summaryFile === undefined ? undefined : readSummary(summaryFile.path, textOf(summaryFile));
  // k6 judged each worker's own samples; that says nothing of the union.
  const summary = read !== undefined && summaries.length > 1 ? withoutThresholds(read) : read;
  if (inputs.samples.length === 0 && summary === undefined) {
    const empty = inputs.empty[0]?.path;
    throw new UserError(
      empty === undefined
        ? 'no samples and no summary among the files; give a k6 CSV, NDJSON, Parquet, summary or a results folder'
        : `${empty}: the file is empty; k6 was probably killed before it wrote anything (gzip keeps the last second only at the end), run again with plain CSV`,
      EXIT.noVerdict,
    );
  }
  const log = joinLogs(logFiles.map((file) => readLog(file.path, logLines(file))));
  const folders = inputs.folders.map(readFolder).filter((folder) => folder !== undefined);
  const objectives = await objectivesFrom(options, summary, folders, log);
  const plan = planFrom(options.plan, manifests, folders) ?? log?.console?.plan;
  return {
    inputs,
    objectives,
    folders,
    ...optional('summary', summary),
    beside,
    ...optional('log', log),
    ...optional('plan', plan),
  };
}

async function objectivesFrom(
  options: AnalyseOptions,
  summary: Summary | undefined,
  folders: readonly FolderFacts[],
  log: LogFacts | undefined,
): Promise<ParsedObjective[]> {
  const byKey = new Map<string, ParsedObjective>();
  const add = (list: readonly ParsedObjective[]) => {
    for (const one of list)
      byKey.set(`${one.key} ${one.expression}`, { ...byKey.get(`${one.key} ${one.expression}`), ...one });
  };
  const thresholds = folders[0]?.thresholds;
  if (thresholds !== undefined) {
    add(objectivesOf(thresholds, 'manifest.json').map((one) => ({ ...one, acceptedByK6: true })));
  }
  if (summary !== undefined) add(objectivesOfSummary(summary));
  else if (thresholds === undefined && log?.console !== undefined) add(objectivesOfConsole(log.console, log.path));
  if (options.rules !== undefined) {
    // k6 is asked for the requests of every endpoint of the run, so their names are those that `*` stands for.
    const keys = Object.keys(thresholds ?? summary?.metrics ?? {});
    const called = keys.map((key) => /^(?:http_reqs|steps)\{name:(.*),phase:measure\}$/.exec(key)?.[1]);
    const names = called.filter((name) => name !== undefined);
    const counters = Object.keys(folders[0]?.run.counters ?? {});
    add(await readRules(options.rules, readText(options.rules), { called: names, counters }));
  }
  return [...byKey.values()];
}

function planFrom(
  words: string | undefined,
  documents: readonly unknown[],
  folders: readonly FolderFacts[],
): PlannedLoad | undefined {
  if (words !== undefined) {
    if (words.includes('=')) return loadFromWords(words);
    return planOf(parseJson(words, readText(words)), words);
  }
  if (documents[0] !== undefined) return planOf(documents[0], 'k6 options');
  if (folders.length < 2) return folders[0]?.plan;
  const plans = folders.map((folder) => folder.plan).filter((plan) => plan !== undefined);
  return plans.length === folders.length ? joinPlans(plans) : undefined;
}

/** `k6 inspect --execution-requirements` prints the number of VUs beside the options. */
function planOf(document: unknown, source: string): PlannedLoad {
  const maxVUs = isObject(document) ? document['maxVUs'] : undefined;
  return loadFromOptions(document, source, typeof maxVUs === 'number' ? { maxVUs } : undefined);
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
