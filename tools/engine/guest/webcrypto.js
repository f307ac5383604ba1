// The global `crypto`: what the engine can do of it at once; the rest is refused by name.
import { bytesText, goType } from 'k6:bodies';
import { ask, refuse } from 'k6:core';
import { latin1ToBuffer } from 'k6:shared';

const HASHES = { 'SHA-1': 'sha1', 'SHA-256': 'sha256', 'SHA-384': 'sha384', 'SHA-512': 'sha512' };
const secrets = new WeakMap();

function randomText(size) {
  const text = ask('randomBytes', String(size));
  if (text !== undefined) return text;
  // A rehearsal draws from the dice of its seed.
  return String.fromCharCode(...Array.from({ length: size }, () => Math.floor(Math.random() * 256)));
}

function bytesOf(data) {
  const view = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : data;
  if (!(view instanceof ArrayBuffer) && !(view instanceof Uint8Array)) {
    throw new TypeError(`data must be an ArrayBuffer or a view of one, not ${goType(data)}`);
  }
  return bytesText(view);
}

const nameOf = (algorithm) => String(typeof algorithm === 'object' ? algorithm.name : algorithm).toUpperCase();

function hashOf(algorithm, what) {
  return HASHES[nameOf(algorithm)] ?? refuse(`crypto.subtle.${what}() with "${nameOf(algorithm)}"`);
}

class CryptoKey {
  constructor(type, extractable, algorithm, usages) {
    this.type = type;
    this.extractable = extractable;
    this.algorithm = algorithm;
    this.usages = usages;
  }
}

function signature(key, data) {
  const { hash, bytes } = secrets.get(key) ?? refuse('a signature with this key');
  return latin1ToBuffer(ask('digest', JSON.stringify([hash, bytes, [bytesOf(data)], 'binary'])));
}

const same = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** What it does is done at once; what is thrown is a rejection. */
const asynchronous =
  (work) =>
  (...given) => {
    try {
      return Promise.resolve(work(...given));
    } catch (error) {
      return Promise.reject(error);
    }
  };

const subtle = {
  digest: asynchronous((algorithm, data) => {
    const hash = hashOf(algorithm, 'digest');
    return latin1ToBuffer(ask('digest', JSON.stringify([hash, null, [bytesOf(data)], 'binary'])));
  }),
  importKey: asynchronous((format, data, algorithm, extractable, usages) => {
    if (format !== 'raw' || nameOf(algorithm) !== 'HMAC') {
      refuse(`crypto.subtle.importKey() of ${nameOf(algorithm)} as "${format}"`);
    }
    const hash = hashOf(algorithm.hash, 'importKey');
    const bytes = bytesOf(data);
    const shown = { name: 'HMAC', hash: { name: nameOf(algorithm.hash) }, length: bytes[0].length * 8 };
    const key = new CryptoKey('secret', Boolean(extractable), shown, [...usages]);
    secrets.set(key, { hash, bytes });
    return key;
  }),
  sign: asynchronous((algorithm, key, data) => {
    if (nameOf(algorithm) !== 'HMAC') refuse(`crypto.subtle.sign() with ${nameOf(algorithm)}`);
    return signature(key, data);
  }),
  verify: asynchronous((algorithm, key, given, data) => {
    if (nameOf(algorithm) !== 'HMAC') refuse(`crypto.subtle.verify() with ${nameOf(algorithm)}`);
    const bytes = ArrayBuffer.isView(given)
      ? new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
      : new Uint8Array(given);
    return same(new Uint8Array(signature(key, data)), bytes);
  }),
};
for (const name of [
  'encrypt',
  'decrypt',
  'generateKey',
  'exportKey',
  'deriveKey',
  'deriveBits',
  'wrapKey',
  'unwrapKey',
]) {
  subtle[name] = () => refuse(`crypto.subtle.${name}()`);
}

export const crypto = {
  subtle,
  getRandomValues(array) {
    if (!ArrayBuffer.isView(array) || array instanceof Float32Array || array instanceof Float64Array) {
      throw new TypeError("typedArray parameter isn't a TypedArray instance");
    }
    const bytes = new Uint8Array(latin1ToBuffer(randomText(array.byteLength)));
    const view = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) view[i] = bytes[i];
    return array;
  },
  randomUUID() {
    const bytes = new Uint8Array(latin1ToBuffer(randomText(16)));
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  },
};
