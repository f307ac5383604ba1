import { Command } from 'commander';
import { EXIT } from '../base/exit-codes.ts';
import type { CompareFlags } from '../verdict/compare/command.ts';
import { collect } from './collect.ts';

/** `compare`: B against A. */
export function command(): Command {
  return new Command('compare')
    .description('Compare two runs per endpoint (2xx answers), with intervals that hold under autocorrelation.')
    .argument('<A>', 'results folder or sample file: what was before')
    .argument('[B]', 'results folder or sample file: what is now')
    .option('--a <results>', 'a further repetition of A; repeat for more', collect, [])
    .option('--b <results>', 'a further repetition of B; repeat for more', collect, [])
    .option('--noise', 'A and B are the same: state the noise floor')
    .option('--plan', 'from A alone: how long two such tests must be to show a change')
    .option('--change <percent>', 'change that --plan is about, % of A', '10')
    .option('--min-ms <ms>', 'smallest difference worth a word, ms', '1')
    .option('--min-percent <percent>', 'smallest difference worth a word, % of A', '5')
    .option('--anyway', 'print the comparison even when the runs are not comparable (the exit code stays)')
    .option('--report <file>', "write B's HTML report with A's quantile spectrum drawn into it")
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `\nExit codes: ${EXIT.ok} no regression shown, ${EXIT.regression} regression, ${EXIT.noVerdict} not comparable.`,
    )
    .action(async (a: string, b: string | undefined, flags: CompareFlags) => {
      const { compareCommand } = await import('../verdict/compare/command.ts');
      process.exitCode = await compareCommand(a, b, flags);
    });
}
