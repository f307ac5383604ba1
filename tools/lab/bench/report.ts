/** The bench's result as text. */
import { numberTable } from '../../base/terminal-table.ts';
import { type BenchResult, FEW_VUS, MANY_VUS, TEN_LINES_NAME } from './bench.ts';
import { type Spread, spreadText } from './spread.ts';

/** What the suite promises; a median above it is marked. */
export const GOALS = {
  /** Processor time per request against ten lines without output. */
  cpuRatio: 1.4,
  cpuRatioWithSamples: 1.6,
  /** Memory per VU against ten lines. */
  vuRatio: 1.5,
  /** Seconds until the first request at 1,000 VUs, more than ten lines. */
  initExcess: 0.6,
} as const;

/** Goals that the medians miss, one sentence each. */
export function missedGoals({ cpu, vus }: BenchResult): string[] {
  const missed: string[] = [];
  const check = (what: string, value: number, goal: number, unit = 'times'): void => {
    if (value > goal) missed.push(`${what}: ${value.toFixed(2)} ${unit}, the goal is ${goal}`);
  };
  for (const { script, samples, ratio } of cpu) {
    if (script === TEN_LINES_NAME) continue;
    const goal = samples ? GOALS.cpuRatioWithSamples : GOALS.cpuRatio;
    check(`processor time per request of ${script}${samples ? ' with samples.csv' : ''}`, ratio.median, goal);
  }
  for (const { script, ratio, initExcess } of vus) {
    check(`memory per VU of ${script}`, ratio.median, GOALS.vuRatio);
    check(`start of ${script}`, initExcess.median, GOALS.initExcess, 's more than ten lines');
  }
  return missed;
}

/** Tables for a terminal. */
export function reportText(result: BenchResult): string {
  const parts: string[] = [];
  if (result.cpu.length > 0) {
    parts.push(
      'Processor time of k6 per request, and its ratio to ten lines without output (median, min-max)',
      numberTable(
        [
          ['script', 'samples.csv', 'us/request', 'ratio', 'without start-up', 'ratio', 'start-up, s', 'requests/s'],
          ...result.cpu.map((row) => [
            row.script,
            row.samples ? 'yes' : 'no',
            spreadText(row.microseconds, 0),
            spreadText(row.ratio, 2),
            spreadText(row.steadyMicroseconds, 0),
            spreadText(row.steadyRatio, 2),
            spreadText(row.startSeconds, 2),
            spreadText(row.rate, 0),
          ]),
        ],
        '',
      ),
    );
  }
  if (result.vus.length > 0) {
    parts.push(
      `Memory of one more VU (peak with ${MANY_VUS} less peak with ${FEW_VUS}), and start of k6 with ${MANY_VUS} VUs`,
      numberTable(
        [
          ['script', 'kB/VU', 'ratio', 'first request after, s', 'more than ten lines, s'],
          ...result.vus.map((row) => [
            row.script,
            spreadText(scaled(row.bytesPerVu, 1 / 1000), 0),
            spreadText(row.ratio, 2),
            spreadText(row.initSeconds, 2),
            spreadText(row.initExcess, 2),
          ]),
        ],
        '',
      ),
    );
  }
  if (result.features.length > 0) {
    parts.push(
      'Processor time of k6 for one of each, in one VU',
      numberTable(
        [['feature', 'us'], ...result.features.map((row) => [row.feature, spreadText(row.microseconds, 1)])],
        '',
      ),
    );
  }
  return `${parts.join('\n\n')}\n`;
}

function scaled({ min, median, max }: Spread, factor: number): Spread {
  return { min: min * factor, median: median * factor, max: max * factor };
}
