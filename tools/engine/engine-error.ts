/** Errors that end a run with one of k6's exit codes. */
import { K6_EXIT } from '../../lib/k6/exit-codes.ts';

export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly exitCode: number;
  readonly hint: string | undefined;

  constructor(message: string, exitCode: number, hint?: string) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }

  static config(message: string): EngineError {
    return new EngineError(message, K6_EXIT.invalidConfig);
  }

  /** A fault of the script, which k6 finds too. */
  static script(message: string): EngineError {
    return new EngineError(message, K6_EXIT.scriptException, 'script exception');
  }

  /** Something that k6 can do and this engine cannot. */
  static notOffered(what: string): EngineError {
    return new EngineError(
      `${what} is not offered by the embedded engine; run this script with k6 (--engine k6)`,
      K6_EXIT.invalidConfig,
    );
  }
}
