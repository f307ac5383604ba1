/**
 * A program of several commands; each is loaded only when it is asked for, so that `--help` does not pay for DuckDB, PGlite
 * or fastify.
 */
import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { EXIT } from './exit-codes.ts';
import { asksForJson, jsonErrors } from './json-errors.ts';
import { systemReason } from './output-file.ts';
import { packageVersion } from './package.ts';
import { visibleLines } from './terminal-text.ts';
import { UserError } from './user-error.ts';

export interface CommandEntry {
  readonly summary: string;
  /** Loads the command; its action may set `process.exitCode` or throw `UserError`. */
  readonly load: () => Promise<{ command: () => CommandUnknownOpts }>;
}

export interface Program {
  /** As it is called in `--help`. */
  readonly name: string;
  readonly description: string;
  readonly commands: Readonly<Record<string, CommandEntry>>;
}

/** Routes this process's command line; says every mistake of a user in one sentence and sets the exit code. */
export function runProgram(program: Program): void {
  // A reader such as `head` that has seen enough is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    const reason = systemReason(error);
    if (reason === undefined) throw error;
    process.stderr.write(`bookstore-load: standard output: cannot be written (${reason}); send it elsewhere\n`);
    process.exit(EXIT.usage);
  });
  const sayInJson = asksForJson(process.argv.slice(2)) ? jsonErrors(process.stdout) : undefined;
  const refuse = (message: string, exitCode: number): void => {
    process.stderr.write(`bookstore-load: ${visibleLines(message)}\n`);
    sayInJson?.(message, exitCode);
    process.exitCode = exitCode;
  };
  parse(program, process.argv).catch((error: unknown) => {
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
}

async function parse({ name, description, commands }: Program, argv: readonly string[]): Promise<void> {
  // `help run` needs the command itself as much as `run` does.
  const asked = argv[2] === 'help' ? argv[3] : argv[2];
  const entry = asked !== undefined && Object.hasOwn(commands, asked) ? commands[asked] : undefined;
  const program = new Command(name)
    .enablePositionalOptions()
    .description(description)
    .version(packageVersion())
    .showHelpAfterError('(run with --help for usage)')
    .exitOverride();
  for (const [commandName, { summary }] of Object.entries(commands)) {
    if (commandName !== asked) program.command(commandName).description(summary);
  }
  if (entry !== undefined) program.addCommand(inheritExit((await entry.load()).command()));
  await program.parseAsync(argv);
}

/** Commander ends the process itself on a usage error unless every level is told not to. */
function inheritExit(command: CommandUnknownOpts): CommandUnknownOpts {
  command.exitOverride().showHelpAfterError('(run with --help for usage)');
  for (const child of command.commands) inheritExit(child);
  return command;
}
