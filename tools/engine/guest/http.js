// The module `k6/http` inside the virtual machine.
import {
  ask,
  badTag,
  badTagMessage,
  bufferToLatin1,
  durationMs,
  GoError,
  latin1ToBuffer,
  notOffered,
  refuse,
  refusing,
  state,
  textTags,
  wait,
} from 'k6:core';

const DEFAULT_CALLBACK = { ranges: [[200, 399]] };
state.responseCallback = DEFAULT_CALLBACK;

const NO_TIMINGS = {
  duration: 0,
  blocked: 0,
  looking_up: 0,
  connecting: 0,
  tls_handshaking: 0,
  sending: 0,
  waiting: 0,
  receiving: 0,
};

class Response {
  #parsed;

  constructor(facts) {
    // Answers of a rehearsal, of which there are millions; the prototype holds the rest.
    if (facts.proto === undefined) {
      this.status = facts.status;
      this.body = facts.body;
      this.headers = facts.headers;
      this.timings = facts.timings;
      if (facts.error !== undefined) this.error = facts.error;
      if (facts.error_code !== undefined) this.error_code = facts.error_code;
    } else Object.assign(this, facts);
  }

  json(selector) {
    if (this.#parsed === undefined) {
      if (this.body === null || this.body === undefined) {
        throw new GoError(
          "the body is null so we can't transform it to JSON - this likely was because of a request error getting the response",
        );
      }
      const text = typeof this.body === 'string' ? this.body : bufferToText(this.body);
      try {
        this.#parsed = { value: JSON.parse(text) };
      } catch (error) {
        throw new GoError(`cannot parse json due to an error: ${error.message}`);
      }
    }
    return selector === undefined ? this.#parsed.value : select(this.#parsed.value, String(selector));
  }

  html() {
    return refuse('Response.html()');
  }
  submitForm() {
    return refuse('Response.submitForm()');
  }
  clickLink() {
    return refuse('Response.clickLink()');
  }
}

// What an answer of a rehearsal leaves out.
Object.assign(Response.prototype, {
  remote_ip: '',
  remote_port: 0,
  url: '',
  status_text: '',
  proto: 'HTTP/1.1',
  cookies: {},
  tls_version: '',
  tls_cipher_suite: '',
  error: '',
  error_code: 0,
  request: {},
});

function bufferToText(buffer) {
  // Bytes are UTF-8; percent-decoding is the decoder that this engine has.
  return decodeURIComponent(bufferToLatin1(buffer).replace(/[^ -$&-~]/g, percent));
}
const percent = (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Dotted paths with array indices and a trailing `#` for a length: the part of GJSON that load tests use. */
function select(value, path) {
  if (/[*?|()@]|#[.(]/.test(path)) return refuse(`json() with the selector "${path}"`);
  let at = value;
  for (const key of path.split('.')) {
    if (at === null || at === undefined) return undefined;
    at = key === '#' && Array.isArray(at) ? at.length : Object.hasOwn(Object(at), key) ? at[key] : undefined;
  }
  return at;
}

function formEncode(body) {
  const plus = (text) => encodeURIComponent(text).replace(/%20/g, '+');
  return Object.keys(body)
    .flatMap((key) => {
      const value = body[key];
      if (value !== null && typeof value === 'object' && value._file === true) refuse('http.file()');
      return (Array.isArray(value) ? value : [value]).map((item) => `${plus(key)}=${plus(String(item))}`);
    })
    .sort()
    .join('&');
}

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
  return new Response(facts.response);
}

function failedResponse(request, message, code) {
  return new Response({
    remote_ip: '',
    remote_port: 0,
    url: request.url,
    status: 0,
    status_text: '',
    proto: '',
    headers: {},
    cookies: {},
    body: null,
    timings: NO_TIMINGS,
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

export function request(method, url, body, params) {
  if (state.init) throw new GoError('making http requests in the init context is not supported');
  const prepared = prepare(method, url, body, params);
  const failed = answerOf(prepared);
  if (failed !== undefined) return failed;
  const facts = wait('http', prepared.request);
  state.now = facts.now;
  return toResponse(facts);
}

export const get = (url, params) => request('GET', url, undefined, params);
export const head = (url, params) => request('HEAD', url, undefined, params);
export const post = (url, body, params) => request('POST', url, body, params);
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
  const answers = sent.length === 0 ? { list: [] } : wait('batch', sent);
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
export default refusing(offered, 'http', [
  'TLS_1_0',
  'TLS_1_1',
  'TLS_1_2',
  'TLS_1_3',
  'OCSP_STATUS_GOOD',
  'OCSP_STATUS_REVOKED',
  'OCSP_STATUS_SERVER_FAILED',
  'OCSP_STATUS_UNKNOWN',
]);
