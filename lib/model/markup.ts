/** Text in XML and HTML: what comes from a file or an answer is never markup. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * What XML 1.0 does not allow (section 2.2) or discourages: control characters but tab and line ends, lone surrogates, U+FFFE
 * and U+FFFF. Written as what is allowed, since k6's engine knows no `\p{}`.
 */
const FORBIDDEN = /[^\t\n\r -~\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** The text with the characters that XML forbids shown as U+FFFD. */
export function allowed(text: string): string {
  return text.replace(FORBIDDEN, '\ufffd');
}

/** Text for XML and HTML, in elements and quoted attributes. */
export function escapeMarkup(text: string): string {
  return allowed(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
