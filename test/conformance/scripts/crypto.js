import crypto, { createHash, createHMAC, hmac, randomBytes } from 'k6/crypto';

export const options = { vus: 1, iterations: 1 };
const OUTPUTS = ['hex', 'base64', 'base64url', 'base64rawurl', 'binary'];
const text = (value) => (value instanceof ArrayBuffer ? new Uint8Array(value).join() : value);
const thrown = (work) => {
  try {
    return text(work());
  } catch (error) {
    return error.message;
  }
};
export default function () {
  for (const name of ['md5', 'sha1', 'sha256', 'sha384', 'sha512', 'sha512_224', 'sha512_256', 'ripemd160']) {
    console.log(`${name} ${crypto[name]('Grüße', 'hex')} ${hmac(name, 'key', 'data', 'hex')}`);
  }
  for (const output of OUTPUTS) console.log(`${output} ${text(crypto.sha1('x', output))}`);
  const hasher = createHash('sha256');
  hasher.update('a');
  hasher.update(new Uint8Array([98, 255]).buffer);
  console.log(hasher.digest('hex'));
  hasher.update('c');
  console.log(hasher.digest('base64'));
  const signer = createHMAC('sha256', new Uint8Array([1, 2, 3]).buffer);
  signer.update('payload');
  console.log(signer.digest('hex'));
  console.log(crypto.hexEncode('ä'), crypto.hexEncode(new Uint8Array([0, 255]).buffer));
  const drawn = randomBytes(32);
  console.log(drawn instanceof ArrayBuffer, drawn.byteLength, text(drawn) === text(randomBytes(32)));
  console.log(thrown(() => randomBytes(0)));
  console.log(thrown(() => crypto.sha256('x', 'octal')));
  console.log(thrown(() => crypto.sha256('x')));
  console.log(thrown(() => crypto.sha256(null, 'hex')));
  console.log(thrown(() => crypto.sha256(5, 'hex')));
  console.log(thrown(() => hmac('nothing', 'k', 'd', 'hex')));
  console.log(thrown(() => createHMAC('sha256', 5)));
}
