/** A queue with `c` servers, first come first served, and times at which nothing moves. */

export interface Stall {
  /** Milliseconds after the start of the model. */
  readonly at: number;
  readonly ms: number;
}

export interface ServerQueue {
  /**
   * Time at which a request that arrives `now` and needs `service` ms of work is done; all times in ms after the start of
   * the model. Calls come in the order of arrival.
   */
  finish(now: number, service: number): number;
}

/** @param servers Infinity for a system without a queue */
export function serverQueue(servers: number, stalls: readonly Stall[] = []): ServerQueue {
  const ordered = [...stalls].sort((a, b) => a.at - b.at);
  /** When each server is free, the earliest first. Few servers: an insertion beats a heap. */
  const free: number[] = [];
  return {
    finish(now, service) {
      if (!Number.isFinite(servers)) return worked(now, service, ordered);
      let start = now;
      if (free.length >= servers) start = Math.max(now, free.shift() ?? now);
      const end = worked(start, service, ordered);
      let at = free.length;
      while (at > 0 && (free[at - 1] ?? 0) > end) at--;
      free.splice(at, 0, end);
      return end;
    },
  };
}

/** End of `service` ms of work begun at `start`, stalls added where they fall into it. */
function worked(start: number, service: number, stalls: readonly Stall[]): number {
  let end = start + service;
  for (const { at, ms } of stalls) {
    if (at + ms <= start || at >= end) continue;
    end += ms - Math.max(0, start - at);
  }
  return end;
}

/** Probability of waiting in an M/M/c queue (Erlang C). @param load arrivals times service time, below `servers` */
export function erlangC(servers: number, load: number): number {
  // Erlang B by its recursion, then Erlang C from it (Cooper, Introduction to Queueing Theory).
  let blocked = 1;
  for (let k = 1; k <= servers; k++) blocked = (load * blocked) / (k + load * blocked);
  return blocked / (1 - (load / servers) * (1 - blocked));
}

/** Mean waiting time before service in an M/M/c queue, in the unit of `service`. @param rate arrivals per that unit */
export function meanWait(servers: number, rate: number, service: number): number {
  const load = rate * service;
  if (load >= servers) return Number.POSITIVE_INFINITY;
  return (erlangC(servers, load) * service) / (servers - load);
}
