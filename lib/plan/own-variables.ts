/** Variables that a suite brings: read and checked like the library's. */
import type { SuiteDefinition } from './suite-definition.ts';
import { type Env, read, type Variable } from './variable.ts';

type Own = SuiteDefinition['variables'];

/** The variables of a definition with their names; a secret without a default is empty until it is set. */
export const ownVariables = (own: Own): Variable[] =>
  Object.entries(own ?? {}).map(
    ([name, variable]) => ({ ...variable, default: variable.default ?? emptyOf(variable), name }) as Variable,
  );

const emptyOf = ({ kind }: { readonly kind: Variable['kind'] }): '' | undefined => (kind === 'text' ? '' : undefined);

/** Whether a variable must not be written anywhere. */
export const isSecret = (variable: Variable): boolean => variable.kind === 'text' && variable.secret === true;

/**
 * Values by name, secrets included.
 * @throws Error with one sentence for a value that cannot be
 */
export const ownValues = (own: Own, env: Env): Record<string, unknown> =>
  Object.fromEntries(ownVariables(own).map((variable) => [variable.name, read(variable, env)]));

/**
 * @throws Error with one sentence for a secret that is not set and has no default
 */
export function requireSecrets(own: Own, env: Env): void {
  for (const variable of ownVariables(own)) {
    if (isSecret(variable) && read(variable, env) === '') {
      throw new Error(`${variable.name} is a secret of the suite and not set: export ${variable.name}=…`);
    }
  }
}

/**
 * Headers with `{NAME}` replaced by the variable's value.
 * @throws Error for a name that is no variable of the suite, or a secret, which would stand in the options of the run
 */
export function headersOf({ headers = {}, variables }: SuiteDefinition, env: Env): Record<string, string> {
  const known = ownVariables(variables);
  const filled = (text: string, header: string) =>
    text.replace(/\{([A-Z][A-Z0-9_]*)\}/g, (_, name: string) => {
      const variable = known.find((one) => one.name === name);
      if (variable === undefined) throw new Error(`header ${header}: the suite has no variable ${name}`);
      if (isSecret(variable))
        throw new Error(`header ${header}: ${name} is a secret; send it with session.header(...)`);
      return `${read(variable, env) ?? ''}`;
    });
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, filled(text, name)]));
}
