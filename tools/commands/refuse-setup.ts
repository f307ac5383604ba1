import { CommanderError } from '@commander-js/extra-typings';
import { SetupError } from '../../bookstore/setup-error.ts';

/** Ends the command with the one sentence of a `SetupError`; anything else is a defect and keeps its stack trace. */
export function refuse(command: string, error: unknown): never {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${command}: ${error.message}\n`);
  throw new CommanderError(2, 'bookstore.setup', error.message);
}
