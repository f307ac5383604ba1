/** k6's durations: a number of milliseconds, or text such as `1m30s`. */
import { EngineError } from './engine-error.ts';

const UNIT_MS: Readonly<Record<string, number>> = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
};

/**
 * Milliseconds of a duration.
 * @param what names the option in the error
 * @throws EngineError (exit code 104) for anything else
 */
export function durationMs(value: unknown, what: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'string') {
    const text = value.trim();
    if (/^[0-9]+(\.[0-9]+)?$/.test(text)) return Number(text);
    const parts = [...text.matchAll(/([0-9]*\.?[0-9]+)(ms|us|µs|ns|d|h|m|s)/g)];
    if (parts.length > 0 && parts.map((part) => part[0]).join('') === text) {
      return parts.reduce((sum, part) => sum + Number(part[1]) * (UNIT_MS[part[2] ?? ''] ?? 0), 0);
    }
  }
  throw EngineError.config(`${what}: ${JSON.stringify(value)} is not a duration such as "30s" or "1m30s"`);
}
