// The module `k6/http` inside the virtual machine.
import { answered, ask, encode, state, suspend, takePending } from 'k6:core';
import {
  badTag,
  badTagMessage,
  bufferToLatin1,
  durationMs,
  formEncode,
  GoError,
  httpLacks,
  latin1ToBuffer,
  newResponse,
  noTimings,
  notOffered,
  refuse,
  textTags,
} from 'k6:shared';

const DEFAULT_CALLBACK = { ranges: [[200, 399]] };
state.responseCallback = DEFAULT_CALLBACK;

function prepare(method, url, body, params) {
  const isTemplate = url !== null && typeof url === 'object' && url._url !== undefined;
  const given = params === undefined || params === null ? {} : params;
  const request = {
    method: String(method),
    url: isTemplate ? url._url : String(url),
    name: isTemplate ? url._name : undefined,
    headers: {},
    timeout: given.timeout === undefined ? 60000 : durationMs(given.timeout, 'timeout value'),
    responseType: given.responseType ?? (state.discardResponseBodies ? 'none' : 'text'),
    group: state.group,
    expected: given.responseCallback === undefined ? state.responseCallback : given.responseCallback,
  };
  if (!['text', 'binary', 'none'].includes(request.responseType)) {
    throw new GoError(`${request.responseType} is not a valid ResponseType`);
  }
  if (body !== undefined && body !== null) {
    if (typeof body === 'string') request.body = body;
    else if (body instanceof ArrayBuffer) {
      request.body = bufferToLatin1(body);
      request.binary = true;
    } else if (ArrayBuffer.isView(body)) {
      request.body = bufferToLatin1(body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength));
      request.binary = true;
    } else if (typeof body === 'object') {
      request.body = formEncode(body);
      request.headers['Content-Type'] = 'application/x-www-form-urlencoded';
    } else request.body = String(body);
  }
  if (given.headers) for (const key of Object.keys(given.headers)) setHeader(request.headers, key, given.headers[key]);
  if (given.cookies) {
    request.cookies = {};
    for (const key of Object.keys(given.cookies)) {
      const value = given.cookies[key];
      request.cookies[key] = value !== null && typeof value === 'object' ? String(value.value) : String(value);
    }
  }
  if (given.redirects !== undefined) request.redirects = Number(given.redirects);
  for (const name of ['auth', 'compression', 'jar']) {
    if (given[name] !== undefined) refuse(`the request parameter "${name}"`);
  }
  if (given.tags) {
    const bad = badTag(given.tags);
    if (bad !== undefined) return { failed: `invalid HTTP request metric tags: ${badTagMessage(bad)}`, request };
    request.tags = textTags(given.tags);
  }
  return { request };
}

function setHeader(headers, name, value) {
  for (const key of Object.keys(headers)) if (key.toLowerCase() === name.toLowerCase()) delete headers[key];
  headers[name] = String(value);
}

function toResponse(facts) {
  if (facts.raw !== undefined) {
    facts.response.body = latin1ToBuffer(facts.raw);
  }
  return newResponse(facts.response);
}

function failedResponse(request, message, code) {
  return newResponse({
    remote_ip: '',
    remote_port: 0,
    url: request.url,
    status: 0,
    status_text: '',
    proto: '',
    headers: {},
    cookies: {},
    body: null,
    timings: noTimings(),
    tls_version: '',
    tls_cipher_suite: '',
    error: message,
    error_code: code,
    request: { method: request.method, url: request.url, headers: {}, body: request.body ?? '', cookies: {} },
  });
}

const answerOf = ({ request, failed }) => {
  if (failed === undefined) return undefined;
  ask('log', JSON.stringify(['warning', 'Request Failed', false, failed]));
  return failedResponse(request, failed, 1000);
};

function begin(method, url, body, params) {
  if (state.init) throw new GoError('making http requests in the init context is not supported');
  return prepare(method, url, body, params);
}

/** @param answer as the engine gave it */
function end(answer) {
  const facts = answered(answer);
  state.now = facts.now;
  return toResponse(facts);
}

// Each written out, as each call of a function that may wait costs a generator where the script runs as V8's own code.
export function request(method, url, body, params) {
  const prepared = begin(method, url, body, params);
  return answerOf(prepared) ?? end(suspend('http', encode(prepared.request), takePending()));
}

export const get = (url, params) => {
  const prepared = begin('GET', url, undefined, params);
  return answerOf(prepared) ?? end(suspend('http', encode(prepared.request), takePending()));
};
export const head = (url, params) => request('HEAD', url, undefined, params);
export const post = (url, body, params) => {
  const prepared = begin('POST', url, body, params);
  return answerOf(prepared) ?? end(suspend('http', encode(prepared.request), takePending()));
};
export const put = (url, body, params) => request('PUT', url, body, params);
export const patch = (url, body, params) => request('PATCH', url, body, params);
export const del = (url, body, params) => request('DELETE', url, body, params);
export const options = (url, body, params) => request('OPTIONS', url, body, params);

export function batch(requests) {
  if (state.init) throw new GoError('using batch in the init context is not supported');
  if (requests === null || typeof requests !== 'object') {
    throw new GoError('invalid http.batch() argument type, expected an array or an object');
  }
  const keys = Object.keys(requests);
  const prepared = keys.map((key) => {
    const entry = requests[key];
    if (Array.isArray(entry)) return prepare(entry[0], entry[1], entry[2], entry[3]);
    if (entry !== null && typeof entry === 'object' && entry._url === undefined) {
      if (entry.url === undefined) throw new GoError(`batch request ${key} doesn't have a url key`);
      return prepare(entry.method ?? 'GET', entry.url, entry.body, entry.params);
    }
    return prepare('GET', entry);
  });
  const sent = prepared.filter((item) => item.failed === undefined).map((item) => item.request);
  const answers = sent.length === 0 ? { list: [] } : answered(suspend('batch', encode(sent), takePending()));
  state.now = answers.now ?? state.now;
  const out = Array.isArray(requests) ? [] : {};
  let next = 0;
  keys.forEach((key, i) => {
    out[key] = answerOf(prepared[i]) ?? toResponse(answers.list[next++]);
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
      const what = `argument number ${i + 1} to expectedStatuses was neither an integer nor an object like {min:100, max:329}`;
      throw new GoError(what);
    }
  });
  return callback;
}

export function setResponseCallback(callback) {
  if (callback !== null && (typeof callback !== 'object' || !Array.isArray(callback.ranges))) {
    throw new GoError('unsupported argument, expected http.expectedStatuses');
  }
  state.responseCallback = callback;
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

export const asyncRequest = notOffered('http.asyncRequest()');
export const cookieJar = notOffered('http.cookieJar()');
export const CookieJar = notOffered('http.CookieJar');
export const file = notOffered('http.file()');

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
};
export default Object.setPrototypeOf(offered, httpLacks);
