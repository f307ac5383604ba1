/** The cookies of one virtual user: kept by tough-cookie, read and chosen by the rules of k6's client (Go's net/http). */
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import type * as Tough from 'tough-cookie';
import type { Target } from './target.ts';

export interface Cookie {
  readonly name: string;
  readonly value: string;
  /** As the server wrote it; empty for a cookie of the host alone. */
  readonly domain: string;
  /** Empty for the folder of the request's path. */
  readonly path: string;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  /** Seconds; 0 for none, negative for a cookie to delete. */
  readonly maxAge: number;
  /** Milliseconds since the epoch; undefined for none. */
  readonly expires: number | undefined;
}

export type CookiePair = readonly [name: string, value: string];

export interface CookieJar {
  /** What a request to the URL carries: longest path first as k6 orders them, then oldest first. @param now ms since the epoch */
  pairs(url: Target, now: number): readonly CookiePair[];
  /** Cookies that the URL must not set (a foreign `Domain`) are left out without a word. */
  store(url: Target, cookies: readonly Cookie[], now: number): void;
  clear(): void;
  /** Everything that it holds, for `cookieJar`. */
  text(): string;
}

let loaded: typeof Tough | undefined;
/** The library and its list of public suffixes are read when the first cookie is to be kept. */
function tough(): typeof Tough {
  loaded ??= createRequire(import.meta.url)('tough-cookie') as typeof Tough;
  return loaded;
}

/** Gives every cookie to the jar, which chooses by name, path and protocol; the library's own store leaves out public suffixes. */
function wholeStore(): Tough.MemoryCookieStore {
  const store = new (tough().MemoryCookieStore)();
  const find = (_: unknown, __: unknown, ___: unknown, done: Parameters<typeof store.getAllCookies>[0]) =>
    store.getAllCookies(done);
  return Object.assign(store, { findCookies: find as typeof store.findCookies });
}

/** As k6's: no list of public suffixes, no rules for prefixes of names. */
function newJar(): Tough.CookieJar {
  return new (tough().CookieJar)(wholeStore(), { rejectPublicSuffixes: false, prefixSecurity: 'unsafe-disabled' });
}

const NONE: readonly CookiePair[] = [];

/** @param saved what `text` of another one gave */
export function cookieJar(saved = ''): CookieJar {
  let jar = saved === '' ? undefined : tough().CookieJar.deserializeSync(saved, wholeStore());
  return {
    pairs(url, now) {
      if (jar === undefined) return NONE;
      // The clock of a rehearsal is not that of the library.
      const kept = jar.getCookiesSync(url.href, { expire: false }).filter((cookie) => expiry(cookie) > now);
      return kept.sort(byPathThenAge).map(({ key, value }) => [key, value] as const);
    },
    store(url, cookies, now) {
      for (const cookie of cookies) {
        const { hostname } = url;
        const { domain } = cookie;
        if (domain !== '' && !isPossibleDomain(domain, hostname)) continue;
        jar ??= newJar();
        jar.setCookieSync(toughCookie(cookie, hostname, now), url.href, { ignoreError: true, now: new Date(now) });
      }
    },
    clear: () => {
      jar = undefined;
    },
    text: () => (jar === undefined ? '' : JSON.stringify(jar.serializeSync())),
  };
}

function expiry({ expires }: Tough.Cookie): number {
  return expires instanceof Date ? expires.getTime() : Number.POSITIVE_INFINITY;
}

function byPathThenAge(a: Tough.Cookie, b: Tough.Cookie): number {
  if (a.path === b.path) return (a.creationIndex ?? 0) - (b.creationIndex ?? 0);
  return (a.path ?? '') > (b.path ?? '') ? -1 : 1;
}

/** Of an address only the address itself; of a name no dot too many. Whether the host belongs to it, the library sees. */
function isPossibleDomain(domain: string, hostname: string): boolean {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) > 0) return domain === hostname;
  return /^\.?[^.].*[^.]$|^\.?[^.]$/.test(domain);
}

function toughCookie(cookie: Cookie, hostname: string, now: number): Tough.Cookie {
  const { name, value, domain, path, secure, httpOnly, maxAge, expires } = cookie;
  // The library counts Max-Age from the last use; k6 from the arrival.
  const until = maxAge < 0 ? 0 : maxAge > 0 ? now + maxAge * 1000 : expires;
  return new (tough().Cookie)({
    key: name,
    value,
    domain: domain === '' || domain === hostname ? null : domain.replace(/^\./, '').toLowerCase(),
    path: path === '' ? null : path,
    secure,
    httpOnly,
    expires: until === undefined ? 'Infinity' : new Date(until),
  });
}

/** The cookies of an answer as k6 reads them: what is no cookie is left out. */
export function readSetCookies(lines: readonly string[]): readonly Cookie[] {
  return lines.map(readSetCookie).filter((cookie) => cookie !== undefined);
}

function readSetCookie(line: string): Cookie | undefined {
  const parsed = tough().Cookie.parse(line);
  const value = parsed === undefined ? undefined : (/^"(.*)"$/.exec(parsed.value)?.[1] ?? parsed.value);
  if (parsed === undefined || value === undefined || !TOKEN.test(parsed.key) || !VALUE.test(value)) return undefined;
  const { maxAge, expires } = parsed;
  const seconds = typeof maxAge === 'number' && Number.isFinite(maxAge) ? maxAge : maxAge === null ? 0 : -1;
  return {
    name: parsed.key,
    value,
    // The library takes the dot off, which an answer shows as it came.
    domain: parsed.domain === null ? '' : (/;\s*domain\s*=\s*([^;]*)/i.exec(line)?.[1]?.trim() ?? ''),
    path: parsed.path ?? '',
    secure: parsed.secure,
    httpOnly: parsed.httpOnly,
    maxAge: maxAge !== null && seconds <= 0 ? -1 : seconds,
    expires: expires instanceof Date ? expires.getTime() : undefined,
  };
}

/** RFC 6265: what a name and a value may hold. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[ !#-:<-[\]-~]*$/;

/** The pair as it stands in a `Cookie` header: characters that may not be there left out, spaces and commas in quotes. */
export function cookieText([name, value]: CookiePair): string {
  const text = value.replace(/[^ !#-:<-[\]-~]/g, '');
  return `${name.replace(/[\r\n]/g, '-')}=${/[ ,]/.test(text) ? `"${text}"` : text}`;
}
