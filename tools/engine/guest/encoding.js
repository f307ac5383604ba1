// The module `k6/encoding` inside the virtual machine; the engine does the work.
import { bytesText } from 'k6:bodies';
import { ask } from 'k6:core';
import { latin1ToBuffer } from 'k6:shared';

export const b64encode = (input, encoding) => ask('b64encode', JSON.stringify([bytesText(input), encoding]));

export function b64decode(input, encoding, format) {
  const text = ask('b64decode', JSON.stringify([String(input), encoding, format === 's']));
  return format === 's' ? text : latin1ToBuffer(text);
}

export default { b64encode, b64decode };
