/** Signals while servers start and no load runs yet. */

export const STOPPED = 'bookstore-load: stopped by a signal while no load was running\n';

/** Signals before the load begins: the servers are stopped and nothing is run. */
export function catchSignals(): {
  readonly signal: AbortSignal;
  readonly exitCode: () => number;
  /** From now on a signal ends the process, until the run takes signals itself; the servers end with it. */
  readonly endAtOnce: () => void;
  readonly release: () => void;
} {
  const numbers = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const;
  const controller = new AbortController();
  let number = 0;
  let atOnce = false;
  const listeners = Object.entries(numbers).map(([name, value]) => {
    const listener = (): void => {
      number = value;
      if (!atOnce) controller.abort();
      if (!atOnce || process.listenerCount(name) > 1) return;
      process.stderr.write(STOPPED);
      process.exit(128 + value);
    };
    process.on(name, listener);
    return { name, listener };
  });
  return {
    signal: controller.signal,
    exitCode: () => 128 + number,
    endAtOnce: () => {
      atOnce = true;
    },
    release: () => {
      for (const { name, listener } of listeners) process.off(name, listener);
    },
  };
}
