import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { chooseEngine } from '../run/choose-engine.ts';
import { exitCodeOf, report } from '../run/closing-lines.ts';
import type { Engine } from '../run/engine.ts';
import { type RunOptions, requestOf } from '../run/request.ts';
import { executeRun } from '../run/run.ts';
import { runFlags } from './run-flags.ts';

/** `run`: k6 with a results folder. */
export function command() {
  const run = new Command('run')
    .description(
      "Run a scenario of the suite, or any k6 script, and keep its results in a folder of their own.\nThe exit code is k6's.",
    )
    .argument('[scenario]', 'name of a scenario (dist/<name>.js) or path of a script', 'bookstore-mix')
    .argument('[k6-options...]', 'after --: any option of `k6 run`, passed on');
  return runFlags(run)
    .option(
      '--workers <n>',
      'share the run between this many processes by execution segments, start them together and judge their union',
      workers,
    )
    .addHelpText(
      'after',
      '\nWith --workers the union of the workers decides: 0, 99 when it crossed an objective, 3 when it is no valid run; the code\nof a worker that failed comes first.',
    )
    .addHelpText('after', '\nExample: bookstore-load run bookstore-mix -e RATE=50 --tag build=123 -- --http-debug')
    .action(async (scenario, words, flags) => {
      process.exitCode = await runCommand(scenario, words, flags);
    });
}

/** More processes than this do not start together on one machine. */
const MOST_WORKERS = 64;

function workers(text: string): number {
  const n = Number(text);
  if (!Number.isInteger(n) || n < 1 || n > MOST_WORKERS)
    throw new InvalidArgumentError(`Give a whole number from 1 to ${MOST_WORKERS}.`);
  return n;
}

/**
 * @param words options of k6 itself
 * @param engine what executes it; chosen here when not given
 * @returns the exit code: k6's
 * @throws UserError for anything that is wrong before the run.
 */
export async function runCommand(
  scenario: string,
  words: readonly string[],
  options: RunOptions,
  engine?: Engine,
): Promise<number> {
  const request = requestOf(scenario, words, options);
  const chosen = engine ?? (await chooseEngine(options.engine));
  if (options.workers !== undefined) {
    const { runWorkers } = await import('./run-workers.ts');
    return runWorkers(chosen, request, options.workers, options.json === true);
  }
  const result = await executeRun(chosen, request);
  report(result, request.quiet, options.json === true);
  return exitCodeOf(result);
}
