/** `http.request` as a script sees it: cookies, redirects with a sample a hop, k6's tags, and the response object. */
import { K6_HTTP_METRICS } from '../../../lib/names.ts';
import type { Cancellation } from '../cancellation.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { MetricRegistry } from '../metrics/registry.ts';
import type { TagSet } from '../metrics/types.ts';
import type { Cookie, CookieJar } from './cookies.ts';
import { type HopRequest, type HopResult, noAnswer, type Transport } from './transport.ts';

/** Statuses that are no failure; null switches the judgement off. */
export type ResponseCallback = { statuses?: readonly number[]; ranges?: readonly (readonly [number, number])[] } | null;

/** A request as guest/http.js describes it. */
export interface GuestRequest {
  readonly method: string;
  readonly url: string;
  readonly name?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly binary?: boolean;
  readonly timeout: number;
  readonly responseType: 'text' | 'binary' | 'none';
  readonly group: string;
  readonly expected: ResponseCallback;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly redirects?: number;
  readonly tags?: Readonly<Record<string, string>>;
}

export interface GuestAnswer {
  readonly response: Record<string, unknown>;
  /** Bytes of a binary body, one character each. */
  readonly raw?: string;
}

export interface ClientContext {
  readonly clock: Clock;
  readonly registry: MetricRegistry;
  readonly log: Log;
  readonly transport: Transport;
  readonly jar: CookieJar;
  readonly systemTags: ReadonlySet<string>;
  readonly userAgent: string;
  readonly maxRedirects: number;
  readonly throwErrors: boolean;
  /** The running iteration's tags with these on top. */
  readonly tagSet: (group: string, tags: Readonly<Record<string, string>>) => TagSet;
  readonly sample: (metric: number, value: number, tags: TagSet) => void;
  readonly metricIds: Readonly<Record<HttpMetric, number>>;
}

type HttpMetric = (typeof K6_HTTP_METRICS)[number];

