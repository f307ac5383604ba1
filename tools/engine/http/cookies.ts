/** A small cookie jar: what a login needs. k6 empties it before every iteration. */

import type { Target } from './target.ts';

export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  /** Milliseconds since the epoch; undefined for a session cookie. */
  readonly expires: number | undefined;
  readonly maxAge: number;
}

export interface CookieJar {
  /** `Cookie` header of a request; empty without cookies. */
  header(url: Target, extra: Readonly<Record<string, string>>, now: number): string;
  store(url: Target, lines: readonly string[], now: number): Cookie[];
  clear(): void;
}

export function cookieJar(): CookieJar {
  const byHost = new Map<string, Map<string, Cookie>>();
  return {
    header(url, extra, now) {
      if (byHost.size === 0 && Object.keys(extra).length === 0) return '';
      const pairs = new Map<string, string>(Object.entries(extra));
      for (const [domain, cookies] of byHost) {
        if (url.hostname !== domain && !(domain.startsWith('.') && `.${url.hostname}`.endsWith(domain))) continue;
        for (const cookie of cookies.values()) {
          const expired = cookie.expires !== undefined && cookie.expires <= now;
          if (expired || (cookie.secure && url.protocol !== 'https:')) continue;
          if (pathMatches(url.pathname, cookie.path) && !(cookie.name in extra)) pairs.set(cookie.name, cookie.value);
        }
      }
      return [...pairs].map(([name, value]) => `${name}=${value}`).join('; ');
    },
    store(url, lines, now) {
      if (lines.length === 0) return [];
      const parsed = lines.map((line) => parseSetCookie(line, now)).filter((cookie) => cookie !== undefined);
      for (const cookie of parsed) {
        const domain = cookie.domain === '' ? url.hostname : `.${cookie.domain.replace(/^\./, '')}`;
        const host = byHost.get(domain) ?? new Map<string, Cookie>();
        byHost.set(domain, host);
        host.set(`${cookie.name};${cookie.path}`, cookie);
      }
      return parsed;
    },
    clear: () => byHost.clear(),
  };
}

function pathMatches(path: string, cookiePath: string): boolean {
  return (
    cookiePath === '' ||
    path === cookiePath ||
    path.startsWith(cookiePath.endsWith('/') ? cookiePath : `${cookiePath}/`)
  );
}

function parseSetCookie(line: string, now: number): Cookie | undefined {
  const [pair = '', ...attributes] = line.split(';');
  const equals = pair.indexOf('=');
  if (equals <= 0) return undefined;
  const found = new Map<string, string>();
  for (const attribute of attributes) {
    const [key = '', ...value] = attribute.trim().split('=');
    found.set(key.toLowerCase(), value.join('='));
  }
  const maxAge = Number(found.get('max-age') ?? 0);
  const expires = found.has('max-age') ? now + maxAge * 1000 : Date.parse(found.get('expires') ?? '');
  return {
    name: pair.slice(0, equals).trim(),
    value: pair.slice(equals + 1).trim(),
    domain: found.get('domain') ?? '',
    path: found.get('path') ?? '',
    secure: found.has('secure'),
    httpOnly: found.has('httponly'),
    expires: Number.isNaN(expires) ? undefined : expires,
    maxAge: Number.isNaN(maxAge) ? 0 : maxAge,
  };
}
