/** The faults in force: which are on at a moment, and what must happen at a set time. */
import type { EndpointKey } from '../../scenarios/bookstore/endpoints.ts';
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

  const cacheTtl = layers(targets.cacheTtlSeconds, (seconds) => targets.setCacheTtl(seconds), targets.onError);
  const refusal = layers(
    () => false,
    (refuse) => targets.refuseConnections(refuse),
    targets.onError,
  );

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
          const back = cacheTtl(fault.seconds);
          undo.push(back);
          at(endsAt, back);
        });
        break;
      case 'refuse':
        at(startsAt, () => {
          const back = refusal(true);
          undo.push(back);
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

/**
 * A setting that several faults may want at a time: the one that began last and has not ended counts, and with the last of
 * them gone what was configured comes back, whatever the order of the ends.
 * @param configured the setting as it is without faults
 * @returns lays a value over it; what that gives takes the value away again, once
 */
function layers<T>(
  configured: () => T,
  set: (value: T) => unknown,
  onError: FaultTargets['onError'],
): (value: T) => () => Promise<void> {
  const laid: { readonly value: T }[] = [];
  let base: T;
  let setting: Promise<unknown> = Promise.resolve();
  // One after the other, because a server that is still closing cannot listen again.
  const apply = (): Promise<unknown> => {
    const { value } = laid.at(-1) ?? { value: base };
    setting = setting.catch(() => undefined).then(() => set(value));
    return setting;
  };
  return (value) => {
    if (laid.length === 0) base = configured();
    const layer = { value };
    laid.push(layer);
    apply().catch(onError);
    return async () => {
      const i = laid.indexOf(layer);
      if (i < 0) return;
      laid.splice(i, 1);
      await apply();
    };
  };
}
