/** Where every physical line of a file went. The parts are disjoint and add up to `physical`. */
import { ANSWER_CLASSES } from '../../../lib/model/names.ts';

export interface LineCounts {
  physical: number;
  blank: number;
  directive: number;
  other: number;
  records: number;
  withoutRequest: number;
  malformed: number;
}

export interface Malformed {
  readonly line: number;
  readonly reason: string;
}

export interface FileCounts {
  readonly lines: LineCounts;
  /** First malformed lines, by number (1-based); never their text. */
  readonly firstMalformed: Malformed[];
  /** Number of the first line that is understood and no access record; 0 for none. */
  firstOther: number;
  /** Malformed lines per reason. */
  readonly reasons: Record<string, number>;
  /** Requests that count, per route and status class: index route * CLASSES + class, a class being an index of ANSWER_CLASSES. */
  endpoints: number[];
  /** Answers per status class over records and records without a request, by index of ANSWER_CLASSES. */
  readonly statusClasses: number[];
  /** Records per noise class (index into NOISE), also those that are kept. */
  readonly noise: number[];
  /** Records without a time stamp: they count in the mix and in nothing that needs time. */
  timeless: number;
  /** Those of them that have a time stamp which is not understood, and the first such stamp with its field. */
  stampsUnread: number;
  unreadStamp: string;
  /** Records whose time stamp names no zone, in a format that does not fix one. */
  zoneless: number;
  /** Records that name neither a session nor a client. */
  nobody: number;
  /** Records whose client is an address that a proxy has passed on, and records where there was one but a public peer remained. */
  forwarded: number;
  forwardedLeft: number;
  /** Records that count and name a session. */
  identified: number;
  /** Of these, records that name no client. */
  clientless: number;
  /** Records that two lines told together. */
  joined: number;
  /** Records whose duration was taken as seconds or milliseconds by its look, and whose duration was left out for want of a unit. */
  unitsGuessed: number;
  unitsGuessedMs: number;
  unitsOpen: number;
  /** Records whose duration cannot be read. */
  durationsUnread: number;
  /** Records with an answer from the cache in front, and records whose cache column says something. */
  cacheHits: number;
  cacheKnown: number;
  /** Earliest and latest time stamp, ms; NaN when none. */
  firstTime: number;
  lastTime: number;
  /** Steps back in time between neighbouring records: by the time stamp, by stamp + duration, by stamp - duration. */
  readonly inversions: [number, number, number];
  /** Formats met, with records each. */
  readonly formats: Record<string, number>;
  /** Set when a time stamp had a fraction of a second; the finest step seen, ms. */
  finestStep: number;
  readonly remarks: string[];
}

/** Cells of `endpoints` that a route has. */
export const CLASSES = ANSWER_CLASSES.length;

/** Requests per route over all status classes. */
export function perRoute({ endpoints }: FileCounts): Map<number, number> {
  const routes = new Map<number, number>();
  endpoints.forEach((n, cell) => {
    const route = Math.floor(cell / CLASSES);
    if (n > 0) routes.set(route, (routes.get(route) ?? 0) + n);
  });
  return routes;
}

export function newFileCounts(noiseClasses: number): FileCounts {
  return {
    lines: { physical: 0, blank: 0, directive: 0, other: 0, records: 0, withoutRequest: 0, malformed: 0 },
    firstMalformed: [],
    firstOther: 0,
    reasons: {},
    endpoints: [],
    statusClasses: ANSWER_CLASSES.map(() => 0),
    noise: new Array<number>(noiseClasses).fill(0),
    timeless: 0,
    stampsUnread: 0,
    unreadStamp: '',
    zoneless: 0,
    nobody: 0,
    forwarded: 0,
    forwardedLeft: 0,
    identified: 0,
    clientless: 0,
    joined: 0,
    unitsGuessed: 0,
    unitsGuessedMs: 0,
    unitsOpen: 0,
    durationsUnread: 0,
    cacheHits: 0,
    cacheKnown: 0,
    firstTime: Number.NaN,
    lastTime: Number.NaN,
    inversions: [0, 0, 0],
    formats: {},
    finestStep: 1000,
    remarks: [],
  };
}

const MAX_PLACES = 10;

export function countMalformed(counts: FileCounts, line: number, reason: string): void {
  counts.lines.malformed++;
  counts.reasons[reason] = (counts.reasons[reason] ?? 0) + 1;
  if (counts.firstMalformed.length < MAX_PLACES) counts.firstMalformed.push({ line, reason });
}

/** Adds `from` to `into`; line numbers of `from` are moved by `lineOffset` (parts of one file). */
export function addFileCounts(into: FileCounts, from: FileCounts, lineOffset = 0): void {
  for (const key of Object.keys(into.lines) as (keyof LineCounts)[]) into.lines[key] += from.lines[key];
  for (const place of from.firstMalformed) {
    if (into.firstMalformed.length < MAX_PLACES) {
      into.firstMalformed.push({ line: place.line + lineOffset, reason: place.reason });
    }
  }
  if (into.firstOther === 0 && from.firstOther > 0) into.firstOther = from.firstOther + lineOffset;
  for (const [reason, n] of Object.entries(from.reasons)) into.reasons[reason] = (into.reasons[reason] ?? 0) + n;
  for (const [format, n] of Object.entries(from.formats)) into.formats[format] = (into.formats[format] ?? 0) + n;
  addArrays(into.endpoints, from.endpoints);
  addArrays(into.statusClasses, from.statusClasses);
  addArrays(into.noise, from.noise);
  into.timeless += from.timeless;
  into.stampsUnread += from.stampsUnread;
  into.unreadStamp ||= from.unreadStamp;
  into.zoneless += from.zoneless;
  into.nobody += from.nobody;
  into.forwarded += from.forwarded;
  into.forwardedLeft += from.forwardedLeft;
  into.identified += from.identified;
  into.clientless += from.clientless;
  into.joined += from.joined;
  into.unitsGuessed += from.unitsGuessed;
  into.unitsGuessedMs += from.unitsGuessedMs;
  into.unitsOpen += from.unitsOpen;
  into.durationsUnread += from.durationsUnread;
  into.cacheHits += from.cacheHits;
  into.cacheKnown += from.cacheKnown;
  addArrays(into.inversions, from.inversions);
  if (!(into.firstTime <= from.firstTime))
    into.firstTime = Number.isNaN(from.firstTime) ? into.firstTime : from.firstTime;
  if (!(into.lastTime >= from.lastTime)) into.lastTime = Number.isNaN(from.lastTime) ? into.lastTime : from.lastTime;
  into.finestStep = Math.min(into.finestStep, from.finestStep);
  into.remarks.push(...from.remarks.filter((remark) => !into.remarks.includes(remark)));
}

function addArrays(into: number[], from: readonly number[]): void {
  for (let i = 0; i < from.length; i++) into[i] = (into[i] ?? 0) + (from[i] ?? 0);
}
