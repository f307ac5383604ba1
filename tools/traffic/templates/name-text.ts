/**
 * Endpoint names as text. Inside they hold a path's bytes as characters of the same number, so that no byte is refused and
 * names need not be decoded line by line; what is shown or written is text.
 */
import { isPlaceholder } from './segments.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a name: its bytes as UTF-8, or with those beyond ASCII percent-encoded when they are none. */
export function readableName(name: string): string {
  if (!/[\x80-\xff]/.test(name)) return name;
  try {
    return utf8.decode(Buffer.from(name, 'latin1'));
  } catch {
    return name.replace(/[\x80-\xff]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  }
}

/** The inverse: a name that a user gave as text, as it is kept inside. */
export function nameOfText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** A segment that stands for itself; one that a client sent as `{y}` is no placeholder, so its braces are percent-encoded. */
export function literalSegment(segment: string): string {
  return isPlaceholder(segment) ? `%7B${segment.slice(1, -1)}%7D` : segment;
}
