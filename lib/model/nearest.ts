/** The candidate that a mistyped word most likely meant. */

/** Least number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`. */
export function editDistance(a: string, b: string): number {
  // Optimal string alignment: Levenshtein's table, and for swaps the row before the last.
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const least = Math.min(substituted, (row[j] as number) + 1, (next[j - 1] as number) + 1);
      next.push(swapped ? Math.min(least, (before[j - 2] as number) + 1) : least);
    }
    before = row;
    row = next;
  }
  return row[b.length] as number;
}

/** Nearest of `candidates`, letter case apart, of equally near ones that which begins with the word; undefined when there are none. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  const lower = word.toLowerCase();
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    const distance = editDistance(lower, other) - (other.startsWith(lower) ? 0.5 : 0);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** The nearest candidate if it is so near that the word is most likely a slip: within a third of its length, 1 to 3 edits. */
export function closeMatch(word: string, candidates: readonly string[]): string | undefined {
  const best = nearest(word, candidates);
  if (best === undefined) return undefined;
  const limit = Math.min(3, Math.max(1, Math.floor(word.length / 3)));
  return editDistance(word.toLowerCase(), best.toLowerCase()) <= limit ? best : undefined;
}
