/**
 * Time of a rehearsal: a queue of events that is worked off as fast as the machine can. Between two events everything
 * that the first one set off has come to rest, so that a run depends on nothing but its seed.
 */
import type { Clock } from './clock.ts';

interface Event {
  readonly time: number;
  /** Order of registration, which decides between events of one moment. */
  readonly order: number;
  action: (() => void) | undefined;
}

export interface VirtualClock extends Clock {
  /** Works events off until `work` has ended. */
  drive<T>(work: Promise<T>): Promise<T>;
}

/** Turns of the event loop without an event after which the run is taken for stuck. */
const PATIENCE = 60_000;

/** @param start ms since the epoch */
export function virtualClock(start: number): VirtualClock {
  const heap = eventHeap();
  let time = start;
  let order = 0;
  let held = 0;
  return {
    virtual: true,
    now: () => time,
    at(when, action) {
      const event: Event = { time: Math.max(when, time), order: order++, action };
      heap.push(event);
      return () => {
        event.action = undefined;
      };
    },
    async hold(work) {
      held++;
      try {
        return await work;
      } finally {
        held--;
      }
    },
    async drive(work) {
      let ended = false;
      const end = () => {
        ended = true;
      };
      work.then(end, end);
      let idle = 0;
      while (!ended) {
        await turn();
        if (held > 0) continue;
        const event = nextLive(heap);
        if (event === undefined) {
          idle++;
          if (idle > PATIENCE) throw new Error('the rehearsal has no event left and does not end');
          continue;
        }
        idle = 0;
        time = event.time;
        event.action?.();
      }
      return work;
    },
  };
}

/** All promises that can settle have settled when a turn of the event loop is over. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function nextLive(heap: ReturnType<typeof eventHeap>): Event | undefined {
  for (let event = heap.pop(); event !== undefined; event = heap.pop()) if (event.action !== undefined) return event;
  return undefined;
}

/** A binary heap by time, then by order of registration. */
function eventHeap() {
  const items: Event[] = [];
  const before = (a: Event, b: Event) => a.time < b.time || (a.time === b.time && a.order < b.order);
  return {
    push(event: Event) {
      let at = items.length;
      items.push(event);
      while (at > 0) {
        const parent = (at - 1) >> 1;
        const above = items[parent] as Event;
        if (!before(event, above)) break;
        items[at] = above;
        at = parent;
      }
      items[at] = event;
    },
    pop(): Event | undefined {
      const first = items[0];
      const last = items.pop();
      if (first === undefined || last === undefined || items.length === 0) return first;
      let at = 0;
      for (;;) {
        let child = 2 * at + 1;
        if (child >= items.length) break;
        const right = items[child + 1];
        if (right !== undefined && before(right, items[child] as Event)) child++;
        const below = items[child] as Event;
        if (!before(below, last)) break;
        items[at] = below;
        at = child;
      }
      items[at] = last;
      return first;
    },
  };
}
