/**
 * Values of query strings are somebody's data (tokens, searches): they are left out of everything that is printed or
 * written. Done once, after the rules have looked, so that no printer can forget it.
 */

/**
 * No value, or one that stands for others (`{id}`, `${id}`, `$id`, `:id`, `<id>`), and what may follow a name: what closes it in
 * a sentence, or the further tags of an objective's key.
 */
const PLACEHOLDER = /^(\$?\{[\w.\s-]*\}|<[\w.\s-]*>|\$\w+|:[a-z]\w*)?(,\s*[\w.]+:[^?]*\})?[)\]}>,.;:'"`]*$/i;
/** What closes a name in a sentence or in the key of an objective, and belongs to no value. */
const CLOSING = /[)\]}>,.;:'"`]+$/;

/** A request name or URL with the values of its query left out. A query begins at the first `?`; without one there is none. */
export function redact(name: string): string {
  const start = name.indexOf('?');
  if (start === -1) return name;
  const query = name.slice(start).replace(/([?&][^=&#]+=)([^&#]*)/g, (_, key: string, found: string) => {
    if (PLACEHOLDER.test(found)) return `${key}${found}`;
    return `${key}…${CLOSING.exec(found)?.[0] ?? ''}`;
  });
  return name.slice(0, start) + query;
}

/** Whether there are such values. */
export function hasQueryValues(name: string): boolean {
  return redact(name) !== name;
}

/** The same in a sentence, where a blank ends a URL. */
function redactSentence(text: string): string {
  return text.split(/(\s+)/).map(redact).join('');
}

/**
 * A copy of plain data with all texts redacted, keys of objects too.
 * @param names request names that occur in sentences as they are, with blanks in their values perhaps
 */
export function redactAll<Value>(value: Value, names: readonly string[] = []): Value {
  const leaking = names.filter(hasQueryValues).sort((a, b) => b.length - a.length);
  const known = new Set(names);
  const text = (said: string): string => {
    if (known.has(said) || !said.includes('?')) return redact(said);
    return redactSentence(leaking.reduce((rest, name) => rest.replaceAll(name, () => redact(name)), said));
  };
  const walk = (one: unknown): unknown => {
    if (typeof one === 'string') return text(one);
    if (Array.isArray(one)) return one.map(walk);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, inner]) => [text(key), walk(inner)]));
  };
  return walk(value) as Value;
}
