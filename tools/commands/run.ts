import { Command } from 'commander';
import type { RunOptions } from '../run/command.ts';
import { runFlags } from './run-flags.ts';

/** `run`: k6 with a results folder. */
export function command(): Command {
  const run = new Command('run')
    .description(
      "Run a scenario of the suite, or any k6 script, and keep its results in a folder of their own.\nThe exit code is k6's.",
    )
    .argument('[scenario]', 'name of a scenario (dist/<name>.js) or path of a script', 'bookstore-mix')
    .argument('[k6-options...]', 'after --: any option of `k6 run`, passed on');
  return runFlags(run)
    .addHelpText('after', '\nExample: bookstore-load run bookstore-mix -e RATE=50 --tag build=123 -- --http-debug')
    .action(async (scenario: string, words: string[], flags: RunOptions) => {
      const { runCommand } = await import('../run/command.ts');
      process.exitCode = await runCommand(scenario, words, flags);
    });
}
