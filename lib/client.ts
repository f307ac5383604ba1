// Touches k6: every request of a session goes through `send`, so that tags, metrics and checks are the same everywhere.
import { check } from 'k6';
import http, { type Params } from 'k6/http';
import { DURATIONS, noResponse, outOfStock, rateLimited } from './metrics.ts';
import type { Call, Reply } from './visit.ts';

type Tags = Record<string, string>;

/** Everything about a call that does not change between requests, so that a request allocates next to nothing. */
interface Prepared {
  readonly params: Params;
  readonly name: Tags;
  /** Tags of the latency Trends by status. */
  readonly byStatus: Record<number, Tags>;
}

export interface ClientOptions {
  readonly baseUrl: string;
  /** Seconds. */
  readonly timeout: number;
  /** Whether requests carry `X-Session-Id`. */
  readonly identified: boolean;
}

/** k6's own time-out, which need not be passed. */
const K6_TIMEOUT = 60;

/** What a VU sends its requests with. */
export interface Client {
  readonly send: (call: Call, path: string, about?: string, body?: string) => Reply;
  /** Names the session in a header of every request from here on. */
  readonly identify: (session: string) => void;
}

export function createClient({ baseUrl, timeout, identified }: ClientOptions): Client {
  const origin = baseUrl.replace(/\/+$/, '');
  const prepared = new Map<Call, Prepared>();
  // Shared by all calls and changed in place, so that a session's id costs no new params.
  const plain: Record<string, string> = {};
  const json: Record<string, string> = { 'Content-Type': 'application/json' };
  const reply: Reply = { status: 0, body: null, about: '' };

  function prepare(call: Call): Prepared {
    const { endpoint } = call;
    const name = { name: endpoint.name };
    const params: Params = { tags: name };
    if (call.readsBody) params.responseType = 'text';
    if (endpoint.method !== 'GET') params.headers = json;
    else if (identified) params.headers = plain;
    if (timeout !== K6_TIMEOUT) params.timeout = timeout * 1000;
    // Only what k6 would count as failed needs saying: 200-399 are expected, redirect hops among them.
    const others = endpoint.expected.filter((status) => status >= 400);
    if (others.length > 0) params.responseCallback = http.expectedStatuses({ min: 200, max: 399 }, ...others);
    const made = { params, name, byStatus: {} };
    prepared.set(call, made);
    return made;
  }

  function send(call: Call, path: string, about = '', body?: string): Reply {
    const { params, name, byStatus } = prepared.get(call) ?? prepare(call);
    const response = http.request(call.endpoint.method, origin + path, body, params);
    const { status } = response;
    reply.status = status;
    reply.body = call.readsBody ? (response.body as string | null) : null;
    reply.about = about;
    if (status === 0) {
      noResponse.add(1, { ...name, error_code: `${response.error_code}` });
    } else {
      let tags = byStatus[status];
      if (tags === undefined) {
        tags = { ...name, status: `${status}` };
        byStatus[status] = tags;
      }
      DURATIONS[Math.floor(status / 100)]?.add(response.timings.duration, tags);
      if (status >= 400) {
        if (status === 429) rateLimited.add(1, name);
        if (status === call.exhausted) outOfStock.add(1, name);
      }
    }
    check(reply, call.checks, name);
    return reply;
  }

  function identify(session: string): void {
    plain['X-Session-Id'] = session;
    json['X-Session-Id'] = session;
  }

  return { send, identify };
}
