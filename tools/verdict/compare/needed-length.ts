/** From one run, before any second one: how long two such tests must be so that a change of latency is found. */
import { largest } from '../../../lib/model/extremes.ts';
import { percent, quantity, shortPercent } from '../../../lib/model/figures.ts';
import { terminalTable } from '../../base/terminal-table.ts';
import { visibleAll } from '../../base/terminal-text.ts';
import { COMPARISON_SCHEMA_VERSION, type CompareOptions, compareSides, DEFAULT_COMPARE } from './compare.ts';
import { duration } from './print.ts';
import type { Side } from './side.ts';

export interface NeededLength {
  readonly endpoint: string;
  readonly p: number;
  readonly n: number;
  /** The quantile in this run, ms. */
  readonly valueMs: number;
  /** Change that two tests of this run's length would show in four of five comparisons, ms. */
  readonly detectableMs: number;
  /** Seconds of load that each of the two tests needs for a change by `change` of the value. */
  readonly secondsNeeded: number;
}

export interface LengthPlan {
  readonly schemaVersion: typeof COMPARISON_SCHEMA_VERSION;
  /** Change that is to be found, a share of the quantile. */
  readonly change: number;
  /** Seconds of load of this run. */
  readonly seconds: number;
  readonly rows: readonly NeededLength[];
  readonly leftOut: readonly string[];
}

/** The run stands for both sides, so that what is said here is what `compare` will ask for then. */
export function neededLengths(
  side: Side,
  change: number,
  options: Partial<Pick<CompareOptions, 'repetitions'>> = {},
): LengthPlan {
  const { rows, leftOut } = compareSides(side, side, { ...DEFAULT_COMPARE, ...options });
  return {
    schemaVersion: COMPARISON_SCHEMA_VERSION,
    change,
    seconds: side.seconds,
    rows: rows.map(({ endpoint, p, nA, a, detectableMs, secondsFor10Percent }) => ({
      endpoint,
      p,
      n: nA,
      valueMs: a,
      detectableMs,
      secondsNeeded: Math.ceil(secondsFor10Percent * (0.1 / change) ** 2),
    })),
    leftOut: leftOut.map((left) => left.replace(/: (\d+) and \1 samples/, ': $1 samples')),
  };
}

export function printLengths(plan: LengthPlan): string {
  const { change, seconds, rows, leftOut } = visibleAll(plan);
  const asked = shortPercent(change, 3);
  const longest = largest(
    rows.map((row) => row.secondsNeeded),
    0,
  );
  return `${[
    `How long each of two tests like this one (${duration(Math.round(seconds))} of load) must be, so that four of five comparisons show a change of ${asked}:`,
    ...terminalTable([
      ['endpoint', '', 'n', 'ms', 'shown at this length from', `length for ${asked}`],
      ...rows.map((row) => [
        row.endpoint,
        `p${Number((row.p * 100).toFixed(3))}`,
        String(row.n),
        quantity(row.valueMs),
        `${quantity(row.detectableMs)} ms (${percent(row.detectableMs / Math.max(row.valueMs, 1e-9))})`,
        duration(row.secondsNeeded),
      ]),
    ]),
    ...leftOut.map((left) => `  left out: ${left}`),
    ...(rows.length > 0 ? [`All of them together: ${duration(longest)} a side.`] : []),
  ].join('\n')}\n`;
}
