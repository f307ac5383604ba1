// Touches k6: every request of a session goes through `send`, so that tags, metrics and checks are the same everywhere.
import { check } from 'k6';
import http, { type Params } from 'k6/http';
import { DURATIONS, noResponse, outOfStock, rateLimited } from './metrics.ts';
import type { Call, CallMaker, Reply, Visit } from './visit.ts';

type Tags = Record<string, string>;

/** Everything about a call that does not change between requests, so that a request allocates next to nothing. */
interface Prepared extends Call {
  readonly make: CallMaker;
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
  /** Tags of the latency samples beside name and status: `cache` from `X-Cache`; with `item` the id asked for too. */
  readonly cacheTag: '' | 'on' | 'item';
}

/** k6's own time-out, s, which need not be passed. */
const K6_TIMEOUT = 60;

/** What a VU sends its requests with. */
export interface Client {
  readonly send: Visit['send'];
  /** Names the session in a header of every request from here on. */
  readonly identify: (session: string) => void;
}

export const createClient = ({ baseUrl, timeout, identified, cacheTag }: ClientOptions): Client => {
  // A list and no Map: a VU knows a handful of calls, and the first Map costs it more memory than all of them.
  const prepared: Prepared[] = [];
  // Shared by all calls and changed in place, so that a session's id costs no new params.
  const plain: Record<string, string> = {};
  const json: Record<string, string> = { 'Content-Type': 'application/json' };
  const reply: Reply = { status: 0, body: null, about: '' };

  const prepare = (make: CallMaker): Prepared => {
    const call = make();
    const { endpoint } = call;
    const name = { name: endpoint.name };
    // No hop is followed: it could lead to a host that ALLOW_TARGET does not name, and the 3xx answer is what is measured.
    const params: Params = { tags: name, redirects: 0 };
    if (call.readsBody) params.responseType = 'text';
    if (endpoint.method !== 'GET') params.headers = json;
    else if (identified) params.headers = plain;
    if (timeout !== K6_TIMEOUT) params.timeout = timeout * 1000;
    // Only what k6 would count as failed needs saying: 200-399 are expected; a 3xx that is none fails the endpoint's check.
    const { expected } = endpoint;
    if (Math.max(...expected) >= 400) {
      params.responseCallback = http.expectedStatuses({ min: 200, max: 399 }, ...expected);
    }
    const made = { ...call, make, params, name, byStatus: {} };
    prepared[prepared.length] = made;
    return made;
  };

  const find = (make: CallMaker): Prepared => {
    for (let i = 0; i < prepared.length; i++) if (prepared[i]?.make === make) return prepared[i] as Prepared;
    return prepare(make);
  };

  return {
    send: (make, path, about = '', body) => {
      const call = find(make);
      const { name } = call;
      const response = http.request(call.endpoint.method, baseUrl + path, body, call.params);
      const { status } = response;
      reply.status = status;
      reply.body = call.readsBody ? (response.body as string | null) : null;
      reply.about = about;
      if (status === 0) {
        noResponse.add(1, { ...name, error_code: `${response.error_code}` });
      } else {
        let tags = call.byStatus[status];
        if (tags === undefined) {
          tags = { ...name, status: `${status}` };
          call.byStatus[status] = tags;
        }
        if (cacheTag) {
          const cache = response.headers['X-Cache'];
          if (cache) tags = cacheTag === 'item' ? { ...tags, cache, item: about } : { ...tags, cache };
        }
        DURATIONS[Math.floor(status / 100)]?.add(response.timings.duration, tags);
        if (status >= 400) {
          if (status === 429) rateLimited.add(1, name);
          if (status === call.exhausted) outOfStock.add(1, name);
        }
      }
      check(reply, call.checks, name);
      return reply;
    },
    identify: (session) => {
      plain['X-Session-Id'] = session;
      json['X-Session-Id'] = session;
    },
  };
};
