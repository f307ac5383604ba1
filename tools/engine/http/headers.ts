/** The headers of a request from hop to hop, as k6's client (Go's net/http) sends them. */
import { type Target, withoutUser } from './target.ts';

export type Headers = Record<string, string>;

const canonicalNames = new Map<string, string>();
const MOST_NAMES = 1000;

/** Header names as Go's HTTP library writes them: `content-type` as `Content-Type`. */
export function canonical(name: string): string {
  let known = canonicalNames.get(name);
  if (known === undefined) {
    known = !/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)
      ? name
      : name.toLowerCase().replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
    if (canonicalNames.size < MOST_NAMES) canonicalNames.set(name, known);
  }
  return known;
}

/** The headers that the script gave, and k6's own where it gave none. */
export function firstHeaders(given: Readonly<Headers>, userAgent: string, contentType: string): Headers {
  const headers: Headers = { 'User-Agent': userAgent };
  if (contentType !== '') headers['Content-Type'] = contentType;
  for (const name of Object.keys(given)) headers[canonical(name)] = given[name] ?? '';
  // The length is that of the body, whatever a script writes.
  delete headers['Content-Length'];
  return headers;
}

const CREDENTIALS = ['Authorization', 'Www-Authenticate', 'Cookie2', 'Proxy-Authorization', 'Proxy-Authenticate'];
const OF_A_BODY = ['Content-Encoding', 'Content-Language', 'Content-Location', 'Content-Type'];

export interface Hop {
  /** The first request's, and the one that is left. */
  readonly first: Target;
  readonly from: Target;
  readonly to: Target;
  /** All redirects so far were relative ones, which a `Host` of the script's own outlives. */
  readonly keepsHost: boolean;
  /** An earlier hop led to another host. */
  readonly stripped: boolean;
  readonly withBody: boolean;
}

/** Whether credentials stay behind on the way: RFC 9110, 15.4. They go on to the same name, any port, and to names below it. */
export function staysBehind({ first, to, stripped }: Pick<Hop, 'first' | 'to' | 'stripped'>): boolean {
  if (stripped || first.hostname === to.hostname) return stripped;
  return /[:[]/.test(to.hostname) || !to.hostname.endsWith(`.${first.hostname}`);
}

/** @param first headers of the first request; cookies are chosen anew for every hop */
export function redirectedHeaders(first: Readonly<Headers>, hop: Hop): Headers {
  const next = { ...first };
  const lost = ['Cookie', ...(staysBehind(hop) ? CREDENTIALS : []), ...(hop.withBody ? [] : OF_A_BODY)];
  if (!hop.keepsHost) lost.push('Host');
  for (const name of lost) delete next[name];
  const leavesTls = hop.from.protocol === 'https:' && hop.to.protocol === 'http:';
  if (leavesTls) return next;
  next['Referer'] ??= withoutUser(hop.from);
  return next;
}

/** What is on the wire: with the credentials of the URL, without what the connection itself decides. */
export function wireHeaders(headers: Readonly<Headers>, at: Target): Headers {
  const wire = { ...headers };
  if (at.host !== undefined) wire['Host'] ??= at.host;
  if (wire['Host'] === '') delete wire['Host'];
  if (wire['User-Agent'] === '') delete wire['User-Agent'];
  if ((at.username !== '' || at.password !== '') && wire['Authorization'] === undefined) {
    const credentials = `${at.username}:${at.password}`;
    wire['Authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`;
  }
  delete wire['Transfer-Encoding'];
  return wire;
}
