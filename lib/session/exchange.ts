// Touches k6: one request and its answer.
import http, { type Params } from 'k6/http';
import type { PreparedEndpoint } from '../model/flow.ts';
import type { Response } from './open-session.ts';
import { followRedirects } from './redirects.ts';

/** Sends a request, and follows its redirects where the endpoint asks for them. */
export const exchange = (
  baseUrl: string,
  { method, redirects }: PreparedEndpoint,
  url: string,
  body: unknown,
  params: Params,
): Response => {
  // `get` takes one argument less, each of which costs k6 some 2 us.
  const response = (
    method === 'GET' ? http.get(url, params as never) : http.request(method, url, body as string, params as never)
  ) as Response;
  return (typeof USES_REDIRECTS === 'undefined' || USES_REDIRECTS) && redirects !== undefined
    ? followRedirects(baseUrl, url, response, redirects, params, method, body)
    : response;
};

/** A login that has run out is counted apart and is no failure of the endpoint; the new one that is refused is. */
export const expecting401 = (endpoint: PreparedEndpoint, params: Params): Params => {
  endpoint.renewable ??= http.expectedStatuses({ min: 200, max: 399 }, 401, ...[endpoint.expected ?? []].flat());
  return { ...params, responseCallback: endpoint.renewable as NonNullable<Params['responseCallback']> };
};
