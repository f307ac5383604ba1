/** Turns chunks of lines into events and counts: the inner loop of the whole tool. */

import { answerClassOf } from '../../../lib/model/names.ts';
import { type EventWriter, eventWriter, ID_BIT } from '../events/events.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { withoutColours } from '../readers/ansi.ts';
import { isAbsent } from '../readers/bytes.ts';
import { dispatcher } from '../readers/dispatch.ts';
import { LOG_FORMATS } from '../readers/formats/registry.ts';
import { FORWARDED, takeForwarded, wantsForwarded } from '../readers/forwarded.ts';
import { ensureHashes, hash1, hash2, ipv4 } from '../readers/hashes.ts';
import type { LogFormat } from '../readers/log-format.ts';
import { LINE, newRawRecord, type RawRecord, type ReaderOptions, textOf, UNIT } from '../readers/raw-record.ts';
import { lastStamp } from '../readers/time.ts';
import type { RouteTable } from '../templates/route-table.ts';
import { CLASSES, countMalformed, type FileCounts, newFileCounts } from './accounting.ts';
import { type IdLinks, idLinks } from './id-links.ts';
import { kernelLines } from './kernel-lines.ts';
import { AGENT_CLASS, agentClass, kernelNoiseOf, NOISE, noiseOf, PATH_CLASS } from './noise.ts';
import { pathRoutes } from './path-routes.ts';

export interface ParserOptions {
  /** What `--format` says. */
  readonly format: string;
  /** The formats that there are; LOG_FORMATS by default. */
  readonly formats?: readonly LogFormat[] | undefined;
  readonly reader: ReaderOptions;
  readonly routes: RouteTable;
  /** 1 for each noise class that is left out. */
  readonly dropped: Uint8Array;
  /** Names of routes whose last placeholder is an item id. */
  readonly itemRoutes: ReadonlySet<string>;
  /** Called for each record that counts; the kernel is not used then. */
  readonly onRecord?: (raw: RawRecord, method: string) => void;
  /** Called for each record that counts and fits no template; for learning. */
  readonly onUnknown?: (raw: RawRecord, method: string) => void;
  /** Name of the format of the lines before the first, where reading begins in the middle of a file. */
  readonly before?: string | undefined;
  /** Reads everyday lines faster; the results are the same without it. */
  readonly kernel?: Kernel | undefined;
  /** Asked now and then while reading: whether to leave it at what has been read. */
  readonly stopped?: (() => boolean) | undefined;
  /** Parsers with the same object have the same routes and rules: what a kernel has cached for one counts for the next. */
  readonly cacheFor?: object;
}

export interface LineParser {
  readonly counts: FileCounts;
  readonly events: EventWriter;
  /** Session ids met for the first time, with the address and agent that they came from. */
  readonly links: IdLinks;
  /** Reads whole lines in [start, end); the last byte must be a newline. */
  parse(buf: Buffer, start: number, end: number): void;
  /** Counts lines that were longer than the limit and not kept. */
  overlong(lines: number): void;
}

let noiseClasses: Uint8Array | undefined;

/** Noise class by the kernel's kind of path and method, agent class and status, in the order that the kernel uses. */
function noiseTable(): Uint8Array {
  if (noiseClasses !== undefined) return noiseClasses;
  const table = new Uint8Array(24_000);
  let at = 0;
  for (const path of Object.values(PATH_CLASS)) {
    for (const agent of Object.values(AGENT_CLASS)) {
      for (const options of [false, true]) {
        for (let status = 0; status < 1000; status++) table[at++] = kernelNoiseOf(path, options, agent, status);
      }
    }
  }
  noiseClasses = table;
  return table;
}

