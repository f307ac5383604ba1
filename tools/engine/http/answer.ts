/** The answer to a request as a script receives it. */
import type { Cookie, CookiePair } from './cookies.ts';
import type { GuestAnswer, GuestRequest } from './exchange.ts';
import { errorCodeOf } from './record.ts';
import type { HopResult } from './transport.ts';

/** The first request of an exchange, as the script finds it in the answer. */
export interface SentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  readonly cookies: readonly CookiePair[];
}

/** What Go's zero time is in milliseconds once it has overflowed: k6's `expires` of a cookie without one. */
const NO_EXPIRES = -6795364578871;

/** @param url of the last hop */
export function toAnswer(
  guest: GuestRequest,
  sent: SentRequest | undefined,
  url: string,
  result: HopResult,
  cookies: readonly Cookie[],
): GuestAnswer {
  const binary = guest.responseType === 'binary' && result.body !== undefined;
  return {
    response: {
      remote_ip: result.remoteIp,
      remote_port: result.remotePort,
      url,
      status: result.status,
      status_text: result.statusText,
      proto: result.proto,
      headers: result.headers,
      cookies: grouped(cookies, ({ name, value, domain, path, httpOnly, secure, maxAge, expires }) => ({
        name,
        value,
        domain,
        path,
        http_only: httpOnly,
        secure,
        max_age: maxAge,
        expires: expires ?? NO_EXPIRES,
      })),
      body: result.body === undefined || binary ? null : textOf(result.body),
      timings: result.timings,
      tls_version: result.tlsVersion,
      tls_cipher_suite: '',
      error: result.error,
      error_code: errorCodeOf(result),
      request: {
        method: guest.method,
        url: sent?.url ?? guest.url,
        headers: Object.fromEntries(Object.entries(sent?.headers ?? {}).map(([key, value]) => [key, [value]])),
        body: sent?.body?.toString('utf8') ?? '',
        cookies: grouped(
          (sent?.cookies ?? []).map(([name, value]) => ({ name, value, replace: false })),
          (cookie) => cookie,
        ),
      },
    },
    ...(binary && result.body !== undefined ? { raw: Buffer.from(result.body).toString('latin1') } : {}),
  };
}

function grouped<T extends { name: string }>(
  list: readonly T[],
  shown: (item: T) => unknown,
): Record<string, unknown[]> {
  const groups: Record<string, unknown[]> = {};
  for (const item of list) {
    groups[item.name] ??= [];
    groups[item.name]?.push(shown(item));
  }
  return groups;
}

/** The answer of a model without what guest/shared.js knows without being told: a rehearsal sends millions of answers. */
export function leanAnswer(guest: GuestRequest, result: HopResult): GuestAnswer {
  const { status, body, headers, timings, error } = result;
  const binary = guest.responseType === 'binary' && body !== undefined;
  const code = errorCodeOf(result);
  const text = body === undefined || binary ? null : textOf(body);
  const response: Record<string, unknown> = { status, body: text, headers, timings };
  if (error !== '') response['error'] = error;
  if (code !== 0) response['error_code'] = code;
  return binary ? { response, raw: Buffer.from(body).toString('latin1') } : { response };
}

const textOf = (body: Buffer | string) => (typeof body === 'string' ? body : body.toString('utf8'));
