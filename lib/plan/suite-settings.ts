/** What the virtual users of every scenario are told of the suite. */
import type { Endpoint } from '../model/endpoints.ts';
import type { PreparedEndpoint } from '../model/flow.ts';
import { ENDPOINT_ENTRY, type SessionSettings } from '../model/session-settings.ts';
import type { Workload } from '../model/workload.ts';
import { headersOf, isSecret, ownValues, ownVariables } from './own-variables.ts';
import type { Suite } from './suite-facts.ts';
import type { Env } from './variable.ts';

export function suiteSettings(
  { definition }: Suite,
  env: Env,
): Pick<SessionSettings, 'headers' | 'variables' | 'secrets'> {
  const variables = ownVariables(definition.variables);
  const secrets = variables.filter(isSecret).map(({ name }) => name);
  const values = Object.entries(ownValues(definition.variables, env)).filter(([name]) => !secrets.includes(name));
  const headers = headersOf(definition, env);
  // Each empty object or list would cost every VU half a kilobyte.
  return {
    ...(Object.keys(headers).length > 0 && { headers }),
    variables: Object.fromEntries(values),
    ...(secrets.length > 0 && { secrets }),
  };
}

/** The endpoints as entries of the scenarios' `env`, where a VU finds those that it calls and holds none of the others. */
export const endpointEntries = (
  { endpoints }: Suite,
  { cdnShare }: Pick<Workload, 'cdnShare'>,
): Record<string, string> =>
  Object.fromEntries(endpoints.map((one) => [ENDPOINT_ENTRY + one.key, JSON.stringify(prepared(one, cdnShare > 0))]));

/** One alone instead of a list of one; nothing instead of an empty list. */
const shortest = <T>(list: readonly T[] | undefined): T | readonly T[] | undefined =>
  list === undefined || list.length > 1 ? list : list[0];

function prepared(
  { method, query, headers, timeout, cacheable, redirects, example, ...rest }: Endpoint,
  cdn: boolean,
): PreparedEndpoint {
  const { name, path, optional, expected, contains, body } = rest;
  const all = {
    name,
    method,
    query,
    headers,
    timeout,
    path: shortest(path) as string,
    optional: optional.length > 0 ? optional : undefined,
    expected: shortest(expected),
    contains: shortest(contains),
    body: body === 'text' ? undefined : body,
    redirects: redirects > 0 ? redirects : undefined,
    ...(cdn && cacheable && { cacheable, example }),
    check: checkName(rest),
  };
  // JSON leaves out what is undefined.
  return all as PreparedEndpoint;
}

/** Name of the check of an endpoint's answers: what a good one is. */
export function checkName({ name, expected, contains }: Pick<Endpoint, 'name' | 'expected' | 'contains'>): string {
  const status = expected.length === 0 ? 'status 2xx' : `status ${expected.join(' or ')}`;
  const text = contains?.map((piece, i) => (i % 2 === 0 ? piece : `{${piece}}`)).join('');
  return `${name}: ${status}${text === undefined ? '' : `, holds ${text}`}`;
}