export function lineParser(options: ParserOptions): LineParser {
  const { routes, dropped } = options;
  const counts = newFileCounts(NOISE.length);
  const { lines } = counts;
  const { kernel } = options;
  const events = eventWriter(kernel?.rows);
  const raw = newRawRecord();
  const dispatch = dispatcher(options.format, options.reader, options.formats ?? LOG_FORMATS, options.before);
  // A query key with these signs is more than a key.
  const usesKernel = options.onRecord === undefined && !routes.queryKeys.some((key) => /[=&]/.test(key));
  kernel?.reset(noiseTable(), dropped, !routes.literalIds, options.cacheFor ?? options);

  const always = wantsForwarded(options.reader);
  // A field of the user's own choice is the client whatever else there is.
  const mayForward = always || (options.reader.clientField ?? options.reader.map?.client) === undefined;

  const paths = pathRoutes(raw, {
    routes,
    itemRoutes: options.itemRoutes,
    onlyKnown: options.onUnknown !== undefined,
  });
  const { kernelFormat } = dispatch;
  const quick =
    usesKernel && kernel !== undefined && kernelFormat !== undefined
      ? kernelLines(kernel, counts, events, paths.lookup, kernelFormat.name)
      : undefined;
  const agents = new Map<number, number>();
  const links = idLinks();
  let address1 = 0;
  let address2 = 0;
  let lastTime = Number.NaN;
  let lastStart = Number.NaN;
  let lastEnd = Number.NaN;

  function accept(): void {
    lines.records++;
    if (mayForward) {
      const passedOn = takeForwarded(raw, always);
      if (passedOn === FORWARDED.taken) counts.forwarded++;
      else if (passedOn === FORWARDED.left) counts.forwardedLeft++;
    }
    ensureHashes(raw);
    const { method, route, pathClass, item } = paths.meaning();
    let agent = agents.get(raw.agentHash);
    if (agent === undefined) {
      agent = agentClass(textOf(raw.buf, raw.agent));
      if (agents.size > 200_000) agents.clear();
      agents.set(raw.agentHash, agent);
    }
    const { status } = raw;
    const noise = noiseOf(pathClass, agent, method, status, raw.cacheHit);
    counts.noise[noise] = (counts.noise[noise] as number) + 1;
    const answer = answerClassOf(status);
    counts.statusClasses[answer] = (counts.statusClasses[answer] as number) + 1;
    if (raw.cacheHit >= 0) {
      counts.cacheKnown++;
      counts.cacheHits += raw.cacheHit;
    }
    const { time, duration } = raw;
    if (!Number.isNaN(time)) clock(time, duration);
    else withoutTime();
    if (raw.joined) counts.joined++;
    if (raw.unit !== UNIT.known) countUnit(raw.unit);
    if (lastStamp.zoneless && dispatch.current?.utc !== true) counts.zoneless++;
    if (dropped[noise] === 1) return;
    const cell = route * CLASSES + answer;
    while (counts.endpoints.length <= cell) counts.endpoints.push(0);
    counts.endpoints[cell] = (counts.endpoints[cell] as number) + 1;
    options.onRecord?.(raw, method);
    if (options.onUnknown !== undefined && routes.findKnown(method, raw.buf, raw.path) === undefined) {
      options.onUnknown(raw, method);
    }
    if (raw.session.end > raw.session.start) {
      counts.identified++;
      if (isAbsent(raw.buf, raw.client)) counts.clientless++;
      const c1 = hash1(raw.buf, raw.session);
      const c2 = hash2(raw.buf, raw.session);
      // One session id after the other: nearly all are known.
      if (links.isNew(c1, c2) && !isAbsent(raw.buf, raw.client)) {
        addressKeys();
        links.add(c1, c2, address1, address2);
      }
      events.push(time, c1, c2, route, status | ID_BIT, duration, item);
      return;
    }
    if (isAbsent(raw.buf, raw.client)) counts.nobody++;
    addressKeys();
    events.push(time, address1, address2, route, status, duration, item);
  }

  /** The keys of address and agent. */
  function addressKeys(): void {
    const address = ipv4(raw.buf, raw.client);
    address1 = address >= 0 ? address | 0 : hash1(raw.buf, raw.client);
    address2 = raw.agentHash ^ (address >= 0 ? 0 : Math.imul(hash2(raw.buf, raw.client), 0x85ebca6b));
  }

  function withoutTime(): void {
    counts.timeless++;
    if (raw.unreadStamp === '') return;
    counts.stampsUnread++;
    counts.unreadStamp ||= raw.unreadStamp;
  }

  function countUnit(unit: number): void {
    if (unit === UNIT.guessed) counts.unitsGuessed++;
    else if (unit === UNIT.guessedMs) counts.unitsGuessedMs++;
    else if (unit === UNIT.leftOut) counts.unitsOpen++;
    else counts.durationsUnread++;
  }

  /** Span of time, resolution and the steps back that tell whether stamps are starts or ends. */
  function clock(time: number, duration: number): void {
    if (!(counts.firstTime <= time)) counts.firstTime = time;
    if (!(counts.lastTime >= time)) counts.lastTime = time;
    // Stamps of whole seconds come in runs: the division is done once for each.
    if (time !== lastTime && counts.finestStep > 1 && time % 1000 !== 0) {
      const step = time % 1 !== 0 ? 0.001 : time % 10 !== 0 ? 1 : time % 100 !== 0 ? 10 : 100;
      if (step < counts.finestStep) counts.finestStep = step;
    }
    if (time < lastTime) counts.inversions[0]++;
    lastTime = time;
    if (!Number.isNaN(duration)) {
      if (time + duration < lastEnd) counts.inversions[1]++;
      if (time - duration < lastStart) counts.inversions[2]++;
      lastEnd = time + duration;
      lastStart = time - duration;
    }
  }

  function slow(buf: Uint8Array, start: number, end: number): void {
    let from = start;
    let to = end;
    if (to > from && buf[to - 1] === 13) to--;
    // A byte-order mark at the start of a file; NULs that a crash left in front of a line.
    if (buf[from] === 0xef && buf[from + 1] === 0xbb && buf[from + 2] === 0xbf) from += 3;
    while (from < to && buf[from] === 0) from++;
    let blank = true;
    for (let i = from; i < to && blank; i++) blank = buf[i] === 32 || buf[i] === 9 || buf[i] === 13;
    if (blank) {
      if (from > start && buf[start] === 0) countMalformed(counts, lines.physical, 'only NUL bytes');
      else lines.blank++;
      return;
    }
    lastStamp.zoneless = false;
    const plain = withoutColours(buf, from, to);
    const kind = plain === undefined ? dispatch.read(buf, from, to, raw) : dispatch.read(plain, 0, plain.length, raw);
    if (kind === LINE.record) {
      noteFormat();
      accept();
    } else if (kind === LINE.withoutRequest) {
      lines.withoutRequest++;
      noteFormat();
      const { status } = raw;
      const answer = answerClassOf(status);
      counts.statusClasses[answer] = (counts.statusClasses[answer] as number) + 1;
    } else if (kind === LINE.directive) lines.directive++;
    else if (kind === LINE.other) {
      lines.other++;
      if (counts.firstOther === 0) counts.firstOther = lines.physical;
    } else countMalformed(counts, lines.physical, raw.reason);
  }

  function noteFormat(): void {
    const format = dispatch.current?.name ?? 'unknown';
    counts.formats[format] = (counts.formats[format] ?? 0) + 1;
  }

  return {
    counts,
    events,
    links,
    parse(buf, start, end) {
      let pos = start;
      quick?.begin();
      while (pos < end) {
        if (quick !== undefined && dispatch.kernelNext) {
          const next = quick.read(buf, pos, end, lastTime);
          if (next > pos) {
            lastTime = quick.lastTime;
            dispatch.sawKernel();
            pos = next;
            if (pos >= end) break;
          }
        }
        lines.physical++;
        let newline = buf.indexOf(10, pos);
        if (newline < 0 || newline >= end) newline = end;
        slow(buf, pos, newline);
        pos = newline + 1;
      }
      quick?.settle(routes.names.length);
    },
    overlong(n) {
      for (let i = 0; i < n; i++) {
        lines.physical++;
        countMalformed(counts, lines.physical, 'the line is longer than 8 MB');
      }
    },
  };
}
