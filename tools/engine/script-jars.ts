/** Cookie jars in a script's hands: `http.cookieJar()` and those that it makes itself. */
import { type Cookie, type CookieJar, cookieJar } from './http/cookies.ts';
import { isTarget, parseTarget, type Target } from './http/target.ts';

/** `options` as the script gave them, all values as text. */
type Call = readonly [
  saved: string | null,
  operation: string,
  url: string,
  name?: string,
  value?: string,
  options?: Options,
];
type Options = Readonly<Record<string, string>>;

/**
 * One call of a jar's method.
 * @param call `saved` holds the script's own jar; null means the VU's
 * @returns the method's value, and what a jar of the script's own holds from now on
 */
export function callJar(own: CookieJar, call: Call, now: number): { value?: unknown; saved?: string } {
  const [saved, operation, text, name = '', value = '', options = {}] = call;
  const jar = saved === null ? own : cookieJar(saved);
  const url = parseTarget(text);
  // A jar knows nothing of other schemes, and k6 says nothing about them.
  const answer = isTarget(url)
    ? change(jar, url, operation, name, value, options, now)
    : noAnswer(operation, url.error);
  return { value: answer, ...(saved !== null && operation !== 'cookiesForURL' && { saved: jar.text() }) };
}

function noAnswer(operation: string, error: string): unknown {
  if (error.startsWith('invalid URL')) throw new Error(error);
  return operation === 'cookiesForURL' ? {} : operation === 'set' ? true : undefined;
}

function change(
  jar: CookieJar,
  url: Target,
  operation: string,
  name: string,
  value: string,
  options: Options,
  now: number,
): unknown {
  switch (operation) {
    case 'cookiesForURL': {
      const found: Record<string, string[]> = {};
      for (const [key, text] of jar.pairs(url, now)) found[key] = [...(found[key] ?? []), text];
      return found;
    }
    case 'set':
      jar.store(url, [cookieOf(name, value, options)], now);
      return true;
    case 'clear': {
      const gone = jar.pairs(url, now).map(([key]) => deleted(key));
      jar.store(url, gone, now);
      return undefined;
    }
    default:
      jar.store(url, [deleted(name)], now);
      return undefined;
  }
}

const PLAIN = { value: '', domain: '', path: '', secure: false, httpOnly: false, maxAge: 0, expires: undefined };

/** As in k6, only where it was set from the same folder. */
const deleted = (name: string): Cookie => ({ ...PLAIN, name, maxAge: -1 });

function cookieOf(name: string, value: string, options: Options): Cookie {
  const {
    domain = '',
    path = '',
    expires = '',
    max_age: maxAge = '0',
    secure = '',
    http_only: httpOnly = '',
  } = options;
  return {
    name,
    value,
    domain,
    path,
    secure: secure === 'true',
    httpOnly: httpOnly === 'true',
    maxAge: Math.trunc(Number(maxAge)) || 0,
    expires: expires === '' ? undefined : rfc1123(expires),
  };
}

function rfc1123(text: string): number {
  const time = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} [A-Z]{3,4}$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isNaN(time)) throw new Error(`unable to parse "expires" date string "${text}"`);
  return time;
}
