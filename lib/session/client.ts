// Touches k6: every request of a session goes through `send`, so that tags, metrics and checks are the same everywhere.
import { type Checker, check } from 'k6';
import http, { type Params } from 'k6/http';
import type { Call, CallMaker, Reply, Visit } from '../model/flow.ts';
import { addDuration, addNoResponse, addOutOfStock, addPaymentPending, addRateLimited } from './metrics.ts';

type Tags = Record<string, string>;

/**
 * Everything about a call that does not change between requests, so that a request allocates next to nothing. Flat, because
 * every object that stays costs a VU some 0.4 kB.
 */
interface Prepared {
  readonly calls: CallMaker;
  readonly key: string;
  readonly method: string;
  readonly expected: readonly number[];
  readonly good: Call['good'];
  readonly exhausted: number | undefined;
  readonly unpaid: string | undefined;
  readonly readsBody: boolean;
  readonly statusCheck: string;
  readonly bodyCheck: string;
  /** Results of the two by name, for one answer after another. */
  readonly checks: Record<string, unknown>;
  readonly params: Params;
  readonly name: Tags;
  /** Status of the last answer, and the tags of its latency: hardly ever is the next one another. */
  status: number;
  tags: Tags;
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

/** Differs from every status, also from 0 for none. */
const NO_ANSWER_YET = -1;
/** k6's own time-out, s, which need not be passed. */
const K6_TIMEOUT = 60;

/** What a VU sends its requests with. */
export interface Client {
  readonly send: Visit['send'];
  /** Names the session in a header of every request from here on; undefined when requests carry none. */
  readonly identify: ((session: string) => void) | undefined;
}

export const createClient = ({ baseUrl, timeout, identified, cacheTag }: ClientOptions): Client => {
  // A list and no Map: a VU knows a handful of calls, and the first Map costs it more memory than all of them.
  const prepared: Prepared[] = [];
  // Shared by all calls and changed in place, so that a session's id costs no new params.
  const plain: Record<string, string> = {};
  const json: Record<string, string> = { 'Content-Type': 'application/json' };
  const reply: Reply = { status: 0, body: null, about: '' };

  const prepare = (calls: CallMaker, key: string): Prepared => {
    const { endpoint, what, good, exhausted, unpaid } = calls(key);
    const readsBody = good !== undefined || unpaid !== undefined;
    const { expected } = endpoint;
    const name = { name: endpoint.name };
    // Each parameter costs k6 time with every request: what most calls have are options of the run (`plan.ts`).
    const params: Params = { tags: name };
    if (!readsBody) params.responseType = 'none';
    if (endpoint.method !== 'GET') params.headers = json;
    else if (identified) params.headers = plain;
    if (timeout !== K6_TIMEOUT) params.timeout = timeout * 1000;
    // Only what k6 would count as failed needs saying: 200-399 are expected; a 3xx that is none fails the endpoint's check.
    let statuses = '';
    let rejects = false;
    for (let i = 0; i < expected.length; i++) {
      const status = expected[i] as number;
      statuses += (i > 0 ? ' or ' : '') + status;
      if (status >= 400) rejects = true;
    }
    if (rejects) params.responseCallback = http.expectedStatuses({ min: 200, max: 399 }, ...expected);
    const made = {
      calls,
      key,
      method: endpoint.method,
      expected,
      good,
      exhausted,
      unpaid,
      readsBody,
      statusCheck: `${endpoint.name}: status ${statuses}`,
      bodyCheck: `${endpoint.name}: ${what}`,
      checks: {},
      params,
      name,
      status: NO_ANSWER_YET,
      tags: name,
    };
    prepared[prepared.length] = made;
    return made;
  };

  return {
    send: (calls, key, path, about = '', body) => {
      // Written out here: a function that is used in one place is made anew at each use.
      let call: Prepared | undefined;
      for (let i = 0; i < prepared.length; i++) {
        const one = prepared[i] as Prepared;
        if (one.key === key && one.calls === calls) call = one;
      }
      call ??= prepare(calls as CallMaker, key);
      const { good, name, expected } = call;
      // `get` takes one argument less, each of which costs k6 some 2 us.
      const response =
        call.method === 'GET'
          ? http.get(baseUrl + path, call.params)
          : http.request(call.method, baseUrl + path, body, call.params);
      const { status } = response;
      reply.status = status;
      reply.body = call.readsBody ? (response.body as string | null) : null;
      reply.about = about;
      const { checks } = call;
      if (call.status !== status) {
        call.status = status;
        call.tags = { ...name, status: `${status}` };
        // Not by the array's own method: the first use of any built-in method costs each VU 1 to 2 kB.
        let isExpected = false;
        for (let i = 0; i < expected.length; i++) if (expected[i] === status) isExpected = true;
        // k6 takes values as it takes functions, which its types do not say; functions would have to be held by every VU.
        // An object stands for true, since k6 would make each VU a prototype of booleans (2.5 kB) to look at one.
        checks[call.statusCheck] = isExpected ? name : undefined;
      }
      if (status === 0) {
        addNoResponse(1, { ...name, error_code: `${response.error_code}` });
      } else {
        let { tags } = call;
        if (cacheTag) {
          const cache = response.headers['X-Cache'];
          if (cache) tags = cacheTag === 'item' ? { ...tags, cache, item: about } : { ...tags, cache };
        }
        addDuration[(status / 100) | 0]?.(response.timings.duration, tags);
        if (status >= 400) {
          if (status === 429) addRateLimited(1, name);
          if (status === call.exhausted) addOutOfStock(1, name);
        } else if (call.unpaid !== undefined && reply.body?.includes(call.unpaid)) addPaymentPending(1, name);
      }
      if (good !== undefined) checks[call.bodyCheck] = good(reply) ? name : undefined;
      check(reply, checks as Record<string, Checker<Reply>>, name);
      return reply;
    },
    identify: identified
      ? (session) => {
          plain['X-Session-Id'] = session;
          json['X-Session-Id'] = session;
        }
      : undefined,
  };
};
