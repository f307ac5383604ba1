import { Command, Option } from 'commander';
import { EXIT } from '../base/exit-codes.ts';
import type { GateFlags } from '../verdict/gate-command.ts';

/** `gate`: objectives judged on raw samples. */
export function command(): Command {
  return new Command('gate')
    .description('Judge objectives on raw samples (or on a summary): passed, failed, or not decided.')
    .argument('[results...]', 'results folders, k6 CSV, NDJSON, Parquet or summaries')
    .option(
      '--rules <file>',
      'objectives as k6 thresholds, e.g. {"http_req_duration": ["p(95)<300"]}; they are added to those of the run',
    )
    .option('--summary <file>', 'summary that holds the thresholds of the run')
    .option('--plan <plan>', 'what was meant: rate=50,duration=4s,maxVUs=30')
    .option('--log <file>', "k6's own log")
    .addOption(
      new Option('--undecided <policy>', 'an objective inside its interval: refuse (exit 3), fail or pass')
        .choices(['refuse', 'fail', 'pass'])
        .default('refuse'),
    )
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `\nExit codes: ${EXIT.ok} all kept (the test may be SUSPECT, which is printed), ${EXIT.thresholds} one crossed, ${EXIT.noVerdict} not decided (no samples, invalid test, nothing asserted).`,
    )
    .action(async (paths: string[], flags: GateFlags) => {
      const { gateCommand } = await import('../verdict/gate-command.ts');
      process.exitCode = await gateCommand(paths, flags);
    });
}
