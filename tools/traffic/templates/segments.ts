/** What one path segment looks like, by fixed rules; what no rule knows is a literal until the data say otherwise. */

/**
 * Placeholder name of a segment (`id`, `isbn`, `hash`, `date`, `email`, `phone`, `place`, `ip`, `name`, `token`), or `undefined`
 * for a literal.
 */
export function placeholderOf(segment: string): string | undefined {
  const n = segment.length;
  if (n === 0) return undefined;
  // Nobody names a page like this, and the rules below are for short texts.
  if (n > 256) return 'token';
  const first = segment.charCodeAt(0);
  if (first >= 48 && first <= 57 && /^[0-9]+$/.test(segment)) return isIsbnShape(segment) ? 'isbn' : 'id';
  if (n === 36 && GUID.test(segment)) return 'id';
  if (n === 38 && GUID.test(segment.slice(1, -1))) return 'id';
  if (/^[0-9]{4}-[0-9]{2}(-[0-9]{2})?$/.test(segment)) return 'date';
  if (/^-[0-9]+$/.test(segment)) return 'id';
  if (n >= 12 && /^[0-9a-f]+$/i.test(segment) && (n >= 32 || /[0-9]/.test(segment))) return 'hash';
  if (PHONE.test(segment)) return 'phone';
  if (PLACE.test(segment)) return 'place';
  if (ADDRESS.test(segment)) return 'ip';
  const at = segment.search(/@|%(25)?40/i);
  // `@anna` is how sites write a user's name; an address may be encoded in part, or twice.
  if (at >= 0) return at === 0 ? 'name' : 'email';
  if (n >= 20 && /^[A-Za-z0-9_=-]+$/.test(segment) && isTokenLike(segment)) return 'token';
  return undefined;
}
/** With the sign of a country code, or grouped as nobody groups an id. */
const PHONE = /^((\+|%2b)[0-9](?:[0-9().\s-]|%20){5,18}|\(?0[0-9]{2,5}\)?[-\s/.][0-9][0-9\s-]{4,12})$/i;
/** A pair of coordinates, or one number with so many places that it is one; `2.0` is a version. */
const PLACE = /^-?[0-9]{1,3}\.[0-9]+(,|;|%2c)(?:\+|%20)?-?[0-9]{1,3}\.[0-9]+$|^-?[0-9]{1,3}\.[0-9]{3,}$/i;
const ADDRESS = /^(?:[0-9]{1,3}\.){3}[0-9]{1,3}$|^(?=[0-9a-f:]*:[0-9a-f:]*:)[0-9a-f:]{3,39}$/i;
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Thirteen digits with a book prefix; 13 digits without one are ids or epoch milliseconds. */
function isIsbnShape(digits: string): boolean {
  return digits.length === 13 && (digits.startsWith('978') || digits.startsWith('979'));
}

/** Digits strewn among letters of both cases, as in ULIDs and base64; slugs of words are none. */
function isTokenLike(segment: string): boolean {
  let changes = 0;
  for (let i = 1; i < segment.length; i++) {
    const kind = kindOf(segment.charCodeAt(i));
    const before = kindOf(segment.charCodeAt(i - 1));
    // Dashes between words are no sign of a token.
    if (kind !== before && kind !== 3 && before !== 3) changes++;
  }
  return /[0-9]/.test(segment) && changes * 3 >= segment.length;
}

function kindOf(code: number): number {
  if (code >= 48 && code <= 57) return 0;
  if (code >= 65 && code <= 90) return 1;
  return code >= 97 && code <= 122 ? 2 : 3;
}

/** Segments of a path; a trailing slash and doubled slashes make no segment of their own. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** Whether a template's segment stands for any value. */
export function isPlaceholder(segment: string): boolean {
  return segment.startsWith('{') && segment.endsWith('}');
}
