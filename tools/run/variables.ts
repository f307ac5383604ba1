/** Which environment variables shaped a run, and whether a `-e` name is one that the suite knows. */
import { closeMatch } from '../../lib/model/nearest.ts';
import { UserError } from '../base/user-error.ts';

/**
 * A misspelt variable would be ignored silently, and the run would not be the one that was asked for.
 * @param given names given with `-e`
 * @param known names that the suite reads
 * @returns names that the suite does not know and that resemble none of its own
 * @throws UserError for a name that is close to a known one.
 */
export function unknownVariables(given: Iterable<string>, known: readonly string[]): string[] {
  const unknown = [...given].filter((name) => !known.includes(name));
  for (const name of unknown) {
    const near = closeMatch(name, known);
    if (near !== undefined) throw new UserError(`-e ${name}: the suite has no such variable; did you mean ${near}?`);
  }
  return unknown;
}

/** Variables that shape a run: all given with `-e`, and of the environment those that the suite or k6 reads. */
export function variablesInForce(
  given: Readonly<Record<string, string>>,
  known: readonly string[],
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  const names = Object.keys(environment).filter((name) => known.includes(name) || /^K6_/.test(name));
  const all = [...new Set([...names, ...Object.keys(given)])].sort();
  return Object.fromEntries(all.map((name) => [name, given[name] ?? environment[name] ?? '']));
}
