/** The URL of a request, read. */

/** What is looked at of a URL; every `URL` is one. */
export type Target = Pick<
  URL,
  'href' | 'origin' | 'protocol' | 'hostname' | 'port' | 'username' | 'password' | 'pathname' | 'search'
>;

/** k6's words and number for what can be no target. */
export interface NoTarget {
  readonly error: string;
  readonly errorCode: number;
}

export const isTarget = (target: Target | NoTarget): target is Target => 'href' in target;

/** @param base what a relative `text` refers to */
export function parseTarget(text: string, base?: Target): Target | NoTarget {
  if (base === undefined) {
    const plain = plainTarget(text);
    if (plain !== undefined) return plain;
  }
  let url: URL;
  try {
    url = base === undefined ? new URL(text) : new URL(text, base.href);
  } catch {
    return /^[a-z][a-z0-9+.-]*:/i.test(text)
      ? { error: `invalid URL: parse "${text}"`, errorCode: 1020 }
      : { error: 'unsupported protocol scheme ""', errorCode: 1000 };
  }
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  return { error: `unsupported protocol scheme "${url.protocol.slice(0, -1)}"`, errorCode: 1000 };
}

/** The `url` tag of a request without a name: no password, as k6 masks it. */
export function nameOf(target: Target): string {
  if (target.username === '' && target.password === '') return originalForm(target.href);
  const masked = new URL(target.href);
  masked.username = '****';
  if (target.password !== '') masked.password = '****';
  return originalForm(masked.href);
}

/** WHATWG URLs end a bare host in a slash, k6 keeps what was written; both read the same but for that slash. */
export const originalForm = (href: string): string => href.replace(/^(https?:\/\/[^/?#]+)\/$/, '$1');

/** Characters that stand in a path or a query as they are; a dot does where it does not begin a segment. */
const IN_PATH = marked('-_~/.ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789');
const IN_QUERY = marked('-_~/.=&+%,ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789');
const [SLASH, DOT, QUESTION] = [0x2f, 0x2e, 0x3f];

function marked(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (let i = 0; i < characters.length; i++) table[characters.charCodeAt(i)] = 1;
  return table;
}

/** The server of the last plain target: the next one's is hardly ever another. */
let server = new URL('http://localhost');

/**
 * The target of a text that is a URL in its normal form, which nearly all are: a small part of the cost of a `URL`.
 * @returns undefined where only `URL` can tell
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
    else if (query < 0 && code === DOT && text.charCodeAt(i - 1) === SLASH) return undefined;
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
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.origin === text ? url : undefined;
}