export function httpMetricIds(registry: MetricRegistry): Record<HttpMetric, number> {
  return Object.fromEntries(K6_HTTP_METRICS.map((name) => [name, registry.get(name).id])) as Record<HttpMetric, number>;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request and follows redirects.
 * @throws Error, to be thrown in the script, where the `throw` option asks for it
 */
export async function sendRequest(
  context: ClientContext,
  guest: GuestRequest,
  cancellation: Cancellation,
): Promise<GuestAnswer> {
  const { clock, log, jar } = context;
  const url = parseUrl(guest.url);
  if (!(url instanceof URL)) {
    const result = noAnswer(url.error, url.errorCode);
    // What is no URL at all never becomes a request; what has a strange scheme does, and fails.
    if (url.errorCode !== 1020) record(context, guest, { method: guest.method, name: guest.name ?? guest.url }, result);
    return refused(context, guest, url.error, url.errorCode, undefined);
  }
  const deadline = clock.now() + guest.timeout;
  const most = guest.redirects ?? context.maxRedirects;
  let method = guest.method;
  let body = guest.body === undefined ? undefined : Buffer.from(guest.body, guest.binary === true ? 'latin1' : 'utf8');
  let at = url;
  let sentHeaders: Record<string, string> = {};
  let cookies: Cookie[] = [];
  for (let hop = 0; ; hop++) {
    if (context.transport.ignoresHeaders !== true) {
      sentHeaders = headersOf(context, guest, body);
      const cookie = jar.header(at, guest.cookies ?? {}, clock.now());
      if (cookie !== '' && !hasHeader(sentHeaders, 'cookie')) sentHeaders['Cookie'] = cookie;
    }
    const name = guest.tags?.['name'] ?? guest.name ?? (hop === 0 && at.username === '' ? guest.url : nameOf(at));
    const request: HopRequest = {
      method,
      url: at,
      name,
      headers: sentHeaders,
      body,
      timeoutMs: deadline - clock.now(),
      wantBody: guest.responseType !== 'none',
    };
    const result = await context.transport.send(request, cancellation);
    if (cancellation.aborted) return { response: {} };
    record(context, guest, request, result);
    if (result.status === 0) {
      return refused(context, guest, result.error, result.errorCode, { at, sentHeaders, result });
    }
    cookies = jar.store(at, result.setCookies, clock.now());
    const location = result.headers['Location'];
    const next = REDIRECTS.has(result.status) && location !== undefined ? parseUrl(location, at) : undefined;
    if (next instanceof URL && hop < most) {
      if (result.status !== 307 && result.status !== 308 && method !== 'HEAD') {
        method = 'GET';
        body = undefined;
      }
      at = next;
      continue;
    }
    if (next instanceof URL && guest.redirects === undefined && most > 0) {
      log(
        'warning',
        `Stopped after ${most + 1} redirects and returned the redirection; pass { redirects: n } in request params or set global maxRedirects to silence this`,
        { url: at.href },
      );
    }
    return toAnswer(context.clock.virtual, guest, method, hop === 0 ? guest.url : at, sentHeaders, result, cookies);
  }
}

/** The `url` tag of a request without a name: no password, as k6 masks it. */
function nameOf(url: URL): string {
  if (url.username === '' && url.password === '') return originalForm(url.href);
  const masked = new URL(url);
  masked.username = '****';
  masked.password = '****';
  return originalForm(masked.href);
}

/** WHATWG URLs end a bare host in a slash, k6 keeps what was written; both read the same but for that slash. */
const originalForm = (href: string) => href.replace(/^(https?:\/\/[^/?#]+)\/$/, '$1');

function parseUrl(text: string, base?: URL): URL | { error: string; errorCode: number } {
  let url: URL;
  try {
    url = base === undefined ? new URL(text) : new URL(text, base);
  } catch {
    return /^[a-z][a-z0-9+.-]*:/i.test(text)
      ? { error: `invalid URL: parse "${text}"`, errorCode: 1020 }
      : { error: 'unsupported protocol scheme ""', errorCode: 1000 };
  }
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  return { error: `unsupported protocol scheme "${url.protocol.slice(0, -1)}"`, errorCode: 1000 };
}

function headersOf(context: ClientContext, guest: GuestRequest, body: Buffer | undefined): Record<string, string> {
  const headers: Record<string, string> = { ...guest.headers };
  if (!hasHeader(headers, 'user-agent')) headers['User-Agent'] = context.userAgent;
  if (body === undefined)
    for (const key of Object.keys(headers)) if (/^content-(type|length)$/i.test(key)) delete headers[key];
  for (const key of Object.keys(headers))
    if (/^(host|content-length|connection|transfer-encoding)$/i.test(key)) delete headers[key];
  return headers;
}

const hasHeader = (headers: Readonly<Record<string, string>>, name: string) =>
  Object.keys(headers).some((key) => key.toLowerCase() === name);

export function isExpected(callback: Exclude<ResponseCallback, null>, status: number): boolean {
  return (
    (callback.statuses ?? []).includes(status) ||
    (callback.ranges ?? []).some(([min, max]) => status >= min && status <= max)
  );
}

function record(
  context: ClientContext,
  guest: GuestRequest,
  request: Pick<HopRequest, 'method' | 'name'>,
  result: HopResult,
): void {
  const { systemTags, metricIds } = context;
  const named = guest.tags?.['name'] ?? guest.name;
  const tags: Record<string, string> = {};
  const set = (name: string, value: string) => {
    if (value !== '' && systemTags.has(name)) tags[name] = value;
  };
  set('url', named ?? request.name);
  set('name', named ?? request.name);
  Object.assign(tags, guest.tags);
  // What k6 sets after the user's tags, so that a user tag of that name is lost.
  set('method', request.method);
  set('status', String(result.status));
  set('proto', result.proto);
  set('tls_version', result.tlsVersion);
  set('ip', result.remoteIp);
  set('error', result.error);
  const code = result.errorCode === 0 && result.status >= 400 ? 1000 + result.status : result.errorCode;
  if (code !== 0) set('error_code', String(code));
  const expected = guest.expected === null ? undefined : isExpected(guest.expected, result.status);
  if (expected !== undefined) set('expected_response', String(expected));
  const { timings } = result;
  const tagSet = context.tagSet(guest.group, tags);
  const emit = (name: HttpMetric, value: number) => context.sample(metricIds[name], value, tagSet);
  emit('http_reqs', 1);
  emit('http_req_duration', timings.duration);
  emit('http_req_blocked', timings.blocked);
  emit('http_req_connecting', timings.connecting);
  emit('http_req_tls_handshaking', timings.tls_handshaking);
  emit('http_req_sending', timings.sending);
  emit('http_req_waiting', timings.waiting);
  emit('http_req_receiving', timings.receiving);
  if (expected !== undefined) emit('http_req_failed', expected ? 0 : 1);
}

function refused(
  context: ClientContext,
  guest: GuestRequest,
  error: string,
  errorCode: number,
  sent: { at: URL; sentHeaders: Record<string, string>; result: HopResult } | undefined,
): GuestAnswer {
  const verb = guest.method[0] + guest.method.slice(1).toLowerCase();
  const message = errorCode === 1020 ? error : `${verb} "${sent?.at.href ?? guest.url}": ${error}`;
  if (context.throwErrors) throw new Error(message);
  context.log('warning', 'Request Failed', { error: message });
  const result = sent?.result ?? noAnswer(error, errorCode);
  return toAnswer(context.clock.virtual, guest, guest.method, guest.url, sent?.sentHeaders ?? {}, result, []);
}

function toAnswer(
  lean: boolean,
  guest: GuestRequest,
  method: string,
  url: URL | string,
  sentHeaders: Readonly<Record<string, string>>,
  result: HopResult,
  cookies: readonly Cookie[],
): GuestAnswer {
  if (lean) return leanAnswer(guest, result);
  const binary = guest.responseType === 'binary' && result.body !== undefined;
  const code = result.errorCode === 0 && result.status >= 400 ? 1000 + result.status : result.errorCode;
  const byName: Record<string, unknown[]> = {};
  for (const cookie of cookies) {
    const list = byName[cookie.name] ?? [];
    byName[cookie.name] = list;
    list.push({
      name: cookie.name,
      value: cookie.value,
      domain: cookie.domain,
      path: cookie.path,
      http_only: cookie.httpOnly,
      secure: cookie.secure,
      max_age: cookie.maxAge,
      expires: cookie.expires ?? 0,
    });
  }
  return {
    response: {
      remote_ip: result.remoteIp,
      remote_port: result.remotePort,
      url: typeof url === 'string' ? url : originalForm(url.href),
      status: result.status,
      status_text: result.statusText,
      proto: result.proto,
      headers: result.headers,
      cookies: byName,
      body: result.body === undefined || binary ? null : textOf(result.body),
      timings: result.timings,
      tls_version: result.tlsVersion,
      tls_cipher_suite: '',
      error: result.error,
      error_code: code,
      request: {
        method,
        url: typeof url === 'string' ? url : originalForm(url.href),
        headers: Object.fromEntries(Object.entries(sentHeaders).map(([key, value]) => [key, [value]])),
        body: guest.body ?? '',
        cookies: {},
      },
    },
    ...(binary && result.body !== undefined ? { raw: Buffer.from(result.body).toString('latin1') } : {}),
  };
}

/** A rehearsal sends millions of answers; guest/http.js knows what an answer without the rest holds. */
function leanAnswer(guest: GuestRequest, { status, body, headers, timings, error, errorCode }: HopResult): GuestAnswer {
  const binary = guest.responseType === 'binary' && body !== undefined;
  const code = errorCode === 0 && status >= 400 ? 1000 + status : errorCode;
  const text = body === undefined || binary ? null : textOf(body);
  const response: Record<string, unknown> = { status, body: text, headers, timings };
  if (error !== '') response['error'] = error;
  if (code !== 0) response['error_code'] = code;
  return binary ? { response, raw: Buffer.from(body).toString('latin1') } : { response };
}

const textOf = (body: Buffer | string) => (typeof body === 'string' ? body : body.toString('utf8'));
