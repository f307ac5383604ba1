/** Arrival rate over time, how Poisson-like session starts are, and stages that follow the day. */
import { largest } from '../../../lib/model/extremes.ts';
import { rateInterval } from '../fit/intervals.ts';
import type { ArrivalSeries } from '../pass/arrival-series.ts';

export interface Dispersion {
  readonly seconds: number;
  readonly windows: number;
  /** Variance over mean of session starts per window, slow trends removed; 1 for a Poisson process. */
  readonly index: number;
  /** Where 95 % of Poisson processes of this length lie. */
  readonly poisson: readonly [number, number];
}

/** The clock hour (UTC) with most sessions. */
export interface BusiestHour {
  readonly from: string;
  /** Sessions per second over that hour, with its 95 % interval. */
  readonly rate: number;
  readonly interval: readonly [number, number];
  readonly sessions: number;
  /** Of so many hours with any: the largest of many lies a little above its own mean. */
  readonly hours: number;
}

export interface ArrivalsModel {
  /** Sessions per second over the whole log, from first to last session start. */
  readonly rate: number;
  /** `requests`: sessions cannot be told apart, so their number is what the flows need to send the requests counted. */
  readonly basis: 'sessions' | 'requests';
  readonly interval: readonly [number, number];
  readonly sessions: number;
  readonly seconds: number;
  readonly from: string;
  readonly to: string;
  /** Of logs of two hours and more. */
  readonly busiestHour?: BusiestHour;
  readonly dispersion: readonly Dispersion[];
  /** Whether session starts are as random as a Poisson process at the scales that can be judged. */
  readonly process: 'poisson' | 'clustered' | 'regular' | 'unknown';
  /** Session and request rates per second over stretches of equal length. */
  readonly series: readonly { readonly from: string; readonly sessions: number; readonly requests: number }[];
  readonly stretchSeconds: number;
  /** k6 stages that follow the log: start rates in sessions per second. */
  readonly stages: readonly { readonly duration: string; readonly target: number }[];
}

const MAX_POINTS = 240;
/** A shorter log has no hour that is busier than others, s. */
const BUSIEST_FROM = 7_200;
/** Fewer windows than this say nothing about dispersion. */
const MIN_WINDOWS = 30;

/** Sessions that a rate takes, and the time from the first to the last, s: it is then known to half its size. */
export const RATE_MINIMUM = { sessions: 10, seconds: 1 } as const;

export interface Counted {
  /** Sessions per session of the series: below 1 where some are not told apart, above where requests of others stand for more. */
  readonly scale: number;
  /** Session starts that are sessions of one user each; what the interval rests on. */
  readonly identified: number;
  /** The day's stages are this many times shorter. */
  readonly compress?: number;
}

/** @returns `undefined` when there are too few sessions for a rate */
export function arrivalsModel(
  series: ArrivalSeries,
  { scale, identified, compress = 1 }: Counted = { scale: 1, identified: series.starts },
): ArrivalsModel | undefined {
  const seconds = (series.last - series.first) / 1000;
  if (Math.min(identified, series.starts) < RATE_MINIMUM.sessions || !(seconds >= RATE_MINIMUM.seconds))
    return undefined;
  // n starts span n - 1 gaps.
  const rate = (scale * (series.starts - 1)) / seconds;
  const dispersion = series.dispersion.filter((one) => one.windows >= MIN_WINDOWS).map(dispersionOf);
  const atScale = dispersion.filter((one) => one.seconds >= 1 && one.seconds <= 20);
  const widest = largest(
    atScale.map((one) => one.index),
    1,
  );
  const busiest = seconds >= BUSIEST_FROM ? busiestHour(series, 1, 1 / scale, widest) : undefined;
  const { points, stretch } = stretches(series, series, scale);
  // What stands for a session that is not told apart is known no better than the sessions that are.
  const one = (scale * series.starts) / identified;
  const [low, high] = rateInterval(identified - 1, seconds, widest);
  return {
    rate,
    basis: 'sessions',
    interval: [low * one, high * one],
    sessions: Math.round(scale * series.starts),
    seconds,
    from: iso(series.first),
    to: iso(series.last),
    ...(busiest === undefined ? {} : { busiestHour: busiest }),
    dispersion,
    process: verdict(dispersion),
    series: points,
    stretchSeconds: stretch,
    stages: stagesOf(points, stretch, compress),
  };
}

/**
 * The arrivals when sessions cannot be told apart (many users behind one address, addresses used again and again): as many
 * sessions as the flows need for the requests, over the time of all requests, which rise and fall as the requests do.
 * @param span of all requests, ms
 * @returns `undefined` when there are too few for a rate
 */
