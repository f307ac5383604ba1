/** Words of a line: what stands between blanks. */
import { SPACE } from './bytes.ts';

/** End of the word that begins at `at`. */
export function wordEnd(buf: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && buf[i] !== SPACE) i++;
  return Math.min(i, Math.max(at, end));
}

/** Start of the word that ends at `end`. */
export function wordStart(buf: Uint8Array, end: number, start: number): number {
  let at = end;
  while (at > start && buf[at - 1] !== SPACE) at--;
  return at;
}

/** How many words begin in [at, end), three at most. */
export function wordsFrom(buf: Uint8Array, at: number, end: number): number {
  let words = 0;
  for (let i = at; i < end && words < 3; i++) if (buf[i] !== SPACE && (i === at || buf[i - 1] === SPACE)) words++;
  return words;
}
