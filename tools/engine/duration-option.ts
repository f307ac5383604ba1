/** Options that are durations. */
import { durationMs } from '../../lib/k6/duration.ts';
import { EngineError } from './engine-error.ts';

/**
 * Milliseconds of a duration as k6 reads it.
 * @param what names the option in the error
 * @throws EngineError (exit code 104) for anything else
 */
export function durationOption(value: unknown, what: string): number {
  const ms = typeof value === 'string' || typeof value === 'number' ? durationMs(value) : undefined;
  if (ms !== undefined) return ms;
  throw EngineError.config(`${what}: ${JSON.stringify(value)} is not a duration such as "30s" or "1m30s"`);
}
