/** What k6/encoding and k6/crypto ask of the engine: bytes in, text or bytes out. */
import { createHash, createHmac, type Hash, type Hmac, randomBytes } from 'node:crypto';
import { EngineError } from './engine-error.ts';
import { bytesOf } from './http/body.ts';

/** Text, or bytes as text of one character each in a list. */
type Given = string | readonly [string];

const bytesIn = (given: Given): Buffer => (typeof given === 'string' ? bytesOf(given, false) : bytesOf(given[0], true));

/** Bytes on their way to a script: as text, or one character each. */
const textOut = (bytes: Buffer, asText: boolean): string => bytes.toString(asText ? 'utf8' : 'latin1');

interface Alphabet {
  readonly url: boolean;
  readonly padded: boolean;
}

/** RFC 4648; whatever is none of these names is `std`, as in k6. */
function alphabetOf(encoding: unknown): Alphabet {
  const url = encoding === 'url' || encoding === 'rawurl';
  return { url, padded: encoding !== 'rawstd' && encoding !== 'rawurl' };
}

export function b64encode(given: Given, encoding: unknown): string {
  return base64(bytesIn(given), alphabetOf(encoding));
}

function base64(bytes: Buffer, { url, padded }: Alphabet): string {
  const text = bytes.toString('base64');
  const safe = url ? text.replaceAll('+', '-').replaceAll('/', '_') : text;
  return padded ? safe : safe.replace(/=+$/, '');
}

/** @throws Error with the place of the first character that does not belong, in k6's words */
export function b64decode(given: string, encoding: unknown, asText: boolean): string {
  const alphabet = alphabetOf(encoding);
  const text = given.replace(/[\r\n]/g, '');
  const wrong = firstWrong(text, alphabet);
  if (wrong >= 0) throw new Error(`illegal base64 data at input byte ${wrong}`);
  return textOut(Buffer.from(text, alphabet.url ? 'base64url' : 'base64'), asText);
}

/** The place that a decoder of Go's complains about; -1 for none. */
function firstWrong(text: string, { url, padded }: Alphabet): number {
  const foreign = url ? /[^A-Za-z0-9_-]/ : /[^A-Za-z0-9+/]/;
  const end = padded ? text.replace(/={1,2}$/, '') : text;
  const at = end.search(foreign);
  if (at >= 0) return at;
  const over = end.length % 4;
  if (!padded) return over === 1 ? end.length - 1 : -1;
  const padding = text.length - end.length;
  if ((over + padding) % 4 === 0 && over !== 1) return -1;
  return padding > 0 ? text.length : end.length - over;
}

const ALGORITHMS: ReadonlySet<string> = new Set(
  'md5 sha1 sha256 sha384 sha512 sha512_224 sha512_256 ripemd160'.split(' '),
);

/** @param key of an HMAC */
export function digest(algorithm: string, key: Given | null, inputs: readonly Given[], encoding: string): string {
  if (algorithm === 'md4') throw EngineError.notOffered('the hash md4');
  if (!ALGORITHMS.has(algorithm)) throw new Error(`invalid algorithm: ${algorithm}`);
  const name = algorithm.replace('_', '-');
  const hash: Hash | Hmac = key === null ? createHash(name) : createHmac(name, bytesIn(key));
  for (const input of inputs) hash.update(bytesIn(input));
  const sum = hash.digest();
  switch (encoding) {
    case 'base64':
      return base64(sum, { url: false, padded: true });
    case 'base64url':
      return base64(sum, { url: true, padded: true });
    case 'base64rawurl':
      return base64(sum, { url: true, padded: false });
    case 'hex':
      return sum.toString('hex');
    case 'binary':
      return textOut(sum, false);
    default:
      throw new Error(`invalid output encoding: ${encoding}`);
  }
}

export const hexEncode = (given: Given): string => bytesIn(given).toString('hex');

export const randomText = (size: number): string => textOut(randomBytes(size), false);
