/** Selectors of JSON, as far as they are plain paths. */

/** What a plain path of keys and places (`items.0.id`) finds; undefined when it finds nothing. */
export function select(value: unknown, selector: string): unknown {
  let found = value;
  for (const key of selector.split('.')) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}
