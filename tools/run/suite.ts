/** What the tools must know of the suite to describe a run: its variables, its target, the files that shape it. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BASE_URL, read } from '../../lib/plan/variable.ts';
import { JUNIT_XML, SUMMARY_JSON, VARIABLES } from '../../lib/plan/variables.ts';
import { UserError } from '../base/user-error.ts';
import type { Script } from './script.ts';

export interface SuiteFacts {
  /** Names of the `-e` variables that the script may read. */
  readonly variables: readonly string[];
  /** Where the load goes, as far as it is known. */
  readonly baseUrl: string | undefined;
  /** Built files beside the script that shape the run, by role: workload, thresholds, books, lifecycle… */
  readonly inputs: Readonly<Record<string, string>>;
}

const SUITE_VARIABLES: readonly string[] = VARIABLES.map(({ name }) => name);

/** @param env environment with the `-e` variables on top */
export function suiteFacts(script: Script, env: NodeJS.ProcessEnv): SuiteFacts {
  const given = env[BASE_URL.name] || undefined;
  if (!script.own) return { variables: SUITE_VARIABLES, baseUrl: given, inputs: {} };
  const folder = dirname(script.file);
  return {
    variables: SUITE_VARIABLES,
    baseUrl: given ?? BASE_URL.default,
    inputs: { ...filesOf(join(folder, 'lib'), '.js'), ...filesOf(join(folder, 'data'), '.json') },
  };
}

function filesOf(folder: string, extension: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder).filter((name) => name.endsWith(extension));
  return Object.fromEntries(names.map((name) => [name.slice(0, -extension.length), join(folder, name)]));
}

/** Variables by which a summary file gets its path, by role in the run's folder; any script may read them. */
export const SUMMARY_VARIABLES = { summary: SUMMARY_JSON.name, junit: JUNIT_XML.name } as const;

/**
 * Checks the values of the suite's variables before anything is started; k6 would only find out when it reads the script.
 * @param given variables by name; those that are not the suite's are left alone
 * @throws UserError naming the variable, the value and what would be right
 */
export function checkVariables(given: Readonly<Record<string, string>>): void {
  for (const variable of VARIABLES) {
    if (!Object.hasOwn(given, variable.name)) continue;
    try {
      read(variable, given);
    } catch (error) {
      throw new UserError(`-e ${(error as Error).message}`);
    }
  }
}

/**
 * Values of the suite's variables that nobody set, as `-e` would take them; those that come from the workload or the
 * profile are in the options and in the hashed files.
 * @param given variables by name; an empty one counts as not set
 */
export function defaultsInForce(given: Readonly<Record<string, string>>): Record<string, string> {
  const open = VARIABLES.filter(({ name }) => !given[name]);
  return Object.fromEntries(
    open.flatMap((variable) => {
      const value = variable.default;
      if (value === undefined || value === '' || typeof value === 'object') return [];
      return [[variable.name, variable.kind === 'duration' ? `${value}s` : `${value}`]];
    }),
  );
}
