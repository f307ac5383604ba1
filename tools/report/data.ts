/** What the report's charts need beyond the analysis: a few hundred points each, whatever the length of the run. */
import { largest, smallest } from '../../lib/model/extremes.ts';
import type { Analysis } from '../verdict/analyse.ts';
import type { Database } from '../verdict/database.ts';
import { isMeasured, PHASE_SQL, type Population } from '../verdict/populations.ts';

/** Bins over time; a point per pixel is enough. */
const TIME_BINS = 400;
const HEAT_COLUMNS = 160;
/** Latency rows of the heat map per factor of ten. */
const HEAT_PER_DECADE = 8;

export interface ClassSeries {
  readonly statusClass: string;
  readonly p50: (number | null)[];
  readonly p95: (number | null)[];
  readonly max: (number | null)[];
}

export interface ChartData {
  /** Seconds after the start, the left edge of each bin. */
  readonly seconds: number[];
  readonly binSeconds: number;
  readonly latency: readonly ClassSeries[];
  /** Requests and failures per second in each bin. */
  readonly requests: number[];
  readonly failures: number[];
  readonly dropped: number[];
  readonly spectrum: readonly { readonly name: string; readonly n: number; readonly values: (number | null)[] }[];
  readonly heat: {
    readonly columns: number;
    readonly columnSeconds: number;
    /** Lowest and highest row: row r holds latencies from 10^(r/perDecade) ms. */
    readonly low: number;
    readonly high: number;
    readonly perDecade: number;
    /** [column, row, count] of the cells that are not empty. */
    readonly cells: readonly (readonly [number, number, number])[];
  };
  readonly phases: readonly { readonly phase: string; readonly from: number; readonly to: number }[];
}

/** Reads the charts' data. */
export async function chartData(database: Database, analysis: Analysis): Promise<ChartData> {
  const from = analysis.facts.window.startMs * 1000;
  const span = Math.max(1, analysis.facts.window.seconds);
  const bins = Math.max(1, Math.min(TIME_BINS, Math.ceil(span)));
  const binSeconds = span / bins;
  const bin = `CAST(least(${bins - 1}, floor((t - ${from}) / 1e6 / ${binSeconds})) AS INTEGER)`;
  const rows = await database.query<{ class: string; bin: number; q: number[]; high: number }>(
    `SELECT class, ${bin} AS bin, quantile_cont(v, [0.5, 0.95]) AS q, max(v) AS high
     FROM samples JOIN series USING (h) WHERE metric = 'http_req_duration' AND class NOT IN ('none') GROUP BY ALL`,
  );
  const classes = [...new Set(rows.map((row) => row.class))].sort();
  const latency = classes.map((statusClass) => {
    const own = new Map(rows.filter((row) => row.class === statusClass).map((row) => [row.bin, row]));
    const series = (value: (row: { q: number[]; high: number }) => number | undefined) =>
      Array.from({ length: bins }, (_, index) => {
        const row = own.get(index);
        return row === undefined ? null : short(value(row) ?? 0);
      });
    return {
      statusClass,
      p50: series((row) => row.q[0]),
      p95: series((row) => row.q[1]),
      max: series((row) => row.high),
    };
  });
  const perBin = (value: (second: (typeof analysis.facts.seconds)[number]) => number) => {
    const sums = new Array<number>(bins).fill(0);
    for (const second of analysis.facts.seconds) {
      const index = Math.min(bins - 1, Math.max(0, Math.floor(second.second / binSeconds)));
      sums[index] = (sums[index] ?? 0) + value(second);
    }
    return sums.map((sum) => short(sum / binSeconds));
  };
  return {
    seconds: Array.from({ length: bins }, (_, index) => short(index * binSeconds)),
    binSeconds,
    latency,
    requests: perBin((second) => second.requests),
    failures: perBin((second) => second.failed),
    dropped: perBin((second) => second.dropped),
    spectrum: spectrum(analysis.facts.populations),
    heat: await heat(database, from, span),
    phases: await database.query(
      `SELECT phase, (min(first) - ${from}) / 1e6 AS "from", (max(last) - ${from}) / 1e6 AS "to" FROM (
         SELECT ${PHASE_SQL} AS phase, first, last FROM totals JOIN series USING (h) WHERE metric = 'http_req_duration'
       ) WHERE phase <> '' GROUP BY phase ORDER BY 2`,
    ),
  };
}

/** The 2xx answers of the measured phase, most requested endpoints first. */
export function spectrum(populations: readonly Population[]): ChartData['spectrum'] {
  return populations
    .filter((one) => one.statusClass === '2xx' && isMeasured(one))
    .sort((a, b) => b.n - a.n)
    .slice(0, 12)
    .map((one) => ({
      name: [one.endpoint, ...one.by].join(' '),
      n: one.n,
      // What the sample does not carry is not drawn.
      values: (one.latency?.quantiles ?? []).map((quantile) => (quantile.carried ? short(quantile.value) : null)),
    }));
}

async function heat(database: Database, from: number, span: number): Promise<ChartData['heat']> {
  const columns = Math.max(1, Math.min(HEAT_COLUMNS, Math.ceil(span * 2)));
  const columnSeconds = span / columns;
  const cells = await database.query<{ x: number; y: number; n: number }>(
    `SELECT CAST(least(${columns - 1}, floor((t - ${from}) / 1e6 / ${columnSeconds})) AS INTEGER) AS x,
       CAST(floor(log10(greatest(v, 0.01)) * ${HEAT_PER_DECADE}) AS INTEGER) AS y, count(*) AS n
     FROM samples JOIN series USING (h) WHERE metric = 'http_req_duration' AND class <> 'none' GROUP BY x, y`,
  );
  const ys = cells.map((cell) => cell.y);
  return {
    columns,
    columnSeconds,
    low: ys.length === 0 ? 0 : smallest(ys),
    high: ys.length === 0 ? 0 : largest(ys),
    perDecade: HEAT_PER_DECADE,
    cells: cells.map((cell) => [cell.x, cell.y, cell.n] as const),
  };
}

/** Four significant digits: more than a pixel shows, less than half the bytes. */
function short(value: number): number {
  return Number(value.toPrecision(4));
}
