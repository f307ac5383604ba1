/**
 * Tags in k6's CSV column `extra_tags`: `k=v&k=v`, unescaped and in a random order per row. A value with `&` or `=`
 * cannot be told from two tags for certain; what can be told is told, and rows that cannot are counted.
 */
import { text } from '../database.ts';
import type { TagDialect } from './source.ts';

export interface ParsedTags {
  readonly tags: Readonly<Record<string, string>>;
  /** A piece without `=` (a value with `&`), or the same key twice. */
  readonly ambiguous: boolean;
}

/** Reads one `extra_tags` value: a piece without `=` belongs to the value before it, and the first `=` parts key from value. */
export function parseExtraTags(extra: string): ParsedTags {
  const tags: Record<string, string> = Object.create(null) as Record<string, string>;
  let ambiguous = false;
  let last: string | undefined;
  if (extra === '') return { tags, ambiguous };
  for (const piece of extra.split('&')) {
    const equals = piece.indexOf('=');
    if (equals <= 0) {
      ambiguous = true;
      if (last !== undefined) tags[last] = `${tags[last] ?? ''}&${piece}`;
      continue;
    }
    const key = piece.slice(0, equals);
    if (key in tags) ambiguous = true;
    else tags[key] = piece.slice(equals + 1);
    last = key;
  }
  return { tags, ambiguous };
}

/** SQL expression for one tag of `extra`, NULL when it is absent; the same reading as `parseExtraTags`. */
export function tagSql(extra: string, key: string, dialect: TagDialect): string {
  if (dialect === 'json') return `json_extract_string(${extra}, ${text(pointer(key))})`;
  const pattern = `(?:^|&)${escapeRegex(key)}=([^&]*(?:&[^&=]+)*)(?:&|$)`;
  // regexp_extract gives '' both for no match and for an empty value; a tag with an empty value is no tag in k6 either.
  return `nullif(regexp_extract(${extra}, ${text(pattern)}, 1), '')`;
}

/** SQL condition that is true for an `extra` whose reading is a guess. */
export function ambiguousSql(extra: string, dialect: TagDialect): string {
  if (dialect === 'json') return 'false';
  return `regexp_matches(${extra}, ${text('(^|&)[^=&]*(&|$)')}) and ${extra} <> ''`;
}

/** SQL condition: the text of `extra` holds this tag with this value, whatever `&` and `=` the value has. */
export function holdsSql(extra: string, key: string, value: string): string {
  return `coalesce(contains('&' || ${extra} || '&', ${text(`&${key}=${value}&`)}), false)`;
}

/** JSON pointer (RFC 6901) to a key of an object: in DuckDB's own paths `*`, quotes and backslashes mean more. */
function pointer(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function escapeRegex(value: string): string {
  return value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
