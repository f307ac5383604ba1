import { expect, it } from 'vitest';
import { escapeMarkup } from '../../../lib/model/markup.ts';

it('markup in a text is text', () => {
  expect(escapeMarkup(`<a b="c">&'`)).toBe('&lt;a b=&quot;c&quot;&gt;&amp;&#39;');
  expect(escapeMarkup('&amp;')).toBe('&amp;amp;');
});

it('characters that XML 1.0 forbids (section 2.2), and control characters that it discourages, are shown as U+FFFD', () => {
  for (const one of ['\u0000', '\u001b', '\u007f', '\u0085', '\ud83d', '\ude00', '\ufffe', '\uffff']) {
    expect(escapeMarkup(`a${one}b`)).toBe('a\ufffdb');
  }
  for (const one of ['\t', '\n', '\r', ' ', '~', '\u00a0', 'é', '漢', '\ufffd', '\u{1f600}', '\u{10ffff}']) {
    expect(escapeMarkup(one)).toBe(one);
  }
});
