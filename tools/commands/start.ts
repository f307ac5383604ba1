/** The whole demonstration in one command: bookstore and payment stub on loopback, the load, the result, everything gone. */
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { durationSeconds } from '../../lib/k6/duration.ts';
import { rangeOf, read, type Variable } from '../../lib/plan/variable.ts';
import { DURATION, RATE } from '../../lib/plan/variables.ts';
import type { OptionsOf } from '../base/options.ts';
import { packageRoot } from '../base/package.ts';
import { UserError } from '../base/user-error.ts';
import { chooseEngine } from '../run/choose-engine.ts';
import { readK6Arguments } from '../run/k6-arguments.ts';
import { findScript, packageDist } from '../run/script.ts';
import { catchSignals, STOPPED } from '../start/early-signals.ts';
import { type Server, type ServerSpec, startServer } from '../start/server.ts';
import { runCommand } from './run.ts';
import { runFlags } from './run-flags.ts';

/**
 * A run that is shorter than the mix decides its own objectives in: objectives that a minute decides, and a warm-up, for the
 * first seconds of a bookstore that has just started are several times as slow as the rest.
 */
const SHORT = { seconds: 180, THRESHOLDS: 'ci', WARMUP: '10s' } as const;
const MIX = 'bookstore-mix';

const declaration = () =>
  runFlags(
    new Command('start')
      .description(
        'Start the bookstore and a payment stub on loopback, run a scenario against them for a minute, show the result.',
      )
      .argument('[k6-options...]', 'after --: any option of `k6 run`, passed on')
      .option('--scenario <name>', 'scenario to run', MIX)
      .option('--duration <time>', 'length of the load, such as 90s or 3m', '60s')
      .option('--rate <n>', "sessions per second (default: the workload's)")
      .option('--database-url <url>', 'PostgreSQL to use (default: DATABASE_URL, else an embedded one)'),
  );

/** `start`: everything on loopback, one command. */
export function command() {
  return declaration().action(async (words, flags) => {
    process.exitCode = await start(words, flags);
  });
}

type Flags = OptionsOf<typeof declaration>;

/** The embedded database takes seconds to fill; a busy machine takes several times as long. */
const BOOKSTORE_READY_MS = 180_000;
const STUB_READY_MS = 30_000;

/**
 * @param words options of k6 itself
 * @returns the exit code: the engine's, or 128 + n when a signal came before the load began
 * @throws UserError before any load when something is missing
 */
async function start(words: readonly string[], options: Flags): Promise<number> {
  checkOption('--duration', DURATION, options.duration);
  if (options.rate !== undefined) checkOption('--rate', RATE, options.rate);
  refuseOwnVariables(words, options.env);
  // Whatever the current folder holds, the bookstore's.
  const script = findScript(options.scenario, [packageDist()]);
  const engine = await chooseEngine(options.engine);
  const say = (line: string): void => {
    if (options.quiet !== true) process.stderr.write(`${line}\n`);
  };
  const servers: Server[] = [];
  const early = catchSignals();
  try {
    say('starting the payment stub and the bookstore on loopback …');
    const stub = await startServer(stubSpec(), early.signal);
    servers.push(stub);
    const bookstore = await startServer(bookstoreSpec(stub.url, options), early.signal);
    servers.push(bookstore);
    say(
      `bookstore at ${bookstore.url} (${options.databaseUrl ? 'PostgreSQL' : 'embedded database'}), payment stub at ${stub.url}`,
    );
    say(
      `${options.scenario} with ${engine.name} ${engine.version}: ${options.duration} of load, then the open sessions end`,
    );
    early.endAtOnce();
    const code = await runCommand(script.file, words, { ...options, env: variables(bookstore.url, options) }, engine);
    for (const server of servers) {
      const why = server.gone();
      if (why !== undefined) process.stderr.write(`bookstore-load: the ${server.name} ended during the run (${why})\n`);
    }
    return code;
  } catch (error) {
    if (early.signal.aborted) {
      process.stderr.write(STOPPED);
      return early.exitCode();
    }
    throw error;
  } finally {
    early.release();
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** @throws UserError when the option's value is none that the suite's variable takes */
function checkOption(option: string, variable: Variable, value: string): void {
  try {
    read(variable, { [variable.name]: value });
  } catch {
    throw new UserError(`${option} ${value}: give ${rangeOf(variable)}`);
  }
}

/** Variables that `start` sets, and what to use instead of `-e`. */
const OWN_VARIABLES: Readonly<Record<string, string>> = {
  BASE_URL: '`bookstore-load run`, since `start` aims at the bookstore that it starts',
  DURATION: '--duration',
  RATE: '--rate',
};

/**
 * `start` announces what it sets; another value by `-e` would make that untrue.
 * @throws UserError naming the option to use instead
 */
function refuseOwnVariables(words: readonly string[], given: readonly string[]): void {
  const names = [...given.map((text) => text.split('=', 1)[0] ?? ''), ...Object.keys(readK6Arguments(words).env)];
  for (const name of names) {
    const instead = Object.hasOwn(OWN_VARIABLES, name) ? OWN_VARIABLES[name] : undefined;
    if (instead !== undefined) throw new UserError(`-e ${name}: \`start\` sets it itself; use ${instead}`);
  }
}

/** What the user gave with -e comes beside what `start` sets. */
function variables(url: string, options: Flags): string[] {
  const own = [`BASE_URL=${url}`, `DURATION=${options.duration}`];
  const seconds = durationSeconds(options.duration) ?? SHORT.seconds;
  const given = (name: string) => name in process.env || options.env.some((text) => text.startsWith(`${name}=`));
  if (options.scenario === MIX && seconds < SHORT.seconds && !given('PROFILE') && !given('CACHE')) {
    for (const name of ['THRESHOLDS', 'WARMUP'] as const) if (!given(name)) own.push(`${name}=${SHORT[name]}`);
  }
  if (options.rate !== undefined) own.push(`RATE=${options.rate}`);
  return [...own, ...options.env];
}

function cli(...args: string[]): Pick<ServerSpec, 'program' | 'args'> {
  return { program: process.execPath, args: [join(packageRoot(), 'bin', 'bookstore-load.mjs'), ...args] };
}

function stubSpec(): ServerSpec {
  return { name: 'payment stub', ...cli('payment-stub', '--json'), readyMs: STUB_READY_MS };
}

function bookstoreSpec(paymentUrl: string, options: Flags): ServerSpec {
  const database = options.databaseUrl === undefined ? [] : ['--database-url', options.databaseUrl];
  const args = cli('bookstore', '--json', '--admin', '--payment-url', paymentUrl, ...database);
  return { name: 'bookstore', ...args, readyMs: BOOKSTORE_READY_MS };
}
