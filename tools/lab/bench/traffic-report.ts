/** The table of `bench traffic`. */
import { numberTable } from '../../base/terminal-table.ts';
import { spreadText } from './spread.ts';
import type { TrafficBenchRow } from './traffic.ts';

export function trafficBenchText(rows: readonly TrafficBenchRow[]): string {
  const one = rows.find((row) => row.what.startsWith('traffic, 1'));
  const ratio = (row: TrafficBenchRow): string =>
    one === undefined
      ? '-'
      : `${(row.rate.median / one.rate.median).toFixed(2)} / ${(row.cpuRate.median / one.cpuRate.median).toFixed(2)}`;
  const body = rows.map((row) => [
    row.what,
    spreadText(row.rate, 0),
    row.cpuRate.median.toFixed(0),
    ratio(row),
    row.peakMegabytes.toFixed(0),
  ]);
  return `${numberTable([['program', 'MB/s', 'MB per CPU s', 'of one thread (wall / CPU)', 'peak MB'], ...body], '')}
Start-up and learning included. GoAccess computes other reports too, mawk only counts one field.
`;
}
