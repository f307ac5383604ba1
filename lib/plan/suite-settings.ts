/** What the virtual users of every scenario are told of the suite. */
import type { Endpoint } from '../model/endpoints.ts';
import type { PreparedEndpoint } from '../model/flow.ts';
import type { SessionSettings } from '../model/session-settings.ts';
import type { Workload } from '../model/workload.ts';
import { headersOf, isSecret, ownValues, ownVariables } from './own-variables.ts';
import type { Suite } from './suite-facts.ts';
import type { Env } from './variable.ts';

export function suiteSettings(
  { definition, endpoints }: Suite,
  { cdnShare }: Pick<Workload, 'cdnShare'>,
  env: Env,
): Pick<SessionSettings, 'endpoints' | 'headers' | 'variables' | 'secrets'> {
  const variables = ownVariables(definition.variables);
  const secrets = variables.filter(isSecret).map(({ name }) => name);
  const values = Object.entries(ownValues(definition.variables, env)).filter(([name]) => !secrets.includes(name));
  return {
    endpoints: Object.fromEntries(endpoints.map((one) => [one.key, JSON.stringify(prepared(one, cdnShare > 0))])),
    headers: headersOf(definition, env),
    variables: Object.fromEntries(values),
    secrets,
  };
}

/** An endpoint without what no session asks of it: each entry costs every VU that calls it. */
function prepared(
  { key: _key, template: _template, cacheable, redirects, example, ...rest }: Endpoint,
  cdn: boolean,
): Partial<PreparedEndpoint> {
  return {
    ...rest,
    ...(redirects > 0 && { redirects }),
    ...(cdn && cacheable && { cacheable, example }),
    check: checkName(rest),
  };
}

/** Name of the check of an endpoint's answers: what a good one is. */
export function checkName({ name, expected, contains }: Pick<Endpoint, 'name' | 'expected' | 'contains'>): string {
  const status = expected.length === 0 ? 'status 2xx' : `status ${expected.join(' or ')}`;
  const text = contains?.map((piece, i) => (i % 2 === 0 ? piece : `{${piece}}`)).join('');
  return `${name}: ${status}${text === undefined ? '' : `, holds ${text}`}`;
}
