/** A comparison as text. */
import pc from 'picocolors';
import { needed, percent, quantity, shortPercent } from '../../../lib/model/figures.ts';
import { terminalTable } from '../../base/terminal-table.ts';
import { visibleAll } from '../../base/terminal-text.ts';
import type { Comparison, Mark } from './compare.ts';

export function printComparison(found: Comparison, noise: boolean): string {
  const comparison = visibleAll(found);
  const { rows, failures, minimum } = comparison;
  const lines = [
    pc.dim(
      `B against A: difference with its 95 % interval (block bootstrap); shown from ${minimum.ms} ms and ${shortPercent(minimum.share)}, else ~`,
    ),
    ...terminalTable([
      ['endpoint', '', 'n A', 'n B', 'A ms', 'B ms', 'difference ms', '95 % interval', '%', ''],
      ...rows.map((row) => [
        row.endpoint,
        `p${Math.round(row.p * 1000) / 10}`,
        String(row.nA),
        String(row.nB),
        quantity(row.a),
        quantity(row.b),
        signed(row.difference),
        `${signed(row.low)} to ${signed(row.high)}`,
        `${signed(row.relative * 100, 1)} %`,
        mark(row.mark),
      ]),
      ...comparison.means.map((row) => [
        row.endpoint,
        'mean',
        String(row.nA),
        String(row.nB),
        quantity(row.a),
        quantity(row.b),
        signed(row.difference),
        `${signed(row.low)} to ${signed(row.high)}`,
        `${signed(row.relative * 100, 1)} %`,
        mark(row.mark),
      ]),
    ]),
    `  failures  ${percent(failures.a, 2)} to ${percent(failures.b, 2)}, difference ${signed(failures.difference * 100, 2)} points (${signed(failures.low * 100, 2)} to ${signed(failures.high * 100, 2)})  ${mark(failures.mark)}`,
  ];
  for (const one of comparison.hits) {
    const side = (value: number, [low, high]: readonly [number, number], n: number) =>
      `${percent(value)} (${percent(low)} to ${percent(high)}, n ${n})`;
    lines.push(
      `  cache hits, ${one.touch === 'all' ? 'all' : `${one.touch} of an item`}: ${side(one.a, one.intervalA, one.nA)} to ${side(one.b, one.intervalB, one.nB)}`,
    );
  }
  if (comparison.cacheUnknown !== undefined) lines.push(pc.yellow(`  ${comparison.cacheUnknown}`));
  for (const left of comparison.leftOut) lines.push(pc.dim(`  left out: ${left}`));
  for (const one of comparison.tooShort) lines.push(pc.yellow(`  not decided: ${one}`));
  const open = rows.filter((row) => row.mark === '~');
  const weakest = open
    .filter((row) => row.detectableMs > 0.1 * row.a)
    .sort((x, y) => y.secondsFor10Percent - x.secondsFor10Percent)[0];
  if (noise) {
    lines.push('', pc.bold('Noise floor (two runs of the same):'));
    for (const row of rows)
      lines.push(
        `  ${row.endpoint} p${row.p * 100}: differences up to ${quantity(row.detectableMs)} ms (${percent(row.detectableMs / Math.max(row.a, 1e-9))}) would not be found in four of five comparisons`,
      );
    const moved = rows.filter((row) => row.mark !== '~');
    if (moved.length > 0)
      lines.push(
        pc.yellow(
          `  ${moved.length} rows differ although nothing changed: the set-up drifts, so interleave repetitions`,
        ),
      );
  } else if (weakest !== undefined) {
    lines.push(
      pc.dim(
        `  ~ is no proof of sameness: for ${weakest.endpoint} p${weakest.p * 100} a change of 10 % would need tests of about ${duration(weakest.secondsFor10Percent)} a side`,
      ),
    );
  }
  return `${lines.join('\n')}\n`;
}

/** A year: whoever would need more needs another test. */
const MOST_SECONDS = 365 * 86_400;

function mark(value: Mark): string {
  if (value === '~') return '~';
  return value === 'slower' || value === 'more failures' ? pc.red(value) : pc.green(value);
}

function signed(value: number, digits = 3): string {
  return `${value > 0 ? '+' : ''}${Number(value.toFixed(digits))}`;
}

/** A length that a test needs, in words; nothing says how long where the samples do not vary, or nothing is there to vary. */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds > MOST_SECONDS) return 'no length that can be had';
  if (seconds < 1) return 'any length';
  return needed(seconds);
}
