import { Command } from 'commander';
import { RESULTS_FOLDER } from '../results/files.ts';

interface RunFlags {
  readonly env: string[];
  readonly tag: string[];
  readonly out: string[];
  readonly results: string;
  readonly samples: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** `run`: k6 with a results folder. */
export function command(): Command {
  return new Command('run')
    .description(
      "Run a scenario of the suite, or any k6 script, and keep its results in a folder of their own.\nThe exit code is k6's.",
    )
    .argument('[scenario]', 'name of a scenario (dist/<name>.js) or path of a script', 'bookstore-mix')
    .argument('[k6-options...]', 'after --: any option of `k6 run`, passed on')
    .option('-e, --env <name=value>', 'variable for the script; repeat for more', collect, [])
    .option('--tag <name=value>', "tag of every sample, besides the script's own; repeat for more", collect, [])
    .option('-o, --out <output>', 'further k6 output, besides samples.csv; repeat for more', collect, [])
    .option('--results <folder>', 'folder that gets one folder a run', RESULTS_FOLDER)
    .option('--no-samples', 'write no samples.csv (cheaper, but nothing can be analysed afterwards)')
    .option('-q, --quiet', 'no progress, only what k6 prints at the end')
    .option('--json', "print one JSON document at the end; k6's own output goes to standard error")
    .addHelpText('after', '\nExample: bookstore-load run bookstore-mix -e RATE=50 --tag build=123 -- --http-debug')
    .action(async (scenario: string, words: string[], flags: RunFlags) => {
      const { runCommand } = await import('../run/command.ts');
      process.exitCode = await runCommand(scenario, words, flags);
    });
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}
