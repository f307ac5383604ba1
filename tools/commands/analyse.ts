import { Command } from 'commander';
import { EXIT } from '../base/exit-codes.ts';
import type { AnalyseFlags } from '../verdict/command.ts';

/** `analyse`: the verdict on a test and its populations, from raw samples. */
export function command(): Command {
  return new Command('analyse')
    .description('Say whether a test was valid and what it measured, from the results of any k6 run.')
    .argument('<results...>', 'results folders, k6 CSV, NDJSON (.gz too), Parquet, summaries, k6 logs')
    .option(
      '--plan <plan>',
      'what was meant: rate=50,duration=4s,maxVUs=30, or a file from k6 inspect --execution-requirements',
    )
    .option('--summary <file>', "summary with the run's thresholds (handleSummary or --summary-export)")
    .option('--log <file>', "k6's own log (standard error)")
    .option('--rules <file>', 'objectives as k6 thresholds, e.g. {"http_req_duration": ["p(95)<300"]}')
    .option(
      '--by <tag>',
      'split populations by this tag too; repeat for more',
      (value: string, all: string[]) => [...all, value],
      [],
    )
    .option('--limits <file>', 'your own limits of the verdict, in the form of thresholds/validity.json')
    .option('--memory <MB>', 'memory limit of the database')
    .option('--report <file>', 'write the HTML report here (default: report.html in a results folder)')
    .option('--markdown [file]', 'print Markdown for a pull request, or write it to the file')
    .option('--junit <file>', 'write the objectives and the verdict as JUnit XML')
    .option('--parquet', 'keep the samples of a results folder as samples.parquet (a tenth of the size, all columns)')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `\nExit codes: ${EXIT.ok} valid or suspect (read the reasons), ${EXIT.thresholds} an objective was crossed, ${EXIT.noVerdict} the test is invalid or cannot be read,\n${EXIT.usage} a file that was asked for cannot be written, or wrong usage.`,
    )
    .action(async (paths: string[], flags: AnalyseFlags) => {
      const { analyseCommand } = await import('../verdict/command.ts');
      process.exitCode = await analyseCommand(paths, flags);
    });
}
