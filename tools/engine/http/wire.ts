/** Heads of requests as k6's client (Go's net/http) writes them, where undici writes others or none. */
import type { Socket } from 'node:net';

/** Header names that undici keeps for itself travel under another name as far as the socket. */
const KEPT: ReadonlySet<string> = new Set(['Keep-Alive', 'Upgrade', 'Connection', 'Transfer-Encoding']);
const COVER = 'X-Kept-From-The-Client-';
const COVERED = new RegExp(`\r\n${COVER}`, 'g');

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const NO_VALUE = /[\x00-\x08\x0a-\x1f\x7f]/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** What Go's client says of headers that it does not send; undefined where all are fine. */
export function headerFault(headers: Readonly<Record<string, string>>): string | undefined {
  for (const name in headers) {
    if (!TOKEN.test(name)) return `net/http: invalid header field name ${JSON.stringify(name)}`;
    if (NO_VALUE.test(headers[name] ?? '')) return `net/http: invalid header field value for ${JSON.stringify(name)}`;
  }
  return undefined;
}

/** Headers as undici takes them: values are UTF-8, one character a byte. */
export function clientHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const given: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name] ?? '';
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
    const bytes = /^[\x00-\x7f]*$/.test(value) ? value : Buffer.from(value).toString('latin1');
    given[KEPT.has(name) ? COVER + name : name] = bytes.trim();
  }
  return given;
}

/** The heads of requests written as Go writes them: no `Connection` of the client's own. */
export function writeAsGo(socket: Socket): void {
  const write = socket.write.bind(socket) as (chunk: unknown, ...rest: unknown[]) => boolean;
  socket.write = ((chunk: unknown, ...rest: unknown[]) =>
    write(typeof chunk === 'string' ? goHead(chunk) : chunk, ...rest)) as typeof socket.write;
}

/** A blank cannot pass the client; as it stands in no URL, this character takes its place as far as the socket. */
const BLANK = '\x7f';

/** The path of a request as undici takes it: UTF-8, one character a byte. */
export function clientPath(path: string): string {
  return /^[!-~]*$/.test(path) ? path : Buffer.from(path).toString('latin1').replaceAll(' ', BLANK);
}

const LENGTH_LAST = /^([^\r]*\r\nHost: [^\r]*(?:\r\nUser-Agent: [^\r]*)?)([\s\S]*)\r\ncontent-length: (\d+)(?=\r\n)/;

function goHead(given: string): string {
  const head = given.includes(BLANK) ? given.replaceAll(BLANK, ' ') : given;
  const plain = head.replace('\r\nhost: ', '\r\nHost: ').replace('\r\nconnection: keep-alive\r\n', '\r\n');
  const covered = plain.includes(COVER)
    ? plain.replace(COVERED, '\r\n').replace('\r\nconnection: close\r\n', '\r\n')
    : plain;
  const named = covered.replace('\r\nconnection: close\r\n', '\r\nConnection: close\r\n');
  // Go's client tells the length before all that a script gave.
  return named.replace(LENGTH_LAST, '$1\r\nContent-Length: $3$2');
}
