/** `merge`: several workers of one run, as one. */
import { Command } from '@commander-js/extra-typings';
import { EXIT } from '../base/exit-codes.ts';
import type { OptionsOf } from '../base/options.ts';
import { jsonText, visible } from '../base/terminal-text.ts';
import { merge } from '../verdict/merge/merge.ts';

const declaration = () =>
  new Command('merge')
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
    );

export function command() {
  return declaration().action(async (paths, flags) => {
    process.exitCode = await mergeCommand(paths, flags);
  });
}

type Flags = OptionsOf<typeof declaration>;

/** Runs the command and gives its exit code. */
export async function mergeCommand(paths: readonly string[], flags: Flags): Promise<number> {
  const { text, json, exitCode, notWritten } = await merge(paths, flags);
  process.stdout.write(flags.json === true ? `${jsonText(json)}\n` : text);
  if (notWritten === undefined) return exitCode;
  process.stderr.write(`bookstore-load: ${visible(notWritten.message)}\n`);
  return notWritten.exitCode;
}
