/** The path that is sent for an endpoint's template. */

/**
 * Path and query of `/users/{id}/cart` or `/search?q=`, with a value for each placeholder, as a request line takes it: what
 * may not stand there (blanks, quotes, letters beyond ASCII, a % that begins no escape) is percent-encoded, the rest stays
 * as it was logged. A query key without a value gets `x`.
 */
export function requestPath(template: string, valueFor: (placeholder: string) => string): string {
  const mark = template.indexOf('?');
  const path = mark < 0 ? template : template.slice(0, mark);
  const filled = path
    .split('/')
    .map((segment) =>
      /^\{[^{}]+\}$/.test(segment) ? encodeURIComponent(valueFor(segment.slice(1, -1))) : escaped(segment),
    )
    .join('/');
  return mark < 0 ? filled : `${filled}?${escaped(template.slice(mark + 1)).replace(/=$/, '=x')}`;
}

/** Placeholders of a template, each once. */
export function placeholdersOf(template: string): string[] {
  const names = template
    .replace(/\?.*$/s, '')
    .split('/')
    .flatMap((segment) => (/^\{[^{}]+\}$/.test(segment) ? segment.slice(1, -1) : []));
  return [...new Set(names)];
}

function escaped(text: string): string {
  return text.replace(/%(?![0-9A-Fa-f]{2})/g, '%25').replace(/[^\x21-\x7e]+|["#<>\\^`{|}]/g, encodeURIComponent);
}
