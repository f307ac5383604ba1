/** Samples of the think times per transition. */
import { type Reservoir, reservoir, type Sample } from './reservoir.ts';

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
