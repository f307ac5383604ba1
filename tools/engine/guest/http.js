// The module `k6/http` inside the virtual machine.
import { goType, newFile } from 'k6:bodies';
import { CookieJar, keep, ofVu } from 'k6:cookie-jar';
import { answered, ask, background, encode, flush, refuse, state, suspend, takePending } from 'k6:core';
import { isCallback, isNothing, isTemplate, NoRequest, prepare } from 'k6:http-request';
import { bufferToText, GoError, latin1ToBuffer, newResponse, noTimings } from 'k6:shared';
import { parseHTML } from 'k6/html';

const DEFAULT_CALLBACK = { ranges: [[200, 399]] };
state.responseCallback = DEFAULT_CALLBACK;

/** What the engine does of `Response.json()`. */
const help = {
  select: (text, path) => ask('select', JSON.stringify([text, path])),
  explain: (text) => ask('explainJson', JSON.stringify(text)),
  html: (body, selector) => {
    if (body === null || body === undefined) {
      throw new GoError(
        "the body is null so we can't transform it to HTML - this likely was because of a request error getting the response",
      );
    }
    const page = parseHTML(typeof body === 'string' ? body : bufferToText(body));
    return selector === undefined ? page : page.find(selector);
  },
  refuse,
};

function toResponse(facts) {
  if (facts.raw !== undefined) {
    facts.response.body = latin1ToBuffer(facts.raw);
  }
  return newResponse(facts.response, help);
}

/** The answer where there was no request; an error where a script asked for errors. */
function noAnswer(title, { message, code }) {
  ask('noRequest', JSON.stringify([title, message]));
  return emptyResponse(message, code);
}

function emptyResponse(error, error_code) {
  return newResponse(
    {
      remote_ip: '',
      remote_port: 0,
      url: '',
      status: 0,
      status_text: '',
      proto: '',
      headers: {},
      cookies: {},
      body: null,
      timings: noTimings(),
      tls_version: '',
      tls_cipher_suite: '',
      error,
      error_code,
      request: null,
    },
    help,
  );
}

/** Jars of the script's own that the running call names; nearly always none. */
let callJars = [];

/** @returns the request, or what k6 gives in place of an answer to none */
function begin(method, url, body, params) {
  if (state.init) throw new GoError('Making http requests in the init context is not supported');
  if (callJars.length > 0) callJars = [];
  try {
    return prepare(method, url, body, params, callJars);
  } catch (error) {
    if (!(error instanceof NoRequest)) throw error;
    return { noAnswer: noAnswer('Request Failed', error) };
  }
}

/** @param answer as the engine gave it */
function end(answer) {
  const facts = answered(answer);
  state.now = facts.now;
  if (facts.jars !== undefined) keep(callJars, facts.jars);
  return toResponse(facts);
}

const tooMany = (method, count) =>
  ask(
    'log',
    JSON.stringify([
      'warning',
      `http.${method} only accepts a url and a params argument (2 arguments), but ${count} were given`,
      false,
    ]),
  );

// Each written out, as each call of a function that may wait costs a generator where the script runs as V8's own code.
export function request(method, url, body, params) {
  const prepared = begin(method, url, body, params);
  return prepared.noAnswer ?? end(suspend('http', encode(prepared), takePending()));
}

export const get = (url, params, extra) => {
  if (extra !== undefined) tooMany('get', 3);
  const prepared = begin('GET', url, undefined, params);
  return prepared.noAnswer ?? end(suspend('http', encode(prepared), takePending()));
};
export const head = (url, params, extra) => {
  if (extra !== undefined) tooMany('head', 3);
  return request('HEAD', url, undefined, params);
};
export const post = (url, body, params) => {
  const prepared = begin('POST', url, body, params);
  return prepared.noAnswer ?? end(suspend('http', encode(prepared), takePending()));
};
export const put = (url, body, params) => request('PUT', url, body, params);
export const patch = (url, body, params) => request('PATCH', url, body, params);
export const del = (url, body, params) => request('DELETE', url, body, params);
export const options = (url, body, params) => request('OPTIONS', url, body, params);

function prepareEntry(key, entry, jars) {
  if (Array.isArray(entry)) {
    if (entry.length < 2) throw new NoRequest(`invalid batch request ${key}: it needs a method and a url`);
    if (typeof entry[0] !== 'string') throw new NoRequest(`invalid method type '${entry[0]}'`);
    return prepare(entry[0], entry[1], entry[2], entry[3], jars);
  }
  if (entry === null || typeof entry !== 'object' || isTemplate(entry))
    return prepare('GET', entry, undefined, undefined, jars);
  if (entry.url === undefined) throw new NoRequest(`batch request ${key} doesn't have a url key`);
  if (entry.method !== undefined && typeof entry.method !== 'string') {
    throw new NoRequest(`invalid method type '${entry.method}'`);
  }
  const method = entry.method === undefined ? 'GET' : entry.method.toUpperCase();
  const body = method === 'GET' || method === 'HEAD' ? undefined : entry.body;
  return prepare(method, entry.url, body, entry.params, jars);
}

