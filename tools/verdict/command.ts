/** The command `analyse`: parses its flags, analyses, prints and writes what was asked for. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../base/exit-codes.ts';
import { optional } from '../base/optional.ts';
import { type Output, output, writeOutputs } from '../base/output-file.ts';
import { UserError } from '../base/user-error.ts';
import { chartData } from '../report/data.ts';
import { reportHtml } from '../report/html.ts';
import { reportJunit } from '../report/junit.ts';
import { reportMarkdown } from '../report/markdown.ts';
import { type AnalyseOptions, type Analysis, withSamples } from './analyse.ts';
import type { Database } from './database.ts';
import { sniff } from './files.ts';
import { analysisJson } from './json.ts';
import { readLimits } from './limits.ts';
import { printAnalysis } from './print.ts';
import { csvToParquet } from './samples/convert.ts';

/** Options of the command line; `tools/commands/` says what each means. */
export interface AnalyseFlags {
  readonly plan?: string;
  readonly summary?: string;
  readonly log?: string;
  readonly rules?: string;
  readonly by: string[];
  readonly limits?: string;
  readonly memory?: string;
  readonly report?: string;
  readonly markdown?: string | true;
  readonly junit?: string;
  readonly parquet?: boolean;
  readonly json?: boolean;
}

/** Files that `analyse` adds to a results folder. */
export const ANALYSIS_FILES = { report: 'report.html', verdict: 'verdict.json' } as const;

/** Runs the command and gives its exit code: 2 when a file that was asked for could not be written. */
export async function analyseCommand(paths: readonly string[], flags: AnalyseFlags): Promise<number> {
  const options = analyseOptions(paths, flags);
  return withSamples(options, async (database, analysis) => {
    const exitCode = await writeOutputs(outputsOf(database, analysis, paths, flags), (written) => {
      if (flags.json === true) process.stdout.write(`${JSON.stringify(analysisJson(analysis))}\n`);
      else if (flags.markdown === true) process.stdout.write(reportMarkdown(analysis));
      else process.stdout.write(printAnalysis(analysis) + written.map((path) => `Written: ${path}\n`).join(''));
    });
    return exitCode ?? exitCodeOf(analysis);
  });
}

/** What is to be written beside what is printed. */
function outputsOf(
  database: Database | undefined,
  analysis: Analysis,
  paths: readonly string[],
  { report, markdown, junit, parquet }: AnalyseFlags,
): Output[] {
  const outputs: Output[] = [];
  const [csv] = parquet === true ? analysis.facts.files.filter((file) => file.format === 'csv') : [];
  if (csv !== undefined && database !== undefined)
    outputs.push({ asked: true, write: async () => csvToParquet(database, await sniff(csv.path)) });
  const html = async () =>
    reportHtml(analysis, database === undefined ? undefined : await chartData(database, analysis));
  // A results folder gets its report and verdict; the neighbourhood of a file is left alone.
  const [folder] = paths.length === 1 && analysis.facts.run !== undefined ? paths.filter(isFolder) : [];
  if (report !== undefined) outputs.push(output(report, true, html));
  if (folder !== undefined) {
    if (report === undefined) outputs.push(output(join(folder, ANALYSIS_FILES.report), false, html));
    const json = () => `${JSON.stringify(analysisJson(analysis), null, 1)}\n`;
    outputs.push(output(join(folder, ANALYSIS_FILES.verdict), false, json));
  }
  if (typeof markdown === 'string') outputs.push(output(markdown, true, () => reportMarkdown(analysis)));
  if (junit !== undefined) outputs.push(output(junit, true, () => reportJunit(analysis)));
  return outputs;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

export function analyseOptions(paths: readonly string[], flags: AnalyseFlags): AnalyseOptions {
  const memoryMb = flags.memory === undefined ? undefined : Number(flags.memory);
  if (memoryMb !== undefined && !(memoryMb >= 64))
    throw new UserError(`--memory ${flags.memory}: give megabytes, at least 64`);
  return {
    paths,
    by: flags.by,
    byMustExist: true,
    ...optional('plan', flags.plan),
    ...optional('summary', flags.summary),
    ...optional('log', flags.log),
    ...optional('rules', flags.rules),
    ...optional('memoryMb', memoryMb),
    ...optional('limits', flags.limits === undefined ? undefined : readLimits(flags.limits)),
  };
}

/** 3 for an invalid test even when every objective was kept; else 99 when one was crossed. */
export function exitCodeOf(analysis: Analysis): number {
  if (analysis.verdict.status === 'INVALID') return EXIT.noVerdict;
  return analysis.objectives.some((one) => one.outcome === 'crossed') ? EXIT.thresholds : EXIT.ok;
}
