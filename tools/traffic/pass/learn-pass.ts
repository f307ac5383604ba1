/**
 * The look at the beginning: reads the first part of each file to learn templates, the meaning and step of the time stamps,
 * the inactivity gap and which endpoint carries the items. What is learned is fixed for the pass over everything.
 */

import type { LineChunk } from '../input/chunks.ts';
import type { Source } from '../input/sources.ts';
import { giveBack, takeKernel } from '../kernel/kernel.ts';
import { NO_EVENTS, SILENCE_BINS, sessionsKernel } from '../kernel/sessions-kernel.ts';
import { LOG_FORMATS } from '../readers/formats/registry.ts';
import { formatNamed } from '../readers/log-format.ts';
import { textOf } from '../readers/raw-record.ts';
import { templateLearner } from '../templates/learn.ts';
import { hasQueryKey, routeTable, type Template } from '../templates/route-table.ts';
import { isPlaceholder } from '../templates/segments.ts';
import { perRoute } from './accounting.ts';
import { type InactivityGap, inactivityGap } from './inactivity-gap.ts';
import { lineParser, type ParserOptions } from './line-parser.ts';
import { timeWindow } from './time-window.ts';

export interface Learned {
  readonly templates: readonly Template[];
  readonly stampIs: 'start' | 'end';
  /** Why the stamps are taken so, in words. */
  readonly stampReason: string;
  /** Step of the time stamps, ms. */
  readonly resolution: number;
  readonly gap: InactivityGap;
  /** Endpoint whose placeholder is the item, when there is one. */
  readonly itemRoute: string | undefined;
  /** First time stamp per source, in the order of `sources`; NaN when none was found. */
  readonly firstTimes: readonly number[];
  /** Whether the lines of each source can be read without the lines before (no header lines seen). */
  readonly stateless: readonly boolean[];
  /** Most common format of each source. */
  readonly formats: readonly (string | undefined)[];
  readonly records: number;
  /** What is to be known of the templates learned. */
  readonly remarks: readonly string[];
  /** Share of the records that fit a given template. */
  readonly knownShare: number;
}

export interface LearnOptions {
  readonly parser: Omit<ParserOptions, 'routes' | 'itemRoutes'>;
  readonly given: readonly Template[];
  readonly queryKeys: readonly string[];
  readonly stampIs?: 'start' | 'end';
  readonly itemRoute?: string;
}

/** Bytes that learning reads, all sources together. */
const LEARN_BUDGET = 16 << 20;

