/**
 * Time of a rehearsal: a queue of events that is worked off as fast as the machine can. Between two events everything
 * that the first one set off has come to rest, so that a run depends on nothing but its seed.
 */
import type { Clock, Timer } from './clock.ts';

export interface VirtualClock extends Clock {
  /** Works events off until `work` has ended. */
  drive<T>(work: Promise<T>): Promise<T>;
}

/** Turns of the event loop without an event after which the run is taken for stuck. */
const PATIENCE = 60_000;
/** Events after which timers, signals and files get their turn. */
const EVENTS_A_TURN = 500;

/** An action registered for a time. */
class Event implements Timer {
  action: (() => unknown) | undefined;

  constructor(action: () => unknown) {
    this.action = action;
  }

  cancel(): void {
    this.action = undefined;
  }
}

/** @param start ms since the epoch */
export function virtualClock(start: number): VirtualClock {
  const heap = eventHeap();
  let time = start;
  let holds = 0;
  return {
    virtual: true,
    now: () => time,
    at(when, action) {
      const event = new Event(action);
      heap.push(Math.max(when, time), event);
      return event;
    },
    async hold(work) {
      holds++;
      try {
        return await work;
      } finally {
        holds--;
      }
    },
    async drive(work) {
      let ended = false;
      const end = () => {
        ended = true;
      };
      work.then(end, end);
      let idle = 0;
      let events = 0;
      let atRest = false;
      while (!ended) {
        if (holds > 0 || idle > 0 || ++events % EVENTS_A_TURN === 0) await turn();
        else if (!atRest) await settled();
        if (ended || holds > 0) continue;
        const action = nextLive(heap);
        if (action === undefined) {
          idle++;
          if (idle > PATIENCE) throw new Error('the rehearsal has no event left and does not end');
          continue;
        }
        idle = 0;
        time = heap.time();
        atRest = action() === true;
      }
      return work;
    },
  };
}

/** A turn of the event loop, for what comes from outside. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** All promises that can settle have settled: Node empties its queue of them before it looks at the next tick. */
function settled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

function nextLive(heap: ReturnType<typeof eventHeap>): (() => unknown) | undefined {
  for (let event = heap.pop(); event !== undefined; event = heap.pop()) {
    if (event.action !== undefined) return event.action;
  }
  return undefined;
}

/** A binary heap by time, then by order of registration; keys lie apart from the events, where comparing finds them fast. */
function eventHeap() {
  let times = new Float64Array(1024);
  let orders = new Float64Array(1024);
  const events: Event[] = [];
  let order = 0;
  let popped = 0;
  const place = (at: number, time: number, rank: number, event: Event) => {
    times[at] = time;
    orders[at] = rank;
    events[at] = event;
  };
  const move = (to: number, from: number) => {
    times[to] = times[from] as number;
    orders[to] = orders[from] as number;
    events[to] = events[from] as Event;
  };
  const before = (a: number, time: number, rank: number) => {
    const other = times[a] as number;
    return other < time || (other === time && (orders[a] as number) < rank);
  };
  return {
    push(time: number, event: Event) {
      const rank = order++;
      let at = events.length;
      if (at === times.length) {
        times = grown(times);
        orders = grown(orders);
      }
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (before(parent, time, rank)) break;
        move(at, parent);
        at = parent;
      }
      place(at, time, rank, event);
    },
    /** The earliest event; `time` tells when it was to be. */
    pop(): Event | undefined {
      const first = events[0];
      if (first === undefined) return undefined;
      popped = times[0] as number;
      const end = events.length - 1;
      const [time, rank] = [times[end] as number, orders[end] as number];
      const last = events.pop() as Event;
      if (end === 0) return first;
      let at = 0;
      for (;;) {
        let child = 2 * at + 1;
        if (child >= end) break;
        if (child + 1 < end && before(child + 1, times[child] as number, orders[child] as number)) child++;
        if (!before(child, time, rank)) break;
        move(at, child);
        at = child;
      }
      place(at, time, rank, last);
      return first;
    },
    time: () => popped,
  };
}

function grown(keys: Float64Array): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(keys.length * 2);
  larger.set(keys);
  return larger;
}
