/** Small plots as inline SVG: no script, nothing loaded, readable in any browser and on paper. */
import { largest, smallest } from '../../../lib/model/extremes.ts';
import { escapeMarkup } from '../../../lib/model/markup.ts';

export interface Line {
  readonly label: string;
  readonly colour: string;
  readonly points: readonly (readonly [number, number])[];
  /** Draw marks rather than a line. */
  readonly marks?: boolean;
}

export interface PlotOptions {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly logX?: boolean;
  readonly logY?: boolean;
  /** x values are ms since 1970, shown in UTC. */
  readonly timeX?: boolean;
  readonly lines: readonly Line[];
  /** Bars [from, to, height] behind the lines. */
  readonly bars?: readonly (readonly [number, number, number])[];
}

const WIDTH = 560;
const LEFT = 58;
const RIGHT = 12;
const TITLE = 28;
/** Space of a line of the legend, which stands above the data and never on them. */
const LEGEND = 15;
const DRAWN = 232;
const BOTTOM = 40;

export function plot(options: PlotOptions): string {
  const xs = [...options.lines.flatMap((line) => line.points.map(([x]) => x)), ...(options.bars ?? []).flat()];
  const ys = [
    ...options.lines.flatMap((line) => line.points.map(([, y]) => y)),
    ...(options.bars ?? []).map(([, , h]) => h),
  ];
  const named = options.lines.filter((line) => line.label !== '');
  const top = TITLE + LEGEND * named.length;
  const height = top + DRAWN + BOTTOM;
  const x = axis(xs, options.logX === true, LEFT, WIDTH - RIGHT, false);
  const y = axis(ys, options.logY === true, height - BOTTOM, top, options.logY !== true);
  const times = options.timeX === true ? timeTicks(smallest(xs), largest(xs)) : undefined;
  const parts: string[] = [];
  for (const tick of y.ticks) {
    const at = y.place(tick);
    parts.push(`<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${at}" y2="${at}" class="grid"/>`);
    parts.push(`<text x="${LEFT - 6}" y="${at + 4}" text-anchor="end">${label(tick)}</text>`);
  }
  for (const tick of times?.ticks ?? x.ticks) {
    const at = x.place(tick);
    const text = times?.label(tick) ?? label(tick);
    parts.push(`<text x="${at}" y="${height - BOTTOM + 16}" text-anchor="middle">${text}</text>`);
  }
  for (const [from, to, density] of options.bars ?? []) {
    const left = x.place(from);
    const upper = y.place(density);
    parts.push(
      `<rect x="${left}" y="${upper}" width="${Math.max(0.5, x.place(to) - left - 0.5)}" height="${Math.max(0, height - BOTTOM - upper)}" class="bar"/>`,
    );
  }
  for (const line of options.lines) {
    const points = line.points.filter(([px, py]) => (!options.logX || px > 0) && (!options.logY || py > 0));
    if (line.marks === true) {
      for (const [px, py] of points)
        parts.push(`<circle cx="${x.place(px)}" cy="${y.place(py)}" r="2.2" fill="${line.colour}"/>`);
    } else {
      parts.push(
        `<polyline points="${points.map(([px, py]) => `${x.place(px)},${y.place(py)}`).join(' ')}" fill="none" stroke="${line.colour}" stroke-width="1.6"/>`,
      );
    }
  }
  named.forEach((line, i) => {
    const at = TITLE + LEGEND * i;
    parts.push(`<rect x="${LEFT}" y="${at - 1}" width="14" height="3" fill="${line.colour}"/>`);
    parts.push(`<text x="${LEFT + 20}" y="${at + 4}" fill="${line.colour}">${escapeMarkup(line.label)}</text>`);
  });
  return `<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeMarkup(options.title)}"><text x="${LEFT}" y="16" class="title">${escapeMarkup(options.title)}</text>${parts.join('')}<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${height - BOTTOM}" y2="${height - BOTTOM}" class="axis"/><text x="${(LEFT + WIDTH) / 2}" y="${height - 6}" text-anchor="middle">${escapeMarkup(options.x)}</text><text transform="translate(12 ${height / 2}) rotate(-90)" text-anchor="middle">${escapeMarkup(options.y)}</text></svg>`;
}

interface Axis {
  readonly ticks: readonly number[];
  place(value: number): number;
}

function axis(values: readonly number[], log: boolean, from: number, to: number, zero: boolean): Axis {
  const usable = values.filter((v) => Number.isFinite(v) && (!log || v > 0));
  let low = usable.length > 0 ? smallest(usable) : log ? 1 : 0;
  let high = usable.length > 0 ? largest(usable) : 1;
  if (zero) low = Math.min(0, low);
  if (!(high > low)) high = log ? low * 10 : low + 1;
  const f = log ? Math.log10 : (v: number): number => v;
  const scale = (to - from) / (f(high) - f(low));
  const place = (value: number): number =>
    Math.round((from + (f(Math.max(log ? low : -1e300, value)) - f(low)) * scale) * 10) / 10;
  return { ticks: log ? decades(low, high) : steps(low, high), place };
}

function decades(low: number, high: number): number[] {
  const ticks: number[] = [];
  for (let e = Math.ceil(Math.log10(low) - 1e-9); e <= Math.log10(high) + 1e-9; e++) ticks.push(10 ** e);
  return ticks;
}

function steps(low: number, high: number): number[] {
  const rough = (high - low) / 5;
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * ([1, 2, 5, 10].find((m) => m * unit >= rough) ?? 10);
  const ticks: number[] = [];
  for (let v = Math.ceil(low / step) * step; v <= high + step * 1e-9; v += step) ticks.push(Number(v.toPrecision(12)));
  return ticks;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Steps that a clock shows as round. */
const CLOCK_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 28, 91, 182, 364].map((n) => n * DAY),
];
const MOST_TIMES = 6;

/** Ticks at round times of day (UTC), six at most, with as much of the date as the span needs. */
export function timeTicks(low: number, high: number): { ticks: number[]; label: (tick: number) => string } {
  const step = CLOCK_STEPS.find((one) => (high - low) / one < MOST_TIMES) ?? (high - low) / MOST_TIMES;
  const ticks: number[] = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) ticks.push(tick);
  const oneDay = Math.floor(low / DAY) === Math.floor(high / DAY);
  const to = step < MINUTE ? 19 : 16;
  const label = (tick: number): string => {
    const text = new Date(tick).toISOString();
    if (step >= DAY) return text.slice(high - low > 300 * DAY ? 0 : 5, 10);
    return oneDay ? text.slice(11, to) : text.slice(5, to).replace('T', ' ');
  };
  return { ticks, label };
}

function label(value: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  return size < 1e-3 ? value.toExponential(0) : String(Number(value.toPrecision(3)));
}