export async function learnPass(sources: readonly Source[], options: LearnOptions): Promise<Learned> {
  const routes = routeTable(options.given, options.queryKeys);
  const known = options.parser.formats ?? LOG_FORMATS;
  const learner = templateLearner();
  const requests = new Map<number, number>();
  const silences = new Float64Array(SILENCE_BINS);
  const inversions = [0, 0, 0];
  const firstTimes: number[] = [];
  const stateless: boolean[] = [];
  const formatOf: (string | undefined)[] = [];
  let resolution = 1000;
  let records = 0;
  let span = 0;
  const share = Math.max(1 << 20, LEARN_BUDGET / Math.max(1, sources.length));
  for (const source of sources) {
    const kernel = takeKernel();
    const parser = lineParser({
      ...options.parser,
      routes,
      itemRoutes: new Set(),
      kernel,
      onUnknown: (raw, method) =>
        learner.add(
          method,
          textOf(raw.buf, raw.path),
          options.queryKeys.find((key) => hasQueryKey(raw, key)),
        ),
    });
    const sessions = sessionsKernel({ gap: Number.POSITIVE_INFINITY, slack: 1000, samples: 0 }, NO_EVENTS);
    const window = timeWindow('start', sessions.add, 1 << 15);
    try {
      await readHead(source, share, kernel?.inputBuffer, (chunk) => {
        parser.parse(chunk.buf, chunk.start, chunk.end);
        window.add(parser.events.lend());
      });
    } finally {
      if (kernel !== undefined) giveBack(kernel);
    }
    window.flush();
    const { counts } = parser;
    for (const [route, n] of perRoute(counts)) {
      if (routes.known[route] === true) requests.set(route, (requests.get(route) ?? 0) + n);
    }
    sessions.finish().silences.forEach((n, i) => {
      silences[i] = (silences[i] as number) + n;
    });
    for (let i = 0; i < 3; i++) inversions[i] = (inversions[i] as number) + (counts.inversions[i] as number);
    firstTimes.push(counts.firstTime);
    const formats = Object.keys(counts.formats);
    formatOf.push(Object.entries(counts.formats).sort((a, b) => b[1] - a[1])[0]?.[0]);
    const alone = counts.lines.directive === 0 && counts.joined === 0;
    stateless.push(alone && formats.every((name) => formatNamed(known, name)?.header === undefined));
    if (counts.lastTime > counts.firstTime) span = Math.max(span, counts.lastTime - counts.firstTime);
    resolution = Math.min(resolution, counts.finestStep);
    records += counts.lines.records;
  }
  const { templates: learned, remarks } = learner.learn();
  const templates = [...options.given, ...learned];
  const stamp = stampMeaning(inversions, options.stampIs);
  return {
    templates,
    ...stamp,
    resolution,
    gap: inactivityGap(silences, span),
    itemRoute: options.itemRoute ?? itemRouteOf(templates, routes.names, requests, learned),
    firstTimes,
    stateless,
    formats: formatOf,
    records,
    remarks,
    knownShare: [...requests.values()].reduce((sum, n) => sum + n, 0) / Math.max(1, records),
  };
}

async function readHead(
  source: Source,
  budget: number,
  own: Buffer | undefined,
  onChunk: (chunk: LineChunk) => void,
): Promise<void> {
  let read = 0;
  for await (const chunk of source.chunks(() => {}, 0, source.plain ? budget : undefined, own)) {
    onChunk(chunk);
    read += chunk.end - chunk.start;
    if (read >= budget) break;
  }
}

/**
 * Servers write a line when the request ends. When the stamps are ends they rise from line to line; when they are starts,
 * stamp + duration rises. Whichever steps back less often is taken.
 */
function stampMeaning(
  inversions: readonly number[],
  given: 'start' | 'end' | undefined,
): { stampIs: 'start' | 'end'; stampReason: string } {
  if (given !== undefined) return { stampIs: given, stampReason: 'as told by --stamp' };
  const [byStamp = 0, byEnd = 0, byStart = 0] = inversions;
  if (byStamp === 0 && byEnd === 0 && byStart === 0) {
    return { stampIs: 'end', stampReason: 'taken as the end of the request: nothing in the log says otherwise' };
  }
  if (byStamp <= byEnd) {
    return {
      stampIs: 'end',
      stampReason: `the end of the request: the stamps step back ${byStamp} times, stamp + duration ${byEnd} times`,
    };
  }
  return {
    stampIs: 'start',
    stampReason: `the start of the request: stamp + duration steps back ${byEnd} times, the stamps ${byStamp} times`,
  };
}

/** The GET endpoint with a placeholder last in its path that is asked for most. */
function itemRouteOf(
  templates: readonly Template[],
  names: readonly string[],
  perRoute: ReadonlyMap<number, number>,
  learned: readonly Template[],
): string | undefined {
  const usable = (template: Template): boolean =>
    template.method === 'GET' && template.query === undefined && isPlaceholder(template.segments.at(-1) ?? '');
  let best: { name: string; n: number } | undefined;
  for (const [route, n] of perRoute) {
    const template = templates.find((candidate) => candidate.name === names[route]);
    if (template !== undefined && usable(template) && n > (best?.n ?? 0)) best = { name: template.name, n };
  }
  return best?.name ?? learned.find(usable)?.name;
}
