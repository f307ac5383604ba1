/** The URL of a request, read as k6's client (Go's net/url) reads it: a path stays as it was written. */
import { type GoUrl, GoUrlError, goUrl, goUrlText, resolved } from './go-url.ts';

/** What is looked at of a URL. */
export interface Target {
  readonly href: string;
  readonly origin: string;
  /** With its colon. */
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
  readonly username: string;
  readonly password: string;
  /** Begins with a slash. */
  readonly pathname: string;
  /** With its question mark. */
  readonly search: string;
  /** Of the `Host` header, where the client would write another. */
  readonly host?: string;
}

/** k6's words and number for what can be no target. */
export interface NoTarget {
  readonly error: string;
  readonly errorCode: number;
  /** As k6 shows it in the answer. */
  readonly href?: string;
}

export const isTarget = (target: Target | NoTarget): target is Target => !('error' in target);

/** Reads the URL of a request. */
export const parseTarget = (text: string): Target | NoTarget => plainTarget(text) ?? readTarget(text);

/** As `parseTarget`, by the long way that fits every text. */
export function readTarget(text: string): Target | NoTarget {
  return read(
    () => goUrl(text),
    (error) => ({ error: `invalid URL: parse ${JSON.stringify(text)}: ${error}`, errorCode: 1020 }),
  );
}

/** Where a `Location` leads. */
export function redirectTarget(location: string, from: Target): Target | NoTarget {
  const base = goUrl(from.href);
  return read(
    () => resolved(base, goUrl(location)),
    (error) => ({
      error: `failed to parse Location header "${location}": parse "${location}": ${error}`,
      errorCode: 1000,
    }),
  );
}

function read(give: () => GoUrl, complain: (error: string) => NoTarget): Target | NoTarget {
  let url: GoUrl;
  try {
    url = give();
  } catch (error) {
    if (error instanceof GoUrlError) return complain(error.message);
    throw error;
  }
  return targetOf(url);
}

function targetOf(url: GoUrl): Target | NoTarget {
  const { scheme, host, path, query, user } = url;
  const href = goUrlText(url);
  const refused = (error: string, errorCode: number) => ({ error, errorCode, href });
  if (scheme !== 'http' && scheme !== 'https') return refused(`unsupported protocol scheme "${scheme}"`, 1000);
  const hostname = host.replace(/:\d*$/, '');
  if (hostname === '') return refused('http: no Host in request URL', 1000);
  const port = /:(\d+)$/.exec(host)?.[1] ?? '';
  if (Number(port) > 65_535) return refused(`dial tcp: address ${port}: invalid port`, 1210);
  const server = serverOf(scheme, host);
  // What is an address to a browser is a name that nobody knows to Go.
  if (server === undefined || isRewritten(hostname, server.hostname)) return refused('lookup: no such host', 1101);
  return {
    href,
    origin: server.origin,
    protocol: `${scheme}:`,
    hostname: server.hostname,
    port: server.port,
    username: user?.name ?? '',
    password: user?.password ?? '',
    pathname: path === '' ? '/' : path,
    search: query === undefined ? '' : `?${query}`,
    ...(host !== server.host && { host: host.replace(/:$/, '') }),
  };
}

function serverOf(scheme: string, host: string): URL | undefined {
  const text = `${scheme}://${host}`;
  return URL.canParse(text) ? new URL(text) : undefined;
}

const isRewritten = (written: string, read: string) => /^[\d.]+$/.test(read) && written.toLowerCase() !== read;

/** The `url` tag of a request without a name: no password, as k6 masks it. */
export function nameOf({ href, username, password }: Target): string {
  if (username === '' && password === '') return href;
  return href.replace(/^(https?:\/\/)[^/?#]*@/, password === '' ? '$1****@' : '$1****:****@');
}

/** Without the user of the URL. */
export const withoutUser = ({ href }: Target): string => href.replace(/^(https?:\/\/)[^/?#]*@/, '$1');

/** Characters that stand in a path or a query as they are. */
const IN_PATH = marked("-_~/.ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789$&+,:;=@!'()*");
const IN_QUERY = marked('-_~/.=&+%,ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789');
const [SLASH, QUESTION] = [0x2f, 0x3f];

function marked(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (let i = 0; i < characters.length; i++) table[characters.charCodeAt(i)] = 1;
  return table;
}

/** The server of the last plain target: the next one's is hardly ever another. */
let server = new URL('http://localhost');

/**
 * The target of a text that is a URL in its normal form, which nearly all are: a small part of the cost of reading one.
 * @returns undefined where it has to be read
 */
function plainTarget(text: string): Target | undefined {
  let { origin } = server;
  if (!text.startsWith(origin) || text.charCodeAt(origin.length) !== SLASH) {
    const end = text.indexOf('/', 'https://'.length);
    const other = end < 0 ? undefined : originOf(text.slice(0, end));
    if (other === undefined) return undefined;
    server = other;
    origin = other.origin;
  }
  let query = -1;
  for (let i = origin.length; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (query < 0 && code === QUESTION && i < text.length - 1) query = i;
    else if ((query < 0 ? IN_PATH : IN_QUERY)[code] !== 1) return undefined;
  }
  const { protocol, hostname, port } = server;
  return {
    href: text,
    origin,
    protocol,
    hostname,
    port,
    username: '',
    password: '',
    pathname: query < 0 ? text.slice(origin.length) : text.slice(origin.length, query),
    search: query < 0 ? '' : text.slice(query),
  };
}

function originOf(text: string): URL | undefined {
  if (!/^https?:\/\/[a-z0-9.:[\]-]+$/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.origin === text ? url : undefined;
}
