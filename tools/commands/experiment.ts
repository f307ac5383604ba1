/** `experiment`: effects that a load test meets, shown on the reference bookstore with its fault knobs. */
import { Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { EXIT } from '../base/exit-codes.ts';
import type { None, OptionsOf } from '../base/options.ts';
import type { ExperimentOptions } from '../experiments/runs.ts';
import { RESULTS_FOLDER } from '../results/files.ts';
import { ENGINE_NAMES } from '../run/engine.ts';
import { collect, number } from './values.ts';

export function command() {
  return new Command('experiment')
    .description(
      'Show an effect on the reference bookstore, which is started for it and stopped afterwards: what a warm cache is worth,\nhow a blend of populations misleads, what a closed loop hides.',
    )
    .addCommand(coldWarm())
    .addCommand(blend())
    .addCommand(stall());
}

/** Flags that all experiments have. */
function common<Args extends unknown[], Opts extends OptionValues, Globals extends OptionValues>(
  command: Command<Args, Opts, Globals>,
) {
  return command
    .addOption(
      new Option('--engine <name>', 'what sends the load; default: k6 if found, else embedded').choices(ENGINE_NAMES),
    )
    .addOption(new Option('--database-url <url>', 'PostgreSQL to use; without it an embedded one').env('DATABASE_URL'))
    .option('--cache-ttl <seconds>', 'life of a cached details answer', number(0.1, 86_400), 60)
    .option('--results <folder>', 'folder that gets one folder a run', RESULTS_FOLDER)
    .option(
      '-e, --env <name=value>',
      'variable for every run, such as POPULARITY=uniform; repeat for more',
      collect,
      [],
    )
    .option('--seed <text>', 'seed of the sessions', '1')
    .option('-q, --quiet', 'say nothing while it goes on')
    .option('--json', 'print one JSON document');
}

type Flags = OptionsOf<typeof common<[], None, None>>;

function optionsOf({ engine, databaseUrl, ...flags }: Flags): ExperimentOptions {
  return {
    ...(engine !== undefined && { engine }),
    ...(databaseUrl && { databaseUrl }),
    results: flags.results,
    seed: flags.seed,
    env: flags.env,
    cacheTtl: flags.cacheTtl,
    json: flags.json === true,
    quiet: flags.quiet === true,
  };
}

/**
 * Lives of a cached answer that the warm-up lasts: what the first rush has filled runs out together one life later, and a
 * window that begins then would measure that wave.
 */
const WARMUP_LIVES = 1.5;

const EXIT_3 = `\nExit code ${EXIT.noVerdict} when a run was no valid test or dropped sessions`;

function coldWarm() {
  return common(new Command('cold-warm'))
    .description(
      'The same sessions twice: against a bookstore that was just started, and against a warmed-up one. Cold, warm and their\nratio stand apart: first touch and repeat, by popularity; hit ratio; from when on the warm-up is over.',
    )
    .option('--scenario <name>', 'scenario to run', 'book-details')
    .option('--rate <n>', 'sessions per second', number(0.1, 100_000), 600)
    .option('--seconds <n>', 'length of each measured window', number(1, 86_400), 30)
    .option(
      '--warmup <n>',
      'seconds of load before the warm window (default: one and a half lives of a cached answer)',
      number(1, 86_400),
    )
    .option('--purge', 'cold is a purged cache, not a fresh start')
    .option('--noise', 'warm against warm: whatever differs then is noise')
    .addHelpText(
      'after',
      `${EXIT_3}\nExit code ${EXIT.regression} with --noise when a difference was shown where there is none.`,
    )
    .action(async (flags) => {
      const { coldWarmCommand } = await import('../experiments/cold-warm/command.ts');
      process.exitCode = await coldWarmCommand({
        ...optionsOf(flags),
        scenario: flags.scenario,
        rate: flags.rate,
        seconds: flags.seconds,
        warmup: flags.warmup ?? Math.max(1, WARMUP_LIVES * flags.cacheTtl),
        purge: flags.purge === true,
        noise: flags.noise === true,
      });
    });
}

function blend() {
  return common(new Command('blend'))
    .description(
      'One run with three populations, as behind a gateway that gives up (200 at 280 ms, 503 at 5 s, 504 at 30 s, divided by\n--scale): what one percentile over all says, what each says, and what the verdict makes of it.',
    )
    .option('--rate <n>', 'requests per second', number(1, 10_000), 40)
    .option('--seconds <n>', 'length of the run', number(1, 86_400), 30)
    .option('--scale <n>', 'divides all times', number(0.1, 1000), 10)
    .addHelpText('after', `${EXIT_3}, or too few requests came for the rules to speak.`)
    .action(async (flags) => {
      const { blendCommand } = await import('../experiments/blend.ts');
      const { rate, seconds, scale } = flags;
      process.exitCode = await blendCommand({ ...optionsOf(flags), rate, seconds, scale });
    });
}

function stall() {
  return common(new Command('stall'))
    .description(
      'One stall of the system, met by a closed loop and by an open model of the same rate: what the closed loop hides, as a\nfactor between their p99.',
    )
    .option('--users <n>', 'users of the closed loop', number(1, 10_000), 5)
    .option('--seconds <n>', 'length of each run', number(5, 86_400), 25)
    .option('--stall <n>', 'length of the stall, s', number(0.1, 60), 1.4)
    .addHelpText('after', EXIT_3)
    .action(async (flags) => {
      const { stallCommand } = await import('../experiments/stall.ts');
      const { users, seconds, stall: length } = flags;
      process.exitCode = await stallCommand({ ...optionsOf(flags), users, seconds, stall: length });
    });
}
