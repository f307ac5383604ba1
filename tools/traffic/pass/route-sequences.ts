/** Counts sessions by what they did: the sequence of their routes. */

import { largest, smallest } from '../../../lib/model/extremes.ts';

/** A sequence of routes and how many sessions had it; sequences too long to be kept are cut: without steps, and marked. */
export interface RouteSequence {
  readonly steps: readonly number[];
  readonly cut: boolean;
  n: number;
  /** When the first and the last of these sessions began, ms. */
  first: number;
  last: number;
}

export interface SequenceCounter {
  /** A session of `count` steps that stand in `steps` from `at` on, begun at `start`. */
  add(steps: Uint16Array, at: number, count: number, cut: boolean, start: number): void;
  /** The most frequent first, and the sessions of sequences that no longer fitted into the table. */
  result(): { sequences: RouteSequence[]; sequencesLost: number };
}

const MAX_SEQUENCES = 20_000;

export function sequenceCounter(): SequenceCounter {
  const sequences = new Map<number, RouteSequence>();
  let sequencesLost = 0;
  return {
    add(steps, at, count, cut, start) {
      let h1 = cut ? 7 : count;
      let h2 = 0x2545f491;
      if (!cut) {
        for (let i = at; i < at + count; i++) {
          h1 = Math.imul(h1 ^ (steps[i] as number), 0x01000193) + 1;
          h2 = Math.imul(h2 ^ (steps[i] as number), 0x5bd1e995);
          h2 ^= h2 >>> 13;
        }
      }
      const key = (h1 >>> 0) * 2_097_152 + (h2 & 0x1fffff);
      const sequence = sequences.get(key);
      if (sequence !== undefined) {
        sequence.n++;
        if (start < sequence.first) sequence.first = start;
        if (start > sequence.last) sequence.last = start;
      } else if (sequences.size < MAX_SEQUENCES) {
        sequences.set(key, {
          steps: cut ? [] : Array.from(steps.subarray(at, at + count)),
          cut,
          n: 1,
          first: start,
          last: start,
        });
      } else sequencesLost++;
    },
    result: () => ({ sequences: [...sequences.values()].sort((a, b) => b.n - a.n), sequencesLost }),
  };
}

/** Two tables as one. */
export function joinSequences(a: readonly RouteSequence[], b: readonly RouteSequence[]): RouteSequence[] {
  const byKey = new Map<string, RouteSequence>();
  for (const sequence of [...a, ...b]) {
    const key = `${sequence.cut} ${sequence.steps.join()}`;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, { ...sequence });
    else {
      known.n += sequence.n;
      known.first = Math.min(known.first, sequence.first);
      known.last = Math.max(known.last, sequence.last);
    }
  }
  return [...byKey.values()].sort((x, y) => y.n - x.n);
}

/** A sequence of fewer sessions than this share is none that users have in common. */
const COMMON = 0.01;

/**
 * When the first and the last session began that did what others do too; `undefined` when most sessions did something of their
 * own. The calls by which somebody looked whether the system is up are none of these.
 */
export function commonSpan(
  sequences: readonly RouteSequence[],
): { readonly first: number; readonly last: number } | undefined {
  const total = sequences.reduce((sum, sequence) => sum + sequence.n, 0);
  const common = sequences.filter((sequence) => sequence.n >= Math.max(2, COMMON * total));
  if (common.reduce((sum, sequence) => sum + sequence.n, 0) < 0.5 * total || common.length === 0) return undefined;
  return {
    first: smallest(common.map((sequence) => sequence.first)),
    last: largest(common.map((sequence) => sequence.last)),
  };
}
