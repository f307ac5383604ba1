/** `gate`: objectives judged on raw samples. */

import { Command, Option } from '@commander-js/extra-typings';
import { EXIT } from '../base/exit-codes.ts';
import { optional } from '../base/optional.ts';
import { jsonText } from '../base/terminal-text.ts';
import { UserError } from '../base/user-error.ts';
import { analyse } from '../verdict/analyse.ts';
import { gate, printGate } from '../verdict/gate.ts';

export function command() {
  return new Command('gate')
    .description('Judge objectives on raw samples (or on a summary): kept, crossed, or undecided.')
    .argument('[results...]', 'results folders, k6 CSV, NDJSON, Parquet or summaries')
    .option(
      '--rules <file>',
      'objectives as k6 thresholds, e.g. {"http_req_duration": ["p(95)<300"]}; they are added to those of the run',
    )
    .option('--summary <file>', 'summary that holds the thresholds of the run')
    .option('--plan <plan>', 'what was meant: rate=50,duration=4s,maxVUs=30')
    .option('--log <file>', 'what k6 printed: its console text, its standard error, or both')
    .addOption(
      new Option('--undecided <policy>', 'an objective inside its interval: refuse (exit 3), fail or pass')
        .choices(['refuse', 'fail', 'pass'] as const)
        .default('refuse'),
    )
    .option('--accept-unproven', 'let a test pass of which facts are missing, when nothing speaks against it')
    .option('--all', 'print the objectives too that were kept')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `\nExit codes: ${EXIT.ok} all kept (the test may be SUSPECT, which is printed), ${EXIT.thresholds} one crossed, ${EXIT.noVerdict} not decided (no samples, invalid or unproven test, nothing asserted).`,
    )
    .action(async (paths, flags) => {
      if (paths.length === 0 && flags.summary === undefined)
        throw new UserError('gate: name result files, a results folder, or --summary FILE');
      const analysis = await analyse({
        paths,
        ...optional('rules', flags.rules),
        ...optional('summary', flags.summary),
        ...optional('plan', flags.plan),
        ...optional('log', flags.log),
      });
      const result = gate(analysis, flags.undecided, flags.acceptUnproven === true);
      process.stdout.write(flags.json === true ? `${jsonText(result)}\n` : printGate(result, flags.all));
      process.exitCode = result.exitCode;
    });
}
