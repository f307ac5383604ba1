/** Environment files: values of variables by the name of a system, such as `staging`. */

import { type Env, read } from './variable.ts';
import { ENVIRONMENT } from './variables.ts';

/** Values by variable, by name of the environment. */
export type Environments = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * The variables with those of the chosen environment below them: what is given itself wins.
 * @throws Error with one sentence for a name that no file has
 */
export function environmentOf(env: Env, environments: Environments): Env {
  const name = read(ENVIRONMENT, env);
  if (name === '') return env;
  if (!Object.hasOwn(environments, name)) {
    const names = Object.keys(environments);
    const there = names.length === 0 ? 'the suite has none' : `there are ${names.join(', ')}`;
    throw new Error(`ENVIRONMENT=${name}: ${there}; add environments/${name}.json and build`);
  }
  const given = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  return { ...environments[name], ...Object.fromEntries(given) };
}
