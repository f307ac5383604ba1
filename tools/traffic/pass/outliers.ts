/**
 * Sessions that are far longer than the others, in requests and in time: an address that many users share one after the other
 * makes one long session of theirs, without a request that overlaps another.
 */

export interface Amount {
  readonly sessions: number;
  readonly requests: number;
  /** How long they were together, ms. */
  readonly length: number;
}

export const NO_SESSIONS: Amount = { sessions: 0, requests: 0, length: 0 };

export interface OutlierRecorder {
  /** @param ms from the first request to the end of the last */
  add(requests: number, ms: number): void;
  /** The sessions beyond the fences of both. */
  result(): Amount;
}

/** Cells per doubling. */
const FINENESS = 4;
/** Tukey's fence for what is far out (J. W. Tukey, "Exploratory Data Analysis", 1977): so many quartile distances. */
const FAR_OUT = 3;
/** Quartiles that lie closer, in doublings, are taken to be so far apart: most sessions may be of one length. */
const LEAST_SPREAD = 1;
/** Fewer sessions have no quartiles worth the name. */
const LEAST_SESSIONS = 40;
/** What is more common than this is no outlier. */
const MOST_OUTLIERS = 0.1;

export function outlierRecorder(): OutlierRecorder {
  interface Cell {
    readonly size: number;
    readonly time: number;
    readonly amount: { sessions: number; requests: number; length: number };
  }
  const cells = new Map<number, Cell>();
  return {
    add(requests, ms) {
      const size = Math.floor(FINENESS * Math.log2(requests));
      const time = Math.floor(FINENESS * Math.log2(1 + Math.max(0, ms) / 1000));
      const key = size * 1024 + time;
      let cell = cells.get(key);
      if (cell === undefined) {
        cell = { size, time, amount: { ...NO_SESSIONS } };
        cells.set(key, cell);
      }
      cell.amount.sessions++;
      cell.amount.requests += requests;
      cell.amount.length += ms;
    },
    result() {
      const all = [...cells.values()];
      const total = sumOf(all.map(({ amount }) => amount));
      if (total.sessions < LEAST_SESSIONS) return NO_SESSIONS;
      const size = fence(all.map((cell) => [cell.size, cell.amount.sessions]));
      const time = fence(all.map((cell) => [cell.time, cell.amount.sessions]));
      const out = sumOf(all.filter((cell) => cell.size > size && cell.time > time).map(({ amount }) => amount));
      return out.sessions > MOST_OUTLIERS * total.sessions ? NO_SESSIONS : out;
    },
  };
}

export function sumOf(amounts: readonly Amount[]): Amount {
  const sum: { -readonly [key in keyof Amount]: number } = { ...NO_SESSIONS };
  for (const { sessions, requests, length } of amounts) {
    sum.sessions += sessions;
    sum.requests += requests;
    sum.length += length;
  }
  return sum;
}

/** @param counts logarithms and how many sessions have each */
function fence(counts: readonly (readonly [number, number])[]): number {
  const sorted = [...counts].sort((a, b) => a[0] - b[0]);
  const total = sorted.reduce((sum, [, n]) => sum + n, 0);
  const quantile = (p: number): number => {
    let seen = 0;
    for (const [value, n] of sorted) {
      seen += n;
      if (seen >= p * total) return value;
    }
    return sorted.at(-1)?.[0] ?? 0;
  };
  const upper = quantile(0.75);
  return upper + FAR_OUT * Math.max(LEAST_SPREAD * FINENESS, upper - quantile(0.25));
}
