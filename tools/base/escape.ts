/** Text from result files is never markup: everything that comes from a file goes through one of these. */

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for HTML and XML, in elements and quoted attributes. Characters that XML forbids are shown as U+FFFD. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character).replace(FORBIDDEN, '\ufffd');
}

/** Control characters but tab and line ends, and the two non-characters. */
const FORBIDDEN = /[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu;

/** JSON inside a script element: no `</script>`, no `<!--`, no line separators that older parsers choke on. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/>/g, '\\u003e')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');
}

/**
 * Text for a Markdown table cell: no markup, no cell border, no line end, no mention. Each character is escaped once: what
 * one escape adds must not be escaped again.
 */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/\r\n?|[\n\t\u2028\u2029]/g, ' ')
    .replace(FORBIDDEN, '\ufffd')
    .replace(/[&<>]|[\\`*_[\]|~#]|@/g, (one) => ENTITIES[one] ?? (one === '@' ? '@\u200b' : `\\${one}`));
}
