/** Several workers of one run judged as one: the union of their samples, or the sums of their summaries. */

import { smallest } from '../../../lib/model/extremes.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { optional } from '../../base/optional.ts';
import { terminalTable } from '../../base/terminal-table.ts';
import { visible, visibleAll } from '../../base/terminal-text.ts';
import { UserError } from '../../base/user-error.ts';
import { type Analysis, withSamples } from '../analyse.ts';
import type { Database } from '../database.ts';
import { writeParquet } from '../database.ts';
import { exitCodeOf } from '../exit-code.ts';
import { gather } from '../files.ts';
import { analysisJson } from '../json.ts';
import { printAnalysis } from '../print.ts';
import { readSummary } from '../summary.ts';
import { readText } from '../text-file.ts';
import { checkWorkers } from '../workers/check.ts';
import { commonWindow, outlyingWorkers } from '../workers/outliers.ts';
import { mergeSummaries } from './summaries.ts';

export interface MergeOptions {
  /** File with objectives, judged on the union. */
  readonly rules?: string | undefined;
  readonly summary?: string | undefined;
  /** What was meant by the whole run. */
  readonly plan?: string | undefined;
  /** File that gets the union as Parquet. */
  readonly out?: string | undefined;
}

export interface Merged {
  readonly text: string;
  readonly json: object;
  readonly exitCode: number;
  /** The system refused the file that was asked for. */
  readonly notWritten?: UserError;
}

/** Merges workers. Throws `UserError` (exit 3) when they do not add up to one run, naming the one that does not fit. */
export async function merge(paths: readonly string[], options: MergeOptions): Promise<Merged> {
  const inputs = await gather(paths);
  if (inputs.samples.length === 0 && inputs.documents.length > 1)
    return mergeOfSummaries(inputs.documents.map((file) => file.path));
  const wanted = Math.max(inputs.folders.length, paths.length);
  if (wanted < 2) throw new UserError('merge: name at least two workers');
  if (inputs.samples.length < wanted) {
    const bad = inputs.empty[0]?.path ?? inputs.documents[0]?.path ?? paths.join(', ');
    throw new UserError(`${bad}: no samples of this worker; without them the union is not the run`, EXIT.noVerdict);
  }
  return withSamples(
    {
      paths,
      rare: options.out !== undefined,
      ...optional('rules', options.rules),
      ...optional('summary', options.summary),
      ...optional('plan', options.plan),
    },
    async (database, analysis) => {
      const { workers } = analysis.facts;
      const { problems, unchecked } = checkWorkers(
        workers,
        analysis.facts.files.filter((file) => file.rows === 0).map((file) => file.path),
      );
      if (problems.length > 0) {
        throw new UserError(
          `merge refused: ${problems.map((problem) => `${problem.message} ${problem.remedy}`).join('; ')}`,
          EXIT.noVerdict,
        );
      }
      const notWritten =
        options.out === undefined || database === undefined ? undefined : await writeUnion(database, options.out);
      const window = commonWindow(workers);
      const outlying = outlyingWorkers(workers);
      const notes = [
        ...outlying.map((one) => `  ! ${visible(one.message)}`),
        ...unchecked.map((one) => `  i ${visible(one)}`),
      ];
      return {
        text: `${printWorkers(analysis, window?.seconds)}${notes.map((line) => `${line}\n`).join('')}\n${printAnalysis(analysis)}`,
        json: {
          ...analysisJson(analysis),
          merge: { workers, commonWindow: window ?? null, sick: outlying, unchecked },
        },
        exitCode: exitCodeOf(analysis),
        ...optional('notWritten', notWritten),
      };
    },
  );
}

function printWorkers({ facts }: Analysis, common: number | undefined): string {
  const start = smallest(facts.workers.map((worker) => worker.startMs));
  const rows = facts.workers.map((worker) => [
    worker.worker,
    worker.segment ?? '-',
    `+${((worker.startMs - start) / 1000).toFixed(2)} s`,
    `${((worker.endMs - worker.startMs) / 1000).toFixed(1)} s`,
    String(worker.requests),
    String(worker.failed),
    String(worker.finished),
    String(worker.dropped),
    worker.p50Ms?.toFixed(2) ?? '-',
    worker.p95Ms?.toFixed(2) ?? '-',
  ]);
  const head = ['worker', 'segment', 'start', 'length', 'requests', 'failed', 'finished', 'dropped', 'p50', 'p95'];
  const shared = common === undefined ? '' : `, ${common.toFixed(1)} s in common`;
  return `${facts.workers.length} workers${shared}\n${terminalTable([head, ...rows]).join('\n')}\n`;
}

/** The union in k6's column names, so that it can be analysed again. @returns why the file could not be written */
async function writeUnion(database: Database, path: string): Promise<UserError | undefined> {
  const select = `SELECT metric AS metric_name, make_timestamp(t) AS timestamp, v AS metric_value, check_name AS "check",
      error_code, CAST(expected AS VARCHAR) AS expected_response, grp AS "group", method, name, scenario, status,
      concat_ws('&', CASE WHEN tag_phase <> '' THEN 'phase=' || tag_phase END, CASE WHEN tag_flow <> '' THEN 'flow=' || tag_flow END,
        'worker=' || CASE WHEN tag_worker <> '' THEN tag_worker ELSE CAST(file AS VARCHAR) END) AS extra_tags
    FROM samples JOIN series USING (h) ORDER BY t`;
  try {
    await writeParquet(database, path, select);
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
}

function mergeOfSummaries(paths: readonly string[]): Merged {
  const texts = paths.map(readText);
  texts.forEach((one, i) => {
    const first = texts.indexOf(one);
    if (first < i)
      throw new UserError(
        `merge refused: ${paths[first]} and ${paths[i]} hold the same summary, whose counts would be added twice; leave one out`,
        EXIT.noVerdict,
      );
  });
  const merged = mergeSummaries(paths.map((path, i) => readSummary(path, texts[i] as string)));
  const why = 'percentiles of workers cannot be combined: raw samples needed (--out csv=samples.csv on each worker)';
  const rows = Object.entries(visibleAll(merged)).map(([key, metric]) => [
    key,
    Object.entries(metric.values)
      .map(([name, value]) => `${name}=${Number(value.toFixed(6))}`)
      .join(' '),
    metric.refused.length === 0 ? '' : `refused: ${metric.refused.join(', ')}`,
  ]);
  return {
    text: `${terminalTable([['metric', 'added up', ''], ...rows]).join('\n')}\n${why}\n`,
    json: { schemaVersion: 1, metrics: merged, refused: why },
    exitCode: EXIT.noVerdict,
  };
}
