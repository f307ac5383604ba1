/**
 * What the sessions of a discovered flow ask for: its most frequent sequences as they are, and a first-order Markov chain
 * for the other sessions.
 *
 * A chain whose probabilities are the observed counts (starts s, ends e, pairs n) gives the requests back: the visits v of
 * its steps solve v = s + v P with P_ij = n_ij / v_i, which the observed visits do, because each request is the first of its
 * session or follows another one. So the mean number of requests of each endpoint and of each pair is the log's, whether the
 * sessions are a chain or not; only how sessions scatter about it is the chain's own.
 */
import type { RouteSequence } from '../pass/route-sequences.ts';

/** Counts that make a chain; the sessions of the first are the sum of the starts, of the last that of the ends. */
export interface ChainCounts {
  readonly starts: Map<number, number>;
  readonly ends: Map<number, number>;
  /** From a route to the next one. */
  readonly pairs: Map<number, Map<number, number>>;
}

export interface Forms {
  /** The most frequent sequences, as route numbers. */
  readonly forms: readonly { readonly steps: readonly number[]; readonly sessions: number }[];
  /** Sequences that are not among them. */
  readonly others: readonly RouteSequence[];
}

/** Sequences kept as they are. */
const MAX_FORMS = 40;
/** With this share of the sessions in forms, rarer sequences are left to the chain. */
const ENOUGH = 0.99;

/** @param sequences of one flow, none cut, the most frequent first */
export function formsOf(sequences: readonly RouteSequence[], sessions: number): Forms {
  let kept = 0;
  let covered = 0;
  while (kept < Math.min(MAX_FORMS, sequences.length) && covered < ENOUGH * sessions)
    covered += (sequences[kept++] as RouteSequence).n;
  // What is seen once is no form of its own, unless nothing else is there.
  while (kept > 1 && kept < sequences.length && (sequences[kept - 1] as RouteSequence).n < 2) kept--;
  return {
    forms: sequences.slice(0, kept).map(({ steps, n }) => ({ steps, sessions: n })),
    others: sequences.slice(kept),
  };
}

export function noCounts(): ChainCounts {
  return { starts: new Map(), ends: new Map(), pairs: new Map() };
}

/** Adds so many sessions of a sequence. */
export function addSteps(counts: ChainCounts, steps: readonly number[], n: number): void {
  steps.forEach((step, i) => {
    if (i === 0) add(counts.starts, step, n);
    else addPair(counts, steps[i - 1] as number, step, n);
    if (i === steps.length - 1) add(counts.ends, step, n);
  });
}

export function addPair(counts: ChainCounts, from: number, to: number, n: number): void {
  const row = counts.pairs.get(from) ?? new Map<number, number>();
  counts.pairs.set(from, row);
  add(row, to, n);
}

export function addCounts(into: ChainCounts, { starts, ends, pairs }: ChainCounts): void {
  for (const [step, n] of starts) add(into.starts, step, n);
  for (const [step, n] of ends) add(into.ends, step, n);
  for (const [from, row] of pairs) for (const [to, n] of row) addPair(into, from, to, n);
}

export interface UnseenInput {
  /** Sums over all sessions, and over those whose steps are known. */
  readonly all: ChainCounts;
  readonly known: ChainCounts;
  /** Sessions and requests whose steps are not known. */
  readonly sessions: number;
  readonly requests: number;
}

/**
 * Counts of the sessions whose steps nobody kept, as what is left of all: pairs and ends by subtraction, starts by balance
 * (visits are starts and pairs that lead there, and ends and pairs that lead away).
 */
export function unseenCounts({ all, known, sessions, requests }: UnseenInput): ChainCounts {
  const counts = noCounts();
  let pairs = 0;
  for (const [from, row] of all.pairs) {
    for (const [to, n] of row) {
      const left = n - (known.pairs.get(from)?.get(to) ?? 0);
      if (left <= 0) continue;
      addPair(counts, from, to, left);
      pairs += left;
    }
  }
  // Gaps within bursts are told as a number only, so the pairs may be fewer than the requests ask for.
  const scale = pairs > 0 ? Math.max(0, requests - sessions) / pairs : 0;
  const balance = new Map<number, number>();
  for (const [from, row] of counts.pairs) {
    for (const [to, n] of row) {
      row.set(to, n * scale);
      add(balance, from, n * scale);
      add(balance, to, -n * scale);
    }
  }
  for (const [step, n] of all.ends) {
    const left = n - (known.ends.get(step) ?? 0);
    if (left <= 0) continue;
    add(counts.ends, step, left);
    add(balance, step, left);
  }
  const begun = [...balance].filter(([, n]) => n > 1e-9 * Math.max(1, requests));
  const starts = begun.length > 0 ? begun : [...counts.ends];
  const total = starts.reduce((sum, [, n]) => sum + n, 0);
  for (const [step, n] of starts) add(counts.starts, step, (n * sessions) / total);
  return counts;
}

/** Sum of a table. */
export function sumOf(counts: ReadonlyMap<number, number>): number {
  let sum = 0;
  for (const n of counts.values()) sum += n;
  return sum;
}

/** Requests of all sessions of a chain. */
export function requestsOf({ starts, pairs }: ChainCounts): number {
  let sum = sumOf(starts);
  for (const row of pairs.values()) sum += sumOf(row);
  return sum;
}

function add(counts: Map<number, number>, key: number, n: number): void {
  counts.set(key, (counts.get(key) ?? 0) + n);
}
