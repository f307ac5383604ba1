// A request of k6/http as the engine takes it, from what a script gave.
import { bytesText, formOf, goType } from 'k6:bodies';
import { CookieJar, savedIn } from 'k6:cookie-jar';
import { ask, refuse, state } from 'k6:core';
import { badTag, badTagMessage, textTags } from 'k6:shared';

/** What k6 takes for no request: it is never sent, and leaves no sample. */
export class NoRequest {
  constructor(message, code = 0) {
    this.message = message;
    this.code = code;
  }
}

export const isTemplate = (url) => url !== null && typeof url === 'object' && url._url !== undefined;

/** @param jars of the script's own that the requests of this call name */
export function prepare(method, url, body, params, jars) {
  const template = isTemplate(url);
  if (!template && typeof url !== 'string') throw new NoRequest(`invalid URL: '#${url ?? '<nil>'}'`, 1020);
  const request = {
    method: String(method),
    url: template ? url._url : url,
    name: template ? url._name : undefined,
    headers: {},
    timeout: 60000,
    responseType: state.discardResponseBodies ? 'none' : 'text',
    group: state.group,
    expected: state.responseCallback,
  };
  if (typeof body === 'string') request.body = body;
  else if (body !== undefined && body !== null) setBody(request, body);
  if (params !== undefined && params !== null) {
    for (const key of Object.keys(params)) setParameter(request, key, params[key], jars);
  }
  return request;
}

function setBody(request, body) {
  const bytes = body instanceof ArrayBuffer || body instanceof Uint8Array ? bytesText(body) : undefined;
  if (bytes !== undefined) {
    request.body = bytes[0];
    request.binary = true;
    return;
  }
  const form = typeof body === 'object' && Object.getPrototypeOf(body) !== Array.prototype ? formOf(body) : undefined;
  if (form === undefined) throw new NoRequest(`unknown request body type ${goType(body)}`);
  for (const type of form.nested) {
    const what = `cannot urlencode a nested ${type} value in a request form body; encoding it as an empty value`;
    ask('log', JSON.stringify(['warning', `${what}, use JSON.stringify() to send structured data`, false]));
  }
  request.form = form.fields;
}

export const isNothing = (value) => value === undefined || value === null;

/** One parameter of a request; those that k6 does not know it leaves alone. */
function setParameter(request, name, given, jars) {
  switch (name) {
    case 'headers':
      if (!isNothing(given)) for (const key of Object.keys(given)) setHeader(request, key, String(given[key]));
      break;
    case 'tags':
      if (!isNothing(given)) setTags(request, given);
      break;
    case 'responseType':
      if (given !== 'text' && given !== 'binary' && given !== 'none') {
        throw new NoRequest(`${given} does not belong to ResponseType values`);
      }
      request.responseType = given;
      break;
    case 'responseCallback':
      if (!isNothing(given) && !isCallback(given)) throw new NoRequest('unsupported responseCallback');
      request.expected = isNothing(given) ? null : given;
      break;
    case 'timeout':
      setTimeoutOf(request, given);
      break;
    case 'redirects':
      request.redirects = Math.trunc(Number(given)) || 0;
      break;
    case 'cookies':
      if (!isNothing(given)) request.cookies = cookiesOf(given);
      break;
    case 'jar':
      if (given instanceof CookieJar) setJar(request, given, jars);
      break;
    case 'throw':
      request.throws = Boolean(given);
      break;
    case 'auth':
      if (given === 'ntlm') refuse(`the request parameter "auth: 'ntlm'"`);
      if (given === 'digest') request.digest = true;
      break;
    case 'compression':
      if (String(given).trim() !== '') request.compression = compressionOf(String(given));
      break;
  }
}

function setHeader(request, name, value) {
  if (name.toLowerCase() === 'expect') refuse('the request header "Expect"');
  request.headers[name] = value;
}

const ENCODINGS = ['gzip', 'deflate', 'zstd', 'br'];

function compressionOf(given) {
  const list = given.split(',').map((name) => name.trim());
  for (const name of list) {
    if (!ENCODINGS.includes(name)) {
      throw new NoRequest(`unknown compression algorithm ${name}, supported algorithms are [${ENCODINGS.join(' ')}]`);
    }
    if (name === 'zstd') refuse(`the request parameter "compression: 'zstd'"`);
  }
  return list;
}

function setTags(request, given) {
  const bad = badTag(given);
  if (bad !== undefined) throw new NoRequest(`invalid HTTP request metric tags: ${badTagMessage(bad)}`);
  request.tags = textTags(given);
}

function setTimeoutOf(request, given) {
  if (typeof given === 'number') {
    request.timeout = given;
    return;
  }
  const ms = ask('durationMs', String(given));
  if (ms === null) throw new NoRequest(`invalid timeout value: time: invalid duration "${given}"`);
  request.timeout = ms;
}

function cookiesOf(given) {
  const cookies = [];
  for (const name of Object.keys(given)) {
    const cookie = given[name];
    if (isNothing(cookie)) continue;
    const isObject = typeof cookie === 'object';
    const value = isObject ? (cookie.value ?? '') : cookie;
    cookies.push({ name, value: String(value), replace: isObject && Boolean(cookie.replace) });
  }
  return cookies;
}

/** The VU's own jar needs no word. */
function setJar(request, jar, jars) {
  const text = savedIn(jar);
  if (text === undefined) return;
  if (!jars.includes(jar)) jars.push(jar);
  request.jar = { id: jars.indexOf(jar), text };
}

export const isCallback = (value) => typeof value === 'object' && Array.isArray(value.ranges);
