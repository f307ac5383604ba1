import { Command } from '@commander-js/extra-typings';
import { start } from '../start/start.ts';
import { runFlags } from './run-flags.ts';

/** `start`: everything on loopback, one command. */
export function command() {
  const declaration = new Command('start')
    .description(
      'Start the bookstore and a payment stub on loopback, run a scenario against them for a minute, show the result.',
    )
    .argument('[k6-options...]', 'after --: any option of `k6 run`, passed on')
    .option('--scenario <name>', 'scenario to run', 'bookstore-mix')
    .option('--duration <time>', 'length of the load, such as 90s or 3m', '60s')
    .option('--rate <n>', "sessions per second (default: the workload's)")
    .option('--database-url <url>', 'PostgreSQL to use (default: DATABASE_URL, else an embedded one)');
  return runFlags(declaration).action(async (words, flags) => {
    process.exitCode = await start(words, flags);
  });
}
