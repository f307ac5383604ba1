/** The command `analyse`: parses its flags, analyses, prints and writes what was asked for. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EXIT } from '../exit-codes.ts';
import { chartData } from '../report/data.ts';
import { reportHtml } from '../report/html.ts';
import { reportJunit } from '../report/junit.ts';
import { reportMarkdown } from '../report/markdown.ts';
import { UserError } from '../user-error.ts';
import { type AnalyseOptions, type Analysis, withSamples } from './analyse.ts';
import type { Database } from './database.ts';
import { sniff } from './files.ts';
import { analysisJson } from './json.ts';
import { optional } from './plan.ts';
import { printAnalysis } from './print.ts';
import { csvToParquet } from './samples/convert.ts';
import { readLimits } from './verdict/limits.ts';

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

/** Runs the command and gives its exit code. */
export async function analyseCommand(paths: readonly string[], flags: AnalyseFlags): Promise<number> {
  const options = analyseOptions(paths, flags);
  return withSamples(options, async (database, analysis) => {
    const written = await writeFiles(database, analysis, paths, flags);
    if (flags.json === true) process.stdout.write(`${JSON.stringify(analysisJson(analysis))}\n`);
    else if (flags.markdown === true) process.stdout.write(reportMarkdown(analysis));
    else {
      process.stdout.write(printAnalysis(analysis));
      for (const path of written) process.stdout.write(`Written: ${path}\n`);
    }
    return exitCodeOf(analysis);
  });
}

async function writeFiles(
  database: Database | undefined,
  analysis: Analysis,
  paths: readonly string[],
  flags: AnalyseFlags,
): Promise<string[]> {
  const written: string[] = [];
  const [csv] = flags.parquet === true ? analysis.facts.files.filter((file) => file.format === 'csv') : [];
  if (csv !== undefined && database !== undefined) written.push(await csvToParquet(database, await sniff(csv.path)));
  const write = (path: string, content: string) => {
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    } catch (error) {
      throw new UserError(`${path}: cannot be written (${error instanceof Error ? error.message : String(error)})`);
    }
    written.push(path);
  };
  // A results folder gets its report and verdict; a foreign file's neighbourhood is left alone.
  const folder = paths.length === 1 && analysis.facts.run !== undefined ? paths[0] : undefined;
  const report = flags.report ?? (folder === undefined ? undefined : join(folder, ANALYSIS_FILES.report));
  if (report !== undefined) {
    write(report, reportHtml(analysis, database === undefined ? undefined : await chartData(database, analysis)));
  }
  if (folder !== undefined)
    write(join(folder, ANALYSIS_FILES.verdict), `${JSON.stringify(analysisJson(analysis), null, 1)}\n`);
  if (typeof flags.markdown === 'string') write(flags.markdown, reportMarkdown(analysis));
  if (flags.junit !== undefined) write(flags.junit, reportJunit(analysis));
  return written;
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
