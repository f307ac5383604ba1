/** Parsers for the values of command-line flags, and the way out when a start fails. */
import { CommanderError, InvalidArgumentError } from '@commander-js/extra-typings';
import { SetupError } from './setup-error.ts';

/** A whole number from `min` to `max`. */
export function integer(min: number, max: number): (value: string) => number {
  return (value) => {
    const n = Number(value);
    if (!/^\d+$/.test(value) || n < min || n > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return n;
  };
}

/** A number from `min` to `max`. */
export function number(min: number, max: number): (value: string) => number {
  return (value) => {
    const n = Number(value);
    if (!/^\d*\.?\d+$/.test(value.trim()) || !(n >= min && n <= max)) {
      throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
    }
    return n;
  };
}

/** Ends the command with the one sentence of a `SetupError`; anything else is a defect and keeps its stack trace. */
export function refuse(command: string, error: unknown): never {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${command}: ${error.message}\n`);
  throw new CommanderError(2, 'bookstore.setup', error.message);
}
