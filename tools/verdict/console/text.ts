/**
 * What k6 prints on standard output: the plan before the run, a line on each scenario during it, thresholds and totals at
 * its end. Wording of k6 0.4x to 2.x, with colours or without, whatever a CI puts before each line.
 */

import { stripVTControlCharacters } from 'node:util';
import { durationSeconds } from '../../../lib/k6/duration.ts';
import { largest } from '../../../lib/model/extremes.ts';
import { optional } from '../../base/optional.ts';
import type { PlannedLoad, ScenarioLoad } from '../planned-load.ts';
import { loadOfDescription } from './executors.ts';

export interface ConsoleThreshold {
  /** Metric with its tags. */
  readonly key: string;
  readonly expression: string;
  readonly crossed: boolean;
}

export interface ConsoleFacts {
  readonly plan?: PlannedLoad;
  /** `csv (samples.csv)`: where the samples went, as said before the run. */
  readonly outputs: readonly string[];
  /** The text says that the run wrote its samples nowhere. */
  readonly noOutput?: boolean;
  /** Iterations that came to their end, as k6 counted them when it printed its last line. */
  readonly finished?: number;
  /** Those that the end of the run cut off. */
  readonly interrupted?: number;
  /** Whether the text goes on to the end of the run: totals are printed, or every scenario has its mark. */
  readonly ended: boolean;
  /** Scenarios that were stopped before their time, with how far they came, percent. */
  readonly stopped: readonly { readonly scenario: string; readonly percent: number }[];
  readonly thresholds: readonly ConsoleThreshold[];
  /** Lines of k6's own logger stand in it, so that standard error is there too. */
  readonly logged: boolean;
  /** A metric was marked as crossed, but the error that k6 then writes to standard error is not there. */
  readonly withoutErrors: boolean;
}

const HEADER = /\bscenarios: \(([\d.]+)%\) \d+ (?:scenarios?|executors?), (\d+) max VUs\b/;
const SCENARIO = /(?:^|\s)\* ([\w-]+): (.+)$/;
const OUTPUT = /(?:^|\s)output: (.+)$/;
const COUNTS = /\b(\d+) complete and (\d+) interrupted iterations\b/;
/** `browse ✓ [ 100% ] 3 VUs  4s`, on a terminal with a bar in place of the share. */
const PROGRESS = /(?:^|\s)([\w-]+)\s+([✓✗•↓]?)\s*\[\s*(?:(\d+)%\s*|[=>-]+)\]/;
/** The same number among the totals, where the lines on the scenarios are left out (`--quiet`). */
const ITERATIONS = /(?:^|\s)iterations\.{2,}: (\d+)\b/;
const TOTALS = /(?:^|\s)(?:█ TOTAL RESULTS|(?:iterations|data_received)\.{2,}:)/;

/** Whether a text holds what k6 prints on standard output. */
export function isConsoleText(text: string): boolean {
  return HEADER.test(text) || COUNTS.test(text) || /█ (?:TOTAL RESULTS|THRESHOLDS)|\bdata_received\.{2,}:/.test(text);
}

/** Reads k6's own text; undefined where there is none in it, as in a log of standard error alone. */
export function readConsole(path: string, content: string): ConsoleFacts | undefined {
  const lines = stripVTControlCharacters(content).split(/\r?\n|\r/);
  const scenarios: ScenarioLoad[] = [];
  const outputs: string[] = [];
  const marks = new Map<string, { mark: string; percent: number; over: boolean }>();
  let header: RegExpExecArray | null = null;
  let counts: RegExpExecArray | null = null;
  let totals = false;
  let noOutput = false;
  let begun = false;
  for (const line of lines) {
    const found = HEADER.exec(line);
    if (found !== null) header = found;
    counts = COUNTS.exec(line) ?? counts;
    begun ||= counts !== null;
    totals ||= TOTALS.test(line);
    const [, name, description] = (header !== null && !begun && SCENARIO.exec(line)) || [];
    const load = name === undefined ? undefined : loadOfDescription(name, description ?? '');
    if (load !== undefined) scenarios.push(load);
    const output = header === null ? OUTPUT.exec(line)?.[1]?.trim() : undefined;
    if (output === '-') noOutput = true;
    else if (output !== undefined) outputs.push(output);
    const progress = PROGRESS.exec(line);
    if (progress !== null) marks.set(progress[1] ?? '', { ...markOf(progress), over: allStarted(line) });
  }
  if (header === null && counts === null && !totals) return undefined;
  const names = scenarios.map((one) => one.name);
  const settled = ({ mark }: { mark: string }) => mark === '✓' || mark === '✗';
  const ended = totals || (names.length > 0 && names.every((name) => settled(marks.get(name) ?? { mark: '' })));
  const total = lines.map((line) => ITERATIONS.exec(line)?.[1]).find((n) => n !== undefined);
  const thresholds = thresholdsOf(lines);
  const crossed = thresholds.some((one) => one.crossed) || lines.some((line) => OLD_CROSSED.test(line));
  return {
    ...optional('plan', planOf(path, header, scenarios)),
    outputs,
    noOutput: noOutput && outputs.length === 0,
    // Before the end they are what k6 had counted so far.
    ...(ended ? countsOf(counts, total) : {}),
    ended,
    stopped: [...marks]
      .filter(([, { mark, over }]) => mark === '✗' && !over)
      .map(([scenario, { percent }]) => ({ scenario, percent })),
    thresholds,
    logged: LOGGED.test(content),
    withoutErrors: crossed && !CROSSED_ERROR.test(content),
  };
}

