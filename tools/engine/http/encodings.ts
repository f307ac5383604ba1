/** Content encodings of bodies, both ways. */
import { createRequire } from 'node:module';
import * as zlib from 'node:zlib';

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => zlib.gunzipSync(bytes),
  deflate: (bytes) => zlib.inflateSync(bytes),
  br: (bytes) => zlib.brotliDecompressSync(bytes),
  zstd: (bytes) => Buffer.from(fzstd().decompress(bytes)),
};

let loaded: typeof import('fzstd') | undefined;
function fzstd(): typeof import('fzstd') {
  loaded ??= createRequire(import.meta.url)('fzstd') as typeof import('fzstd');
  return loaded;
}

const encodingsOf = (header: string) => header.split(',').map((name) => name.trim());

/**
 * The body of an answer, decoded where k6 knows all of its encodings.
 * @throws Error in k6's words for a body that is not what the header says
 */
export function decoded(body: Buffer, header: string | undefined): Buffer {
  if (header === undefined || body.length === 0) return body;
  const encodings = encodingsOf(header);
  if (!encodings.every((name) => name in DECODERS)) return body;
  try {
    return encodings.reduceRight((bytes, name) => DECODERS[name]?.(bytes) ?? bytes, body);
  } catch (error) {
    const reason = (error as { code?: string }).code === 'Z_BUF_ERROR' ? 'unexpected EOF' : reasonOf(encodings, body);
    throw new Error(`error decompressing response body (${reason})`);
  }
}

/** Go's words; a body shorter than the head of the format ends too early. */
function reasonOf(encodings: readonly string[], body: Buffer): string {
  const early = 'unexpected EOF';
  if (encodings.includes('gzip')) return body.length < 10 ? early : twice('gzip: invalid header');
  return twice(encodings.includes('deflate') ? 'zlib: invalid header' : 'invalid input');
}

/** As k6 says it. */
const twice = (reason: string) => `error decompressing response body (${reason})`;

const ENCODERS: Readonly<Record<string, ((bytes: Buffer) => Buffer) | undefined>> = {
  gzip: (bytes) => zlib.gzipSync(bytes),
  deflate: (bytes) => zlib.deflateSync(bytes),
  br: (bytes) => zlib.brotliCompressSync(bytes),
};

/** The body of a request, one encoding after the other. @param encodings a list in the words of guest/http-request.js */
export function encoded(bytes: Buffer, encodings: readonly string[]): Buffer {
  return encodings.reduce((text, name) => ENCODERS[name]?.(text) ?? text, bytes);
}
