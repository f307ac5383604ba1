/**
 * Routes the command line; each command lives in a file of its own and is loaded only when it is asked for, so that
 * `--help` does not pay for DuckDB, PGlite or fastify.
 */
import { Command, CommanderError } from 'commander';
import { EXIT } from './base/exit-codes.ts';
import { asksForJson, jsonErrors } from './base/json-errors.ts';
import { systemReason } from './base/output-file.ts';
import { packageVersion } from './base/package.ts';
import { UserError } from './base/user-error.ts';
import { STOP_WITH_PARENT, stopWithParent } from './start/stop-with-parent.ts';

interface CommandEntry {
  readonly summary: string;
  /** Loads the command; its action may set `process.exitCode` or throw `UserError`. */
  readonly load: () => Promise<{ command: () => Command }>;
}

const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  start: {
    summary: 'Bookstore, payment stub and a minute of load on loopback, in one command.',
    load: () => import('./commands/start.ts'),
  },
  run: {
    summary: 'Run a scenario with k6 and keep its results.',
    load: () => import('./commands/run.ts'),
  },
  rehearse: {
    summary: 'Rehearse a scenario on a virtual clock: what it will need and show, before any load is sent.',
    load: () => import('./commands/rehearse.ts'),
  },
  traffic: {
    summary: 'Turn access logs into a workload: mix, sessions, think times, popularity, arrivals.',
    load: () => import('./commands/traffic.ts'),
  },
  analyse: {
    summary: 'Say whether a test was valid and what it measured.',
    load: () => import('./commands/analyse.ts'),
  },
  compare: {
    summary: 'Compare two runs, with intervals that hold under autocorrelation.',
    load: () => import('./commands/compare.ts'),
  },
  merge: {
    summary: 'Judge several workers of one run together.',
    load: () => import('./commands/merge.ts'),
  },
  gate: {
    summary: 'Judge objectives on raw samples: passed, failed, or not decided.',
    load: () => import('./commands/gate.ts'),
  },
  experiment: {
    summary: 'Show what a warm cache, a blend of populations or a closed loop does to the numbers.',
    load: () => import('./commands/experiment.ts'),
  },
  bookstore: {
    summary: 'Start the reference bookstore, the system under test.',
    load: () => import('../bookstore/command.ts'),
  },
  'payment-stub': {
    summary: 'Start a stand-in for the payment provider.',
    load: () => import('../bookstore/payments/command.ts'),
  },
  data: {
    summary: 'Generate the catalogue, or check and import your own.',
    load: () => import('./commands/data.ts'),
  },
  bench: {
    summary: 'Measure what the suite costs the load generator.',
    load: () => import('./lab/commands/bench.ts'),
  },
  embedded: {
    summary: 'Run or inspect a k6 script with the embedded engine.',
    load: () => import('./commands/embedded.ts'),
  },
};

async function main(argv: readonly string[]): Promise<void> {
  // `help run` needs the command itself as much as `run` does.
  const name = argv[2] === 'help' ? argv[3] : argv[2];
  const entry = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const program = new Command('bookstore-load')
    .enablePositionalOptions()
    .description('A k6 load-test suite and the tools that make its numbers worth believing.')
    .version(packageVersion())
    .showHelpAfterError('(run with --help for usage)')
    .exitOverride();
  for (const [commandName, { summary }] of Object.entries(COMMANDS)) {
    if (commandName !== name) program.command(commandName).description(summary);
  }
  if (entry !== undefined) program.addCommand(inheritExit((await entry.load()).command()));
  await program.parseAsync(argv as string[]);
}

/** Commander ends the process itself on a usage error unless every level is told not to. */
function inheritExit(command: Command): Command {
  command.exitOverride().showHelpAfterError('(run with --help for usage)');
  for (const child of command.commands) inheritExit(child);
  return command;
}

if (process.env[STOP_WITH_PARENT] === '1') stopWithParent();

// A reader such as `head` that has seen enough is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  const reason = systemReason(error);
  if (reason === undefined) throw error;
  process.stderr.write(`bookstore-load: standard output: cannot be written (${reason}); send it elsewhere\n`);
  process.exit(EXIT.usage);
});

const sayInJson = asksForJson(process.argv.slice(2)) ? jsonErrors(process.stdout) : undefined;

main(process.argv).catch((error: unknown) => {
  if (error instanceof CommanderError) {
    const fine = error.exitCode === 0 || error.code === 'commander.helpDisplayed';
    process.exitCode = fine ? EXIT.ok : EXIT.usage;
    // Commander has said it on standard error.
    if (!fine) sayInJson?.(error.message.replace(/^error: /, ''), EXIT.usage);
  } else if (error instanceof UserError) {
    refuse(error.message, error.exitCode);
  } else if (systemReason(error) !== undefined) {
    // A file or a folder that the system refuses is no fault of the program.
    const { path } = error as NodeJS.ErrnoException;
    refuse(`${path === undefined ? '' : `${path}: `}${systemReason(error)}`, EXIT.usage);
  } else {
    throw error;
  }
});

function refuse(message: string, exitCode: number): void {
  process.stderr.write(`bookstore-load: ${message}\n`);
  sayInJson?.(message, exitCode);
  process.exitCode = exitCode;
}