export function batch(...given) {
  if (state.init) throw new GoError('Using batch in the init context is not supported');
  const [requests] = given;
  if (given.length === 0) throw new GoError('no argument was provided to http.batch()');
  if (given.length > 1) throw new GoError('http.batch() accepts only an array or an object of requests');
  if (requests === null || typeof requests !== 'object') {
    throw new GoError(`invalid http.batch() argument type ${goType(requests)}`);
  }
  const keys = Object.keys(requests);
  const out = Array.isArray(requests) ? [] : {};
  const jars = [];
  const prepared = [];
  for (const key of keys) {
    try {
      prepared.push(prepareEntry(key, requests[key], jars));
    } catch (error) {
      if (!(error instanceof NoRequest)) throw error;
      // k6 then sends none at all.
      keys.forEach((other, i) => {
        out[other] = i < prepared.length ? emptyResponse('', 0) : null;
      });
      out[key] = noAnswer('A batch request failed', error);
      return out;
    }
  }
  if (prepared.length === 0) return out;
  const answers = answered(suspend('batch', encode(prepared), takePending()));
  state.now = answers.now ?? state.now;
  if (answers.jars !== undefined) keep(jars, answers.jars);
  keys.forEach((key, i) => {
    out[key] = toResponse(answers.list[i]);
  });
  return out;
}

export function expectedStatuses(...statuses) {
  if (statuses.length === 0) throw new GoError('no arguments');
  const callback = { statuses: [], ranges: [] };
  statuses.forEach((status, i) => {
    if (typeof status === 'number' && Number.isInteger(status)) callback.statuses.push(status);
    else if (
      status !== null &&
      typeof status === 'object' &&
      Number.isInteger(status.min) &&
      Number.isInteger(status.max)
    ) {
      callback.ranges.push([status.min, status.max]);
    } else {
      const isRange = status?.min !== undefined && status.max !== undefined;
      throw new GoError(
        isRange
          ? `both min and max need to be integers for argument number ${i + 1}`
          : `argument number ${i + 1} to expectedStatuses was neither an integer nor an object like {min:100, max:329}`,
      );
    }
  });
  return callback;
}

export function setResponseCallback(callback) {
  if (!isNothing(callback) && !isCallback(callback)) {
    throw new GoError('unsupported argument, expected http.expectedStatuses');
  }
  state.responseCallback = isNothing(callback) ? null : callback;
}

export function url(parts, ...values) {
  if (!Array.isArray(parts)) throw new GoError('http.url must be used as a template tag');
  return {
    _url: parts.map((part, i) => part + (i < values.length ? String(values[i]) : '')).join(''),
    // k6 names such a request by its text with empty placeholders.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder is meant literally.
    _name: parts.map((part, i) => part + (i < values.length ? '${}' : '')).join(''),
  };
}

export function cookieJar() {
  if (state.init) throw new GoError('Making cookie jars in the init context is not supported');
  return ofVu();
}

/** Without a name k6 takes the nanosecond. */
export const file = (data, filename = String(Date.now() * 1e6), type = undefined) => newFile(data, filename, type);

/** The same as `request`, which holds nobody up. */
export function asyncRequest(method, url, body, params) {
  const own = [];
  if (state.init) throw new GoError('Making http requests in the init context is not supported');
  let prepared;
  try {
    prepared = prepare(method, url, body, params, own);
  } catch (error) {
    if (!(error instanceof NoRequest)) throw error;
    return Promise.reject(new GoError(error.message));
  }
  flush();
  return new Promise((resolve, reject) => {
    background('http', prepared, (answer) => {
      try {
        const facts = answered(answer);
        if (facts.jars !== undefined) keep(own, facts.jars);
        resolve(toResponse(facts));
      } catch (error) {
        reject(error);
      }
    });
  });
}
export { CookieJar };

export const TLS_1_0 = 'tls1.0';
export const TLS_1_1 = 'tls1.1';
export const TLS_1_2 = 'tls1.2';
export const TLS_1_3 = 'tls1.3';
export const OCSP_STATUS_GOOD = 'good';
export const OCSP_STATUS_REVOKED = 'revoked';
export const OCSP_STATUS_SERVER_FAILED = 'server_failed';
export const OCSP_STATUS_UNKNOWN = 'unknown';

export const OCSP_REASON_UNSPECIFIED = 'unspecified';
export const OCSP_REASON_KEY_COMPROMISE = 'key_compromise';
export const OCSP_REASON_CA_COMPROMISE = 'ca_compromise';
export const OCSP_REASON_AFFILIATION_CHANGED = 'affiliation_changed';
export const OCSP_REASON_SUPERSEDED = 'superseded';
export const OCSP_REASON_CERTIFICATE_HOLD = 'certificate_hold';
export const OCSP_REASON_CESSATION_OF_OPERATION = 'cessation_of_operation';
export const OCSP_REASON_REMOVE_FROM_CRL = 'remove_from_crl';
export const OCSP_REASON_PRIVILEGE_WITHDRAWN = 'privilege_withdrawn';
export const OCSP_REASON_AA_COMPROMISE = 'aa_compromise';

const offered = {
  get,
  head,
  post,
  put,
  patch,
  del,
  options,
  request,
  batch,
  expectedStatuses,
  setResponseCallback,
  url,
  asyncRequest,
  cookieJar,
  CookieJar,
  file,
  TLS_1_0,
  TLS_1_1,
  TLS_1_2,
  TLS_1_3,
  OCSP_STATUS_GOOD,
  OCSP_STATUS_REVOKED,
  OCSP_STATUS_SERVER_FAILED,
  OCSP_STATUS_UNKNOWN,
  OCSP_REASON_UNSPECIFIED,
  OCSP_REASON_KEY_COMPROMISE,
  OCSP_REASON_CA_COMPROMISE,
  OCSP_REASON_AFFILIATION_CHANGED,
  OCSP_REASON_SUPERSEDED,
  OCSP_REASON_CERTIFICATE_HOLD,
  OCSP_REASON_CESSATION_OF_OPERATION,
  OCSP_REASON_REMOVE_FROM_CRL,
  OCSP_REASON_PRIVILEGE_WITHDRAWN,
  OCSP_REASON_AA_COMPROMISE,
};
export default offered;
