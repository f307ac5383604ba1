/** Everything that was given but the samples: summaries, logs, plans, results folders, objectives. */
import { EXIT } from '../base/exit-codes.ts';
import { optional } from '../base/optional.ts';
import { UserError } from '../base/user-error.ts';
import { findBeside } from './beside.ts';
import { gather, type Inputs, type ResultFile, sniff } from './files.ts';
import { type LogFacts, readLog } from './log.ts';
import {
  objectivesOf,
  objectivesOfConsole,
  objectivesOfSummary,
  type ParsedObjective,
  readRules,
} from './objectives/parse.ts';
import { loadFromOptions, loadFromWords, type PlannedLoad } from './planned-load.ts';
import { type FolderFacts, readFolder } from './run-folder.ts';
import { isObject, parseJson, readSummary, type Summary, summaryFormat, withoutThresholds } from './summary.ts';
import { logLines, readText, textOf } from './text-file.ts';
import { joinLogs, joinPlans } from './workers/join.ts';

/** 2: the verdict may be UNPROVEN and lists what is missing; objectives say how long deciding takes. 3: an objective is `kept` (was: `passed`). */
export const ANALYSIS_SCHEMA_VERSION = 3;

/** What is given beside numbers and limits. */
export interface Given {
  readonly paths: readonly string[];
  /** `rate=50,duration=4s,maxVUs=3`, or the path of k6's options (`k6 inspect`). */
  readonly plan?: string;
  readonly summary?: string;
  readonly log?: string;
  /** Objectives beside, or instead of, those of the summary. */
  readonly rules?: string;
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

/** Reads everything but the samples. */
export async function prepare(options: Given): Promise<Prepared> {
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
  options: Given,
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
