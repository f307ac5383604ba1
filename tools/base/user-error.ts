import { EXIT } from './exit-codes.ts';

/**
 * A mistake that the user can mend: printed as its one sentence (which names the input, the place and the remedy),
 * never with a stack trace.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}
