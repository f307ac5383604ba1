/** Samples of the gaps per transition, of which most are only counted: the samples know which value they want next. */
import { type Reservoir, reservoir } from './reservoir.ts';

/** Gaps between two requests of one session in a row, seconds: end of the first to start of the second. */
export interface Transition {
  readonly from: number;
  readonly to: number;
  readonly gaps: Reservoir;
}

export interface TransitionRecorder {
  /** @returns how many of the next gaps of this transition need not be added, if the caller tells `settle` how many are left */
  add(from: number, to: number, seconds: number): number;
  /** Before the result: so many of the gaps that `add` did not want have not come. */
  settle(left: (from: number, to: number) => number): void;
  /** The most frequent first. */
  result(): Transition[];
}

const MAX_TRANSITIONS = 20_000;
const MOST_UNSEEN = 2 ** 31 - 1;

/**
 * @param samples gaps kept of each transition
 * @param near transitions between the first so many routes are told what they need not add
 */
export function transitionRecorder(samples: number, near: number): TransitionRecorder {
  const transitions = new Map<number, Transition & { unseen: number }>();
  return {
    add(from, to, seconds) {
      const key = from * 65_536 + to;
      let transition = transitions.get(key);
      if (transition === undefined) {
        if (transitions.size >= MAX_TRANSITIONS) return MOST_UNSEEN;
        transition = { from, to, gaps: reservoir(samples, String(key)), unseen: 0 };
        transitions.set(key, transition);
      }
      const { gaps } = transition;
      gaps.pass(transition.unseen);
      gaps.add(seconds);
      transition.unseen = from < near && to < near ? Math.min(gaps.unseen, MOST_UNSEEN) : 0;
      return transition.unseen;
    },
    settle(left) {
      for (const transition of transitions.values()) {
        transition.gaps.pass(transition.unseen - left(transition.from, transition.to));
        transition.unseen = 0;
      }
    },
    result: () =>
      [...transitions.values()]
        .map(({ from, to, gaps }) => ({ from, to, gaps }))
        .sort((a, b) => b.gaps.n - a.gaps.n),
  };
}
