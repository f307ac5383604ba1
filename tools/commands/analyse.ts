/** `analyse`: the verdict on a test and its populations, from raw samples. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { EXIT } from '../base/exit-codes.ts';
import { optional } from '../base/optional.ts';
import type { OptionsOf } from '../base/options.ts';
import { type Output, output, writeOutputs } from '../base/output-file.ts';
import { jsonText, visible } from '../base/terminal-text.ts';
import { UserError } from '../base/user-error.ts';
import { chartData } from '../report/data.ts';
import { reportHtml } from '../report/html.ts';
import { reportJunit } from '../report/junit.ts';
import { reportMarkdown } from '../report/markdown.ts';
import { type AnalyseOptions, type Analysis, withSamples } from '../verdict/analyse.ts';
import type { Database } from '../verdict/database.ts';
import { exitCodeOf } from '../verdict/exit-code.ts';
import { sniff } from '../verdict/files.ts';
import { analysisJson } from '../verdict/json.ts';
import { readLimits } from '../verdict/limits.ts';
import { printAnalysis } from '../verdict/print.ts';
import { csvToParquet } from '../verdict/samples/convert.ts';
import { collect } from './values.ts';

const declaration = () =>
  new Command('analyse')
    .description('Say whether a test was valid and what it measured, from the results of any k6 run.')
    .argument('<results...>', 'results folders, k6 CSV, NDJSON (.gz too), Parquet, summaries, k6 logs')
    .option(
      '--plan <plan>',
      'what was meant: rate=50,duration=4s,maxVUs=30, or a file from k6 inspect --execution-requirements',
    )
    .option('--summary <file>', "summary with the run's thresholds (handleSummary or --summary-export)")
    .option('--log <file>', 'what k6 printed: its console text, its standard error, or both')
    .option('--rules <file>', 'objectives as k6 thresholds, e.g. {"http_req_duration": ["p(95)<300"]}')
    .option('--by <tag>', 'split populations by this tag too; repeat for more', collect, [])
    .option('--limits <file>', 'your own limits of the verdict, in the form of thresholds/validity.json')
    .option('--memory <MB>', 'memory limit of the database')
    .option('--report <file>', 'write the HTML report here (default: report.html in a results folder)')
    .option('--markdown [file]', 'print Markdown for a pull request, or write it to the file')
    .option('--junit <file>', 'write the objectives and the verdict as JUnit XML')
    .option('--parquet', 'keep the samples of a results folder as samples.parquet (a tenth of the size, all columns)')
    .option('--all', 'print everything: kept objectives, limits, other phases, why rules were not judged')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `\nExit codes: ${EXIT.ok} valid, suspect (read the reasons) or unproven (facts are missing), ${EXIT.thresholds} an objective was crossed, ${EXIT.noVerdict} the test is invalid or cannot be read,\n${EXIT.usage} a file that was asked for cannot be written, or wrong usage.`,
    );

export function command() {
  return declaration().action(async (paths, flags) => {
    process.exitCode = await analyseCommand(paths, flags);
  });
}

type Flags = OptionsOf<typeof declaration>;

/** Files that `analyse` adds to a results folder. */
export const ANALYSIS_FILES = { report: 'report.html', verdict: 'verdict.json' } as const;

/** Runs the command and gives its exit code: 2 when a file that was asked for could not be written. */
export async function analyseCommand(paths: readonly string[], flags: Flags): Promise<number> {
  const options = analyseOptions(paths, flags);
  return withSamples(options, async (database, analysis) => {
    const exitCode = await writeOutputs(outputsOf(database, analysis, paths, flags), (written) => {
      if (flags.json === true) process.stdout.write(`${jsonText(analysisJson(analysis))}\n`);
      else if (flags.markdown === true) process.stdout.write(reportMarkdown(analysis));
      else
        process.stdout.write(
          printAnalysis(analysis, flags.all) + written.map((path) => `Written: ${visible(path)}\n`).join(''),
        );
    });
    return exitCode ?? exitCodeOf(analysis);
  });
}

/** What is to be written beside what is printed. */
function outputsOf(
  database: Database | undefined,
  analysis: Analysis,
  paths: readonly string[],
  { report, markdown, junit, parquet }: Flags,
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
    const json = () => `${jsonText(analysisJson(analysis), 1)}\n`;
    outputs.push(output(join(folder, ANALYSIS_FILES.verdict), false, json));
  }
  if (typeof markdown === 'string') outputs.push(output(markdown, true, () => reportMarkdown(analysis)));
  if (junit !== undefined) outputs.push(output(junit, true, () => reportJunit(analysis)));
  return outputs;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

export function analyseOptions(paths: readonly string[], flags: Flags): AnalyseOptions {
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
