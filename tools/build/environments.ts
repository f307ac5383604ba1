/** Environment files of a suite: values of variables for one system, without secrets. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Environments } from '../../lib/plan/environments.ts';
import { isSecret, ownVariables } from '../../lib/plan/own-variables.ts';
import type { SuiteDefinition } from '../../lib/plan/suite-definition.ts';
import { read } from '../../lib/plan/variable.ts';
import { ALLOW_TARGET, ENVIRONMENT, VARIABLES } from '../../lib/plan/variables.ts';
import { UserError } from '../base/user-error.ts';
import { hint } from '../schemas/check.ts';
import { entriesOf, readText } from './files.ts';

/**
 * @param folder `environments/` of the suite; it may be missing
 * @throws UserError naming the file for a name that no variable has, a value that cannot be, and what must not stand in a file
 */
export function readEnvironments(folder: string, own: SuiteDefinition['variables']): Environments {
  if (!existsSync(folder)) return {};
  const variables = [...VARIABLES, ...ownVariables(own)];
  const files = entriesOf(folder, 'environments').filter((file) => file.endsWith('.json'));
  return Object.fromEntries(
    files.map((name) => {
      const file = join(folder, name);
      const values = valuesIn(readText(file), file);
      for (const key of Object.keys(values)) {
        const variable = variables.find((one) => one.name === key);
        if (variable === undefined) {
          const names = variables.map((one) => one.name);
          throw new UserError(`${file}: there is no variable ${key}; ${hint(key, names)}`);
        }
        if (isSecret(variable)) {
          throw new UserError(
            `${file}: ${key} is a secret and must not stand in a file: take it out and set it in the environment`,
          );
        }
        if (key === ALLOW_TARGET.name) {
          throw new UserError(`${file}: ${key} is said by who starts the run, not by a file: take it out`);
        }
        if (key === ENVIRONMENT.name) throw new UserError(`${file}: ${key} chooses this file: take it out`);
        try {
          read(variable, values);
        } catch (error) {
          throw new UserError(`${file}: ${(error as Error).message}`);
        }
      }
      return [basename(name, '.json'), values];
    }),
  );
}

function valuesIn(text: string, file: string): Record<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UserError(`${file}: no JSON (${(error as Error).message}); write it as { "BASE_URL": "https://…" }`);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new UserError(`${file}: write it as { "BASE_URL": "https://…" }`);
  }
  for (const [name, one] of Object.entries(value)) {
    if (typeof one !== 'string' && typeof one !== 'number')
      throw new UserError(`${file}: ${name} must be a text or a number`);
  }
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)]));
}