export function arrivalsByRequests(
  starts: ArrivalSeries,
  sessions: number,
  requests: number,
  span: { readonly first: number; readonly last: number },
  compress = 1,
): ArrivalsModel | undefined {
  const seconds = (span.last - span.first) / 1000;
  if (sessions < RATE_MINIMUM.sessions || !(seconds >= RATE_MINIMUM.seconds)) return undefined;
  const perSession = requests / sessions;
  const { points, stretch } = stretches(starts, span, 1);
  const series = points.map((point) => ({ ...point, sessions: sixDigits(point.requests / perSession) }));
  return {
    rate: sessions / seconds,
    basis: 'requests',
    interval: rateInterval(sessions, seconds, 1),
    sessions,
    seconds,
    from: iso(span.first),
    to: iso(span.last),
    ...(seconds >= BUSIEST_FROM ? { busiestHour: busiestHour(starts, 0, perSession, 1) } : {}),
    // Of sessions that are not told apart, when they begin is not known.
    dispersion: [],
    process: 'unknown',
    series,
    stretchSeconds: stretch,
    stages: stagesOf(series, stretch, compress),
  };
}

function stagesOf(points: ArrivalsModel['series'], stretch: number, compress: number): ArrivalsModel['stages'] {
  return points.map((point) => ({
    duration: `${Math.max(1, Math.round(stretch / compress))}s`,
    target: point.sessions,
  }));
}

function dispersionOf(scale: ArrivalSeries['dispersion'][number]): Dispersion {
  const mean = scale.total / scale.windows;
  const differences = scale.windows - 1;
  // Half the mean squared difference of neighbours has variance (3 + 1/mean) / windows in units of mean^2 for Poisson counts.
  const sd = Math.sqrt((3 + 1 / mean) / differences);
  return {
    seconds: scale.seconds,
    windows: scale.windows,
    index: scale.squares / (2 * differences) / mean,
    poisson: [Math.max(0, 1 - 1.96 * sd), 1 + 1.96 * sd],
  };
}

function verdict(dispersion: readonly Dispersion[]): ArrivalsModel['process'] {
  if (dispersion.length === 0) return 'unknown';
  // Two scales outside on the same side: with ten scales one outside is chance.
  const above = dispersion.filter((one) => one.index > one.poisson[1] && one.index > 1.2).length;
  const below = dispersion.filter((one) => one.index < one.poisson[0] && one.index < 0.8).length;
  if (above >= 2) return 'clustered';
  return below >= 2 ? 'regular' : 'poisson';
}

/**
 * @param counted 0: by requests, 1: by session starts
 * @param perSession how many of them make a session
 */
function busiestHour(series: ArrivalSeries, counted: 0 | 1, perSession: number, dispersion: number): BusiestHour {
  const hours = new Map<number, number>();
  for (const [minute, cell] of series.minutes) {
    const hour = Math.floor(minute / 60);
    hours.set(hour, (hours.get(hour) ?? 0) + cell[counted] / perSession);
  }
  const [hour, sessions] = [...hours].sort((a, b) => b[1] - a[1])[0] as [number, number];
  return {
    from: iso(hour * 3_600_000),
    rate: sessions / 3600,
    interval: rateInterval(sessions, 3600, dispersion),
    sessions: Math.round(sessions),
    hours: [...hours.values()].filter((n) => n > 0).length,
  };
}

/** Rates over at most MAX_POINTS stretches of whole minutes. */
function stretches(
  { minutes }: ArrivalSeries,
  span: { readonly first: number; readonly last: number },
  scale: number,
): {
  points: { from: string; sessions: number; requests: number }[];
  stretch: number;
} {
  const first = Math.floor(span.first / 60_000);
  const last = Math.floor(span.last / 60_000);
  const width =
    NICE_MINUTES.find((some) => (last - first + 1) / some <= MAX_POINTS) ?? Math.ceil((last - first + 1) / MAX_POINTS);
  const points: { from: string; sessions: number; requests: number }[] = [];
  for (let minute = first; minute <= last; minute += width) {
    let requests = 0;
    let sessions = 0;
    for (let m = minute; m < minute + width; m++) {
      const cell = minutes.get(m);
      requests += cell?.[0] ?? 0;
      sessions += cell?.[1] ?? 0;
    }
    // The first and the last stretch are covered in part only.
    const from = Math.max(span.first, minute * 60_000);
    const to = Math.min(span.last, (minute + width) * 60_000);
    const covered = Math.max(1, (to - from) / 1000);
    points.push({
      from: iso(minute * 60_000),
      sessions: sixDigits((scale * sessions) / covered),
      requests: sixDigits(requests / covered),
    });
  }
  return { points, stretch: width * 60 };
}
const NICE_MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1440];

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function sixDigits(x: number): number {
  return Number(x.toPrecision(6));
}
