/** Text from result files is never markup: everything that comes from a file goes through one of these, or `escapeMarkup`. */
import { allowed, escapeMarkup } from '../../lib/model/markup.ts';

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
  return allowed(text.replace(/\r\n?|[\n\t\u2028\u2029]/g, ' ')).replace(/[&<>]|[\\`*_[\]|~#]|@/g, (one) => {
    if ('&<>'.includes(one)) return escapeMarkup(one);
    return one === '@' ? '@\u200b' : `\\${one}`;
  });
}
