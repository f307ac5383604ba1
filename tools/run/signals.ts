/** Passes signals on to the engine, each one once, so that it can end in order and still write its summary. */
import type { RunningEngine } from './engine.ts';

/** Signals that ask for the end, and what the engine gets: k6 has no handler for a closed terminal. */
const PASSED_ON: Readonly<Record<string, NodeJS.Signals>> = { SIGINT: 'SIGINT', SIGTERM: 'SIGTERM', SIGHUP: 'SIGTERM' };

export interface SignalForwarder {
  /** The engine to pass signals to; one that came before is passed on now. */
  readonly to: (running: RunningEngine) => void;
  /** Whether any signal came. */
  readonly interrupted: () => boolean;
  /** Stop listening. */
  readonly release: () => void;
}

/** Starts to listen. Should this process end by itself while the engine runs, the engine is ended too. */
export function forwardSignals(): SignalForwarder {
  let running: RunningEngine | undefined;
  const received: NodeJS.Signals[] = [];
  const onSignal = (signal: NodeJS.Signals): void => {
    const passed = PASSED_ON[signal] ?? 'SIGTERM';
    received.push(passed);
    running?.signal(passed);
  };
  const onExit = (): void => running?.signal('SIGTERM');
  for (const signal of Object.keys(PASSED_ON)) process.on(signal, onSignal);
  process.on('exit', onExit);
  return {
    to: (engine) => {
      running = engine;
      for (const signal of received) engine.signal(signal);
    },
    interrupted: () => received.length > 0,
    release: () => {
      for (const signal of Object.keys(PASSED_ON)) process.off(signal, onSignal);
      process.off('exit', onExit);
    },
  };
}
