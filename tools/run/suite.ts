/** What the tools must know of the suite to describe a run: its variables, its target, the files that shape it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SESSION_SETTINGS } from '../../lib/model/session-settings.ts';
import { type Environments, environmentOf } from '../../lib/plan/environments.ts';
import type { SuiteFacts } from '../../lib/plan/suite-facts.ts';
import { BASE_URL, read } from '../../lib/plan/variable.ts';
import { ENVIRONMENT, JUNIT_XML, SUMMARY_JSON, VARIABLES } from '../../lib/plan/variables.ts';
import { UserError } from '../base/user-error.ts';
import { factsBeside } from '../results/suite-facts.ts';
import type { Script } from './script.ts';

/** What is known of a script before it runs. */
export interface ScriptFacts {
  /** Names of the `-e` variables that the script may read. */
  readonly variables: readonly string[];
  /** Those of them that must not be written anywhere. */
  readonly secrets: readonly string[];
  /** Names of variables whose values may be written: the library's, those that the suite declares, k6's own options. */
  readonly harmless: readonly string[];
  /** Values that the environment file chosen by ENVIRONMENT gives. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where the load goes, as far as it is known. */
  readonly baseUrl: string | undefined;
  /** Built files beside the script that shape the run, by role: workload, thresholds, rows, lifecycle… */
  readonly inputs: Readonly<Record<string, string>>;
  /** The suite whose bundle it is. */
  readonly suite?: SuiteFacts;
}

const LIBRARY_VARIABLES: readonly string[] = VARIABLES.map(({ name }) => name);

/** Options that k6 reads from the environment; its outputs read tokens and headers there too. */
const HARMLESS_K6: readonly string[] = (
  'vus duration iterations stages max_redirects batch batch_per_host rps user_agent min_iteration_duration ' +
  'execution_segment execution_segment_sequence system_tags summary_trend_stats summary_time_unit summary_mode ' +
  'compatibility_mode dns local_ips no_usage_report no_thresholds no_summary no_setup no_teardown linger paused throw ' +
  'no_connection_reuse no_vu_connection_reuse discard_response_bodies insecure_skip_tls_verify http_debug type ' +
  'setup_timeout teardown_timeout console_output csv_filename csv_save_interval csv_time_format bin'
)
  .split(' ')
  .map((name) => `K6_${name.toUpperCase()}`);

/**
 * @param env environment with the `-e` variables on top
 * @throws UserError for an ENVIRONMENT that the suite does not have, and for facts that cannot be read
 */
export function scriptFacts(script: Script, env: NodeJS.ProcessEnv): ScriptFacts {
  if (!script.own) {
    const baseUrl = env[BASE_URL.name] || undefined;
    const harmless = [...LIBRARY_VARIABLES, ...HARMLESS_K6];
    return { variables: LIBRARY_VARIABLES, secrets: [], harmless, environment: {}, baseUrl, inputs: {} };
  }
  const folder = dirname(script.file);
  const suite = factsBeside(script.file);
  const own = suite?.variables ?? [];
  const environment = environmentBeside(folder, env);
  return {
    variables: [...LIBRARY_VARIABLES, ...own.map(({ name }) => name)],
    secrets: own.filter(({ secret }) => secret).map(({ name }) => name),
    harmless: [
      ...LIBRARY_VARIABLES,
      ...HARMLESS_K6,
      SESSION_SETTINGS,
      ...own.filter(({ secret }) => secret !== true).map(({ name }) => name),
    ],
    environment,
    baseUrl: env[BASE_URL.name] || environment[BASE_URL.name] || BASE_URL.default,
    inputs: { ...filesOf(join(folder, 'lib'), '.js'), ...filesOf(join(folder, 'data'), '.json') },
    ...(suite !== undefined && { suite }),
  };
}

/** Values of the environment that ENVIRONMENT names. @throws UserError for one that the suite does not have */
export function environmentBeside(folder: string, env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const name = env[ENVIRONMENT.name];
  const file = join(folder, 'data', 'environments.json');
  if (!name || !existsSync(file)) return {};
  const environments = JSON.parse(readFileSync(file, 'utf8')) as Environments;
  try {
    return environmentOf({ [ENVIRONMENT.name]: name }, environments) as Record<string, string>;
  } catch (error) {
    throw new UserError((error as Error).message);
  }
}

function filesOf(folder: string, extension: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder).filter((name) => name.endsWith(extension));
  return Object.fromEntries(names.map((name) => [name.slice(0, -extension.length), join(folder, name)]));
}

/** Variables by which a summary file gets its path, by role in the run's folder; any script may read them. */
export const SUMMARY_VARIABLES = { summary: SUMMARY_JSON.name, junit: JUNIT_XML.name } as const;

/**
 * Checks the values of the library's variables before anything is started; k6 would only find out when it reads the script.
 * @param given variables by name; the suite's own are checked when k6 reads the script
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
 * @param environment values of the chosen environment file, which come before the defaults
 */
export function defaultsInForce(
  given: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const fromFile = Object.entries(environment).filter(([name]) => !given[name]);
  const open = VARIABLES.filter(({ name }) => !given[name] && environment[name] === undefined);
  const defaults = Object.fromEntries(
    open.flatMap((variable) => {
      const value = variable.default;
      if (value === undefined || value === '' || typeof value === 'object') return [];
      return [[variable.name, variable.kind === 'duration' ? `${value}s` : `${value}`]];
    }),
  );
  return { ...defaults, ...Object.fromEntries(fromFile) };
}
