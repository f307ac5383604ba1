import type { Cancellation } from './cancellation.ts';

/** Time as the engine sees it: the machine's, or a rehearsal's. */

/** An action that is to come. */
export interface Timer {
  /** Lets it not come. */
  cancel(): void;
}

export interface Clock {
  /** Milliseconds since the epoch, with fractions. */
  now(): number;
  /**
   * Calls `action` at `time` (ms since the epoch) or at once when that is past. An action that returns true says that nothing it
   * set off waits for a promise to settle, so that a virtual clock may go on at once.
   */
  at(time: number, action: () => unknown): Timer;
  /** Whether time jumps from event to event. */
  readonly virtual: boolean;
  /** Work outside the clock (loading a virtual machine) during which virtual time stands still. */
  hold<T>(work: Promise<T>): Promise<T>;
}

/** Hears what was waited for. @returns whether nothing that it set off waits for a promise to settle, see `Clock.at` */
export type Receive<T> = (value: T) => boolean;

/** Calls `done` in `ms`; early, with `false`, when it is cancelled, and at once when it already was. */
export function wake(clock: Clock, ms: number, cancellation: Cancellation, done: Receive<boolean>): void {
  if (cancellation.aborted) {
    done(false);
    return;
  }
  const onAbort = () => {
    timer.cancel();
    done(false);
  };
  const timer = clock.at(clock.now() + ms, () => {
    cancellation.offAbort(onAbort);
    return done(true);
  });
  cancellation.onAbort(onAbort);
}

/** Wait for `ms`; resolves early, with `false`, when it is cancelled. */
export function sleep(clock: Clock, ms: number, cancellation: Cancellation): Promise<boolean> {
  return new Promise((resolve) => {
    wake(clock, ms, cancellation, (whole) => {
      resolve(whole);
      return false;
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
      return { cancel: () => clearTimeout(timer) };
    },
  };
}
