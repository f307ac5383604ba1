// The module `k6/crypto` inside the virtual machine; the engine does the work.
import { bytesText } from 'k6:bodies';
import { ask, notOffered } from 'k6:core';
import { GoError, latin1ToBuffer } from 'k6:shared';

class Hasher {
  #algorithm;
  #key;
  #inputs = [];

  constructor(algorithm, key) {
    this.#algorithm = String(algorithm);
    this.#key = key;
  }

  update(input) {
    this.#inputs.push(bytesText(input));
  }

  digest(encoding) {
    const given = [this.#algorithm, this.#key, this.#inputs, encoding === undefined ? '' : String(encoding)];
    const text = ask('digest', JSON.stringify(given));
    return encoding === 'binary' ? latin1ToBuffer(text) : text;
  }
}

export const createHash = (algorithm) => new Hasher(algorithm);
export const createHMAC = (algorithm, key) => new Hasher(algorithm, bytesText(key));

function digested(hasher, input, encoding) {
  hasher.update(input);
  return hasher.digest(encoding);
}

function hashed(algorithm, input, encoding) {
  try {
    bytesText(input);
  } catch (error) {
    throw new GoError(`${algorithm} failed: ${error.message}`);
  }
  return digested(createHash(algorithm), input, encoding);
}

export const hmac = (algorithm, key, input, encoding) => digested(createHMAC(algorithm, key), input, encoding);
export const md5 = (input, encoding) => hashed('md5', input, encoding);
export const sha1 = (input, encoding) => hashed('sha1', input, encoding);
export const sha256 = (input, encoding) => hashed('sha256', input, encoding);
export const sha384 = (input, encoding) => hashed('sha384', input, encoding);
export const sha512 = (input, encoding) => hashed('sha512', input, encoding);
export const sha512_224 = (input, encoding) => hashed('sha512_224', input, encoding);
export const sha512_256 = (input, encoding) => hashed('sha512_256', input, encoding);
export const ripemd160 = (input, encoding) => hashed('ripemd160', input, encoding);
export const md4 = notOffered('crypto.md4()');
export const hexEncode = (input) => ask('hexEncode', JSON.stringify(bytesText(input)));

export function randomBytes(size) {
  if (!(size >= 1)) throw new GoError('invalid size');
  const text = ask('randomBytes', String(Math.trunc(size)));
  if (text !== undefined) return latin1ToBuffer(text);
  // A rehearsal draws from the dice of its seed.
  return Uint8Array.from({ length: size }, () => Math.floor(Math.random() * 256)).buffer;
}

export default {
  createHash,
  createHMAC,
  hmac,
  md4,
  md5,
  sha1,
  sha256,
  sha384,
  sha512,
  sha512_224,
  sha512_256,
  ripemd160,
  hexEncode,
  randomBytes,
};
