/** From the endpoint table to fastify's routes and back. */
import type { Method } from '../../lib/model/endpoints.ts';
import { ENDPOINTS, type EndpointKey } from '../../scenarios/bookstore/endpoints.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Endpoint that this route serves; routes without one are never touched by limits and faults. */
    endpoint?: EndpointKey;
  }
}

/** Method, path pattern and config of an endpoint's route: `/api/books/{isbn}` becomes `/api/books/:isbn`. */
export function route(key: EndpointKey): {
  method: Method;
  url: string;
  config: { endpoint: EndpointKey };
} {
  const { method, template } = ENDPOINTS[key];
  return { method, url: template.replace(/\{(\w+)\}/g, ':$1'), config: { endpoint: key } };
}

/** Schema of an ISBN in a path or body: thirteen digits with the right check digit. */
export const ISBN_SCHEMA = { type: 'string', format: 'ISBN-13' } as const;
/** Schema of a cart's id. */
export const GUID_SCHEMA = { type: 'string', format: 'GUID' } as const;

export const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
