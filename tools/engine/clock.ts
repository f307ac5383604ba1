import type { Cancellation } from './cancellation.ts';

/** Time as the engine sees it: the machine's, or a rehearsal's. */

export interface Clock {
  /** Milliseconds since the epoch, with fractions. */
  now(): number;
  /** Calls `action` at `time` (ms since the epoch) or at once when that is past. Returns the cancellation. */
  at(time: number, action: () => void): () => void;
  /** Whether time jumps from event to event. */
  readonly virtual: boolean;
  /** Work outside the clock (loading a virtual machine) during which virtual time stands still. */
  hold<T>(work: Promise<T>): Promise<T>;
}

/** Wait for `ms`; resolves early, with `false`, when it is cancelled. */
export function sleep(clock: Clock, ms: number, cancellation: Cancellation): Promise<boolean> {
  if (cancellation.aborted) return Promise.resolve(false);
  return new Promise((resolve) => {
    const cancel = clock.at(clock.now() + ms, () => {
      stopListening();
      resolve(true);
    });
    const stopListening = cancellation.onAbort(() => {
      cancel();
      resolve(false);
    });
  });
}

export function realClock(): Clock {
  const now = () => performance.timeOrigin + performance.now();
  return {
    now,
    virtual: false,
    hold: (work) => work,
    at(time, action) {
      // Timers cut fractions off and may fire a little early; an early start would be a start before its tick.
      let timer: NodeJS.Timeout;
      const arm = () => {
        const left = time - now();
        timer = setTimeout(
          () => (time - now() > 0.05 ? arm() : action()),
          Math.min(Math.max(0, Math.ceil(left)), 2 ** 31 - 1),
        );
      };
      arm();
      return () => clearTimeout(timer);
    },
  };
}
