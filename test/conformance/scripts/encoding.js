import encoding, { b64decode, b64encode } from 'k6/encoding';

export const options = { vus: 1, iterations: 1 };
const KINDS = ['std', 'rawstd', 'url', 'rawurl', undefined, 'else'];
const INPUTS = ['', 'a', 'ab', 'abc', 'Grüße 😀', '>>>???', '\u0000x'];
const thrown = (work) => {
  try {
    return work();
  } catch (error) {
    return error.message;
  }
};
export default function () {
  for (const kind of KINDS) {
    for (const input of INPUTS) {
      const text = b64encode(input, kind);
      console.log(`${kind} ${text} ${JSON.stringify(b64decode(text, kind, 's'))}`);
    }
  }
  const bytes = new Uint8Array([0, 255, 254, 63, 62]);
  console.log(b64encode(bytes.buffer), b64encode(bytes), encoding.b64encode(bytes.subarray(1), 'rawurl'));
  const out = b64decode('AP/+Pz4=');
  console.log(out instanceof ArrayBuffer, out.byteLength, new Uint8Array(out).join());
  console.log(new Uint8Array(b64decode('AP_-Pz4', 'rawurl', 'b')).join());
  for (const [text, kind] of [
    ['a-b_'],
    ['YQ'],
    ['YQ==', 'rawstd'],
    ['!'],
    ['YWJj!'],
    ['YQ=x'],
    ['a+b/', 'url'],
    ['YW\nJj'],
  ]) {
    console.log(`${text} ${kind}: ${thrown(() => b64decode(text, kind, 's'))}`);
  }
  for (const wrong of [null, undefined, 5, 1.5, true, { a: 1 }, [1]]) console.log(thrown(() => b64encode(wrong)));
}
