// Touches k6: every request of a session goes through `call`, so that tags, metrics and checks are the same everywhere.
import http, { type Params } from 'k6/http';
import type { Answer, CallOptions, Parameters, PreparedEndpoint } from '../model/flow.ts';
import { ENDPOINT_ENTRY, type SessionSettings } from '../model/session-settings.ts';
import { exchange } from './exchange.ts';
import { addCheck, addNoResponse, addRateLimited, durationOf } from './metrics.ts';
import type { Call, Judge, OpenSession } from './open-session.ts';

/** k6's own time-out, s, which need not be passed. */
const K6_TIMEOUT = 60;

const NO_PARAMETERS: Parameters = {};

/** Gives a session what it sends its requests with. */
export const createClient = ({ baseUrl, timeout, cacheTag, headers }: SessionSettings, session: OpenSession): void => {
  // Kept, since k6's engine looks a global up by its name at every use.
  const encode = encodeURIComponent;
  const prepared: Record<string, PreparedEndpoint> = {};
  // Shared by all endpoints and changed in place, so that a session's own headers cost no new params.
  // Where there are none there is no object: k6 takes its time with headers, also with none in one.
  let plain: Record<string, string> | undefined;
  let json: Record<string, string> | undefined;
  let changed = true;

  const prepare = (key: string): PreparedEndpoint => {
    const endpoint = JSON.parse(__ENV[ENDPOINT_ENTRY + key] as string) as PreparedEndpoint;
    const { expected, body } = endpoint;
    const tags = { name: endpoint.name };
    // Each parameter costs k6 time with every request: what most calls have are options of the run. That no redirect is followed
    // is one of them, and set-up refuses a run where it was changed.
    const params: Params = { tags };
    if (body !== undefined) params.responseType = body;
    const seconds = endpoint.timeout ?? timeout;
    if (seconds !== K6_TIMEOUT) params.timeout = seconds * 1000;
    // Only what k6 would count as failed needs saying: 200-399 are expected; a 3xx that is none fails the endpoint's check.
    if (expected !== undefined) {
      const list = typeof expected === 'number' ? [expected] : expected;
      let rejects = false;
      for (let i = 0; i < list.length; i++) if ((list[i] as number) >= 400) rejects = true;
      if (rejects) params.responseCallback = http.expectedStatuses({ min: 200, max: 399 }, ...list);
    }
    endpoint.params = params as Record<string, unknown>;
    endpoint.tags = tags;
    endpoint.checkTags = { name: endpoint.name, check: endpoint.check };
    prepared[key] = endpoint;
    return endpoint;
  };

  const judge: Judge = (endpoint, response, parameters, counted) => {
    const { status } = response;
    const tags = endpoint.tags as Record<string, string>;
    session.tags = tags;
    session.latest = endpoint;
    if (endpoint.status !== status) {
      endpoint.status = status;
      endpoint.statusTags = { ...tags, status: `${status}` };
    }
    if (status === 0) {
      addNoResponse(1, { ...tags, error_code: `${response.error_code}` });
    } else {
      let latencyTags = endpoint.statusTags;
      if (cacheTag) {
        const cache = response.headers['X-Cache'];
        if (cache) {
          latencyTags = { ...latencyTags, cache };
          if (cacheTag === 'item') {
            const item = parameters[endpoint.path[1] as string];
            if (item !== undefined) latencyTags['item'] = `${item}`;
          }
        }
      }
      durationOf(status)?.(response.timings.duration, latencyTags);
    }
    if (counted) return response as unknown as Answer;
    const { expected, contains } = endpoint;
    let good = false;
    if (expected === undefined) good = status >= 200 && status < 300;
    else if (typeof expected === 'number') good = expected === status;
    // Not by the array's own method: the first use of any built-in method costs each VU 1 to 2 kB.
    else for (let i = 0; i < expected.length; i++) if (expected[i] === status) good = true;
    if (good && contains !== undefined && status < 300) {
      let text = contains as string;
      if (typeof contains !== 'string') {
        text = contains[0] as string;
        for (let i = 1; i < contains.length; i += 2) {
          text += `${parameters[contains[i] as string]}${contains[i + 1]}`;
        }
      }
      good = response.body?.includes(text) === true;
    }
    // One that is expected is part of the traffic.
    if (status === 429 && !good) addRateLimited(1, tags);
    addCheck(good ? 1 : 0, endpoint.checkTags);
    return response as unknown as Answer;
  };

  const call: Call = (key, parameters = NO_PARAMETERS, options) => {
    const endpoint = prepared[key] ?? prepare(key);
    const { path, optional } = endpoint;
    let url = baseUrl;
    if (typeof path === 'string') url += path;
    else {
      url += path[0];
      for (let i = 1; i < path.length; i += 2) {
        const value = parameters[path[i] as string];
        // An answer that held less than expected would otherwise send requests for "undefined".
        if (value == null) throw new Error(`${endpoint.name}: {${path[i]}} has no value`);
        url += encode(value) + (path[i + 1] as string);
      }
    }
    if (optional !== undefined) {
      let mark = endpoint.query === undefined ? '?' : '&';
      for (let i = 0; i < optional.length; i++) {
        const name = optional[i] as string;
        const value = parameters[name];
        if (value != null) {
          url += `${mark}${name}=${encode(value)}`;
          mark = '&';
        }
      }
    }
    let params = endpoint.params as Params;
    let body: unknown = null;
    let common = plain;
    let own: CallOptions['headers'];
    if (options !== undefined) {
      const { json: value } = options;
      own = options.headers;
      if (value === undefined) {
        body = options.form ?? options.body;
      } else {
        body = JSON.stringify(value);
        json ??= { ...plain, 'Content-Type': 'application/json' };
        common = json;
      }
    }
    if (endpoint.headers !== undefined || own !== undefined) {
      params = { ...params, headers: { ...common, ...endpoint.headers, ...own } };
    } else if (params.headers !== common) {
      // Also where there are none: those of an earlier request must not be sent again.
      params.headers = common as Record<string, string>;
    }
    if (typeof USES_NO_COOKIES !== 'undefined' && USES_NO_COOKIES) params.jar = new http.CookieJar();
    const { send } = session;
    return send === undefined
      ? judge(endpoint, exchange(baseUrl, endpoint, url, body, params), parameters)
      : send(endpoint, url, body, params, parameters, () => call(key, parameters, options));
  };

  session.call = call;
  session.judge = judge;
  session.header = (name, value) => {
    if (name !== undefined) {
      plain ??= {};
      if (value === undefined) delete plain[name];
      else plain[name] = value;
    } else if (changed) plain = headers && { ...headers };
    else return;
    json = undefined;
    changed = name !== undefined;
  };
};
