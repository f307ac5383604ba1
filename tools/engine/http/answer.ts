/** The answer to a request as a script receives it. */
import type { Cookie } from './cookies.ts';
import type { GuestAnswer, GuestRequest } from './exchange.ts';
import { errorCodeOf } from './record.ts';
import { originalForm, type Target } from './target.ts';
import type { HopResult } from './transport.ts';

/**
 * @param lean leaves out what guest/http.js knows without being told: a rehearsal sends millions of answers
 */
export function toAnswer(
  lean: boolean,
  guest: GuestRequest,
  method: string,
  url: Target | string,
  sentHeaders: Readonly<Record<string, string>>,
  result: HopResult,
  cookies: readonly Cookie[],
): GuestAnswer {
  if (lean) return leanAnswer(guest, result);
  const binary = guest.responseType === 'binary' && result.body !== undefined;
  const code = errorCodeOf(result);
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

function leanAnswer(guest: GuestRequest, result: HopResult): GuestAnswer {
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
