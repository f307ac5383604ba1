// The globals TextEncoder and TextDecoder, of UTF-8 alone.
import { bytesText } from 'k6:bodies';
import { ask, refuse } from 'k6:core';

const UTF8 = /^(utf-?8|unicode-1-1-utf-8)$/i;

export class TextEncoder {
  get encoding() {
    return 'utf-8';
  }

  encode(text = '') {
    const whole = String(text).replace(
      /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g,
      '\uFFFD',
    );
    const bytes = [];
    const escaped = encodeURIComponent(whole);
    for (let i = 0; i < escaped.length; i++) {
      if (escaped[i] === '%') {
        bytes.push(Number.parseInt(escaped.slice(i + 1, i + 3), 16));
        i += 2;
      } else bytes.push(escaped.charCodeAt(i));
    }
    return Uint8Array.from(bytes);
  }
}

export class TextDecoder {
  #keepsMark;

  constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
    if (!UTF8.test(String(label).trim())) refuse(`TextDecoder of "${label}"`);
    if (fatal) refuse('TextDecoder with "fatal"');
    this.#keepsMark = ignoreBOM;
  }

  get encoding() {
    return 'utf-8';
  }

  decode(bytes) {
    if (bytes === undefined) return '';
    const view = ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : bytes;
    const text = ask('utf8', JSON.stringify(bytesText(view)));
    return this.#keepsMark ? text : text.replace(/^\uFEFF/, '');
  }
}
