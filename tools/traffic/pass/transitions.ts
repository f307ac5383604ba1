/** Samples of the think times per transition. */
import { type Reservoir, reservoir, type Sample } from '../events/reservoir.ts';

/** Gaps between two requests of one session in a row, seconds: end of the first to start of the second. */
export interface Transition {
  readonly from: number;
  readonly to: number;
  readonly gaps: Sample;
}

export interface TransitionRecorder {
  add(from: number, to: number, seconds: number): void;
  /** All transitions that have been added, in the order of their first gap. */
  result(): Transition[];
}

const MAX_TRANSITIONS = 20_000;

/** Names the sample of a transition: same name, same draws. */
export function sampleName(from: number, to: number): string {
  return String(from * 65_536 + to);
}

/** @param samples gaps kept of each transition */
export function transitionRecorder(samples: number): TransitionRecorder {
  const transitions = new Map<number, { from: number; to: number; gaps: Reservoir }>();
  return {
    add(from, to, seconds) {
      const key = from * 65_536 + to;
      let transition = transitions.get(key);
      if (transition === undefined) {
        if (transitions.size >= MAX_TRANSITIONS) return;
        transition = { from, to, gaps: reservoir(samples, sampleName(from, to)) };
        transitions.set(key, transition);
      }
      transition.gaps.add(seconds);
    },
    result: () => [...transitions.values()],
  };
}

/** Two lists of samples as one; where a sample must give way, it keeps its share of the gaps. */
export function joinTransitions(a: readonly Transition[], b: readonly Transition[], samples: number): Transition[] {
  const byKey = new Map(a.map((one) => [one.from * 65_536 + one.to, one]));
  for (const more of b) {
    const key = more.from * 65_536 + more.to;
    const known = byKey.get(key);
    byKey.set(key, known === undefined ? more : { ...more, gaps: joinSamples(known.gaps, more.gaps, samples) });
  }
  return [...byKey.values()].sort((x, y) => y.gaps.n - x.gaps.n);
}

function joinSamples(a: Sample, b: Sample, samples: number): Sample {
  const n = a.n + b.n;
  const all = Math.min(samples, n);
  // Both are samples of all their gaps, so what both have to give is bounded by the one that kept less of its own.
  const ofA = Math.min(a.values.length, Math.round((all * a.n) / n));
  const ofB = Math.min(b.values.length, all - ofA);
  const values = new Float64Array(ofA + ofB);
  values.set(thinned(a.values, ofA));
  values.set(thinned(b.values, ofB), ofA);
  return { n, values };
}

/** Evenly out of the whole list. */
function thinned(values: ArrayLike<number>, n: number): Float64Array {
  return Float64Array.from({ length: n }, (_, i) => values[Math.floor((i * values.length) / n)] as number);
}
