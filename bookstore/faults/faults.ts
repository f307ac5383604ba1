/** The faults in force: which are on at a moment, and what must happen at a set time. */
import type { EndpointKey } from '../../lib/endpoints.ts';
import type { Fault } from './schema.ts';

/** What timed faults act upon. */
export interface FaultTargets {
  purgeCache(): void;
  setCacheTtl(seconds: number): void;
  readonly cacheTtlSeconds: () => number;
  setStock(quantity: number, isbn: string | undefined): Promise<unknown>;
  /** Breaks and refuses connections, or listens again. */
  refuseConnections(refuse: boolean): Promise<void>;
  readonly onError: (error: Error) => void;
}

export interface Active {
  readonly fault: Fault;
  /** Milliseconds on the clock of `now`. */
  readonly startsAt: number;
  /** Infinity when it ends only by being taken back. */
  readonly endsAt: number;
}

export interface Faults {
  /** Puts these in the place of all others; their times count from now. */
  replace(faults: readonly Fault[]): Promise<void>;
  /** Faults that strike requests of this endpoint just now, in the order given. */
  active(endpoint: EndpointKey): Active[];
  list(): { fault: Fault; startsInSeconds: number; endsInSeconds: number | null }[];
  /** Settles after `ms`, or earlier when the faults are replaced. */
  wait(ms: number): Promise<void>;
}

/** Connections are refused no earlier than this, so that the answer of the request that asked for it gets out. */
const REFUSE_AFTER_SECONDS = 0.1;

/** @param now milliseconds on a clock that never goes back */
export function createFaults(targets: FaultTargets, now: () => number = () => performance.now()): Faults {
  let inForce: Active[] = [];
  let timers: NodeJS.Timeout[] = [];
  let undo: (() => Promise<void> | void)[] = [];
  const waiting = new Set<() => void>();

  const at = (time: number, act: () => Promise<unknown> | unknown): void => {
    const run = async (): Promise<void> => {
      try {
        await act();
      } catch (error) {
        targets.onError(error as Error);
      }
    };
    if (time <= now()) void run();
    else if (time < Number.POSITIVE_INFINITY) timers.push(setTimeout(run, time - now()));
  };

  const schedule = ({ fault, startsAt, endsAt }: Active): void => {
    switch (fault.kind) {
      case 'cachePurge':
        at(startsAt, () => targets.purgeCache());
        break;
      case 'stock':
        at(startsAt, () => targets.setStock(fault.quantity, fault.isbn));
        break;
      case 'cacheTtl':
        at(startsAt, () => {
          const before = targets.cacheTtlSeconds();
          targets.setCacheTtl(fault.seconds);
          const back = once(() => targets.setCacheTtl(before));
          undo.push(back);
          at(endsAt, back);
        });
        break;
      case 'refuse':
        at(startsAt, async () => {
          const back = once(() => targets.refuseConnections(false));
          undo.push(back);
          await targets.refuseConnections(true);
          at(endsAt, back);
        });
        break;
      default:
        break;
    }
  };

  return {
    replace: async (faults) => {
      for (const timer of timers) clearTimeout(timer);
      timers = [];
      // The last one first, so that the state before the first comes back.
      const backs = undo.reverse();
      undo = [];
      for (const back of backs) await back();
      inForce = faults.map((fault) => {
        const delay = fault.kind === 'refuse' ? Math.max(fault.afterSeconds, REFUSE_AFTER_SECONDS) : fault.afterSeconds;
        const startsAt = now() + delay * 1_000;
        const seconds = 'forSeconds' in fault ? fault.forSeconds : undefined;
        return {
          fault,
          startsAt,
          endsAt: seconds === undefined ? Number.POSITIVE_INFINITY : startsAt + seconds * 1_000,
        };
      });
      for (const wake of [...waiting]) wake();
      for (const active of inForce) schedule(active);
    },
    active: (endpoint) => {
      if (inForce.length === 0) return inForce;
      const time = now();
      return inForce.filter(
        ({ fault, startsAt, endsAt }) =>
          startsAt <= time &&
          time < endsAt &&
          'endpoint' in fault &&
          (fault.endpoint === '*' || fault.endpoint === endpoint),
      );
    },
    list: () =>
      inForce.map(({ fault, startsAt, endsAt }) => ({
        fault,
        startsInSeconds: Math.max(0, (startsAt - now()) / 1_000),
        endsInSeconds: endsAt === Number.POSITIVE_INFINITY ? null : Math.max(0, (endsAt - now()) / 1_000),
      })),
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(wake, ms);
        waiting.add(wake);
        function wake(): void {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve();
        }
      }),
  };
}

function once<T>(act: () => T): () => T | undefined {
  let done = false;
  return () => {
    if (done) return undefined;
    done = true;
    return act();
  };
}