function countsOf(
  counts: RegExpExecArray | null,
  total: string | undefined,
): Pick<ConsoleFacts, 'finished' | 'interrupted'> {
  if (counts !== null) return { finished: Number(counts[1]), interrupted: Number(counts[2]) };
  return total === undefined ? {} : { finished: Number(total) };
}

/** `12.6s/13s  05.40 iters/s`: how far a scenario with an arrival rate came, of how long, at which rate. */
const AT_RATE = /\b([\d.hmsµ]+)\/([\d.hms]+)\s+([\d.]+) iters\/s/;
/** k6 rounds times to tenths of a second. */
const ROUNDING = 0.1;

/**
 * Whether a rate that falls to nothing had no iteration left: k6 then ends the scenario before its time. When less than one is left
 * under a ramp of slope a, the time left is at most sqrt(2 / a) and the rate sqrt(2 a), so that their product is at most 2.
 */
function allStarted(line: string): boolean {
  const [, at, of, perSecond] = AT_RATE.exec(line) ?? [];
  if (at === undefined || of === undefined) return false;
  const left = (durationSeconds(of) ?? 0) - (durationSeconds(at) ?? 0);
  return left * Number(perSecond) <= 2 + ROUNDING * Number(perSecond);
}

/** The mark of an executor; a bar of a terminal tells how far it came by its length. */
function markOf(progress: RegExpExecArray): { mark: string; percent: number } {
  const bar = /\[([=>-]+)\]/.exec(progress[0])?.[1];
  const percent =
    bar === undefined ? Number(progress[3] ?? 0) : Math.round((100 * (bar.match(/=/g)?.length ?? 0)) / bar.length);
  return { mark: progress[2] ?? '', percent };
}

function planOf(
  source: string,
  header: RegExpExecArray | null,
  scenarios: readonly ScenarioLoad[],
): PlannedLoad | undefined {
  if (header === null || scenarios.length === 0) return undefined;
  const ends = scenarios.map(({ startSeconds, seconds }) =>
    seconds === undefined ? undefined : startSeconds + seconds,
  );
  return {
    source,
    scenarios,
    segment: Number(header[1]) / 100,
    maxVUs: Number(header[2]),
    ...optional(
      'seconds',
      ends.includes(undefined)
        ? undefined
        : largest(
            ends.map((end) => end ?? 0),
            0,
          ),
    ),
  };
}

const LOGGED = /\blevel=(?:error|warning|info)\b|"level":"|\b(?:ERRO|WARN|INFO)\[/;
/** k6 0.4x and 0.5x mark the metric's line and do not say the expression. */
const OLD_CROSSED = /(?:^|\s)✗ [\w]+(?:\{.*\})?\.+: /;
/** What k6 says on standard error when a threshold is crossed. */
const CROSSED_ERROR = /(?:have|has|were|was) (?:been )?crossed|thresholds have failed/;

/** The block `█ THRESHOLDS` of k6 1.0 and later: metric, tags below it, then each expression with its mark. */
function thresholdsOf(lines: readonly string[]): ConsoleThreshold[] {
  const start = lines.findIndex((line) => line.includes('█ THRESHOLDS'));
  if (start === -1) return [];
  const found: ConsoleThreshold[] = [];
  let metric = '';
  let tags = '';
  for (const line of lines.slice(start + 1)) {
    if (line.includes('█')) break;
    const [, mark, expression] = /([✓✗]) '(.+?)' \S/.exec(line) ?? [];
    if (mark !== undefined && expression !== undefined) {
      found.push({ key: metric + tags, expression, crossed: mark === '✗' });
      continue;
    }
    const [, name, own] = /(?:^|\s)([A-Za-z_]\w*)?(\{.*\})?\s*$/.exec(line) ?? [];
    if (name !== undefined) metric = name;
    if (name !== undefined || own !== undefined) tags = own ?? '';
  }
  return found;
}
