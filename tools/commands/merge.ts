import { Command } from 'commander';
import { EXIT } from '../base/exit-codes.ts';
import type { MergeFlags } from '../verdict/merge/command.ts';

/** `merge`: several workers of one run, as one. */
export function command(): Command {
  return new Command('merge')
    .description('Judge several workers of one run together: percentiles from the union of their samples.')
    .argument(
      '<workers...>',
      'results folders or sample files, one a worker, or the folder of `run --workers`; or summaries, of which only counters add up',
    )
    .option('--rules <file>', 'objectives, judged on the union')
    .option('--summary <file>', 'summary of one worker, for its thresholds')
    .option('--plan <plan>', 'plan of the whole run: rate=50,duration=4s,maxVUs=30')
    .option('--out <file>', 'write the union as Parquet')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `\nExit codes: ${EXIT.ok} valid or suspect (read the reasons), ${EXIT.thresholds} an objective was crossed, ${EXIT.noVerdict} doubled, missing or mismatched workers.`,
    )
    .action(async (paths: string[], flags: MergeFlags) => {
      const { mergeCommand } = await import('../verdict/merge/command.ts');
      process.exitCode = await mergeCommand(paths, flags);
    });
}
