/** Requests and session starts over time, and how clustered session starts are at several scales; fed in time order. */

/** Window lengths in seconds at which the index of dispersion is taken. */
const DISPERSION_SCALES = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100] as const;

/**
 * Sums of one scale. The index of dispersion is half the mean squared difference of neighbouring windows over the mean: a
 * slow change of the rate over the day cancels in the differences, where the plain variance would take it for clustering.
 */
export interface DispersionSums {
  readonly seconds: number;
  /** Complete windows. */
  windows: number;
  total: number;
  /** Sum of squared differences of neighbouring windows. */
  squares: number;
}

export interface ArrivalSeries {
  /** Minute since 1970 -> requests and session starts in it. */
  readonly minutes: ReadonlyMap<number, readonly [number, number]>;
  readonly dispersion: readonly DispersionSums[];
  /** First and latest session start, ms; NaN when none. */
  readonly first: number;
  readonly last: number;
  readonly starts: number;
  /** The first and the latest few session starts, ms, in order of time. */
  readonly firsts: readonly number[];
  readonly lasts: readonly number[];
  /** Lone sessions before the first and after the last that count, left out of `first`, `last` and `starts`. */
  readonly outliers: number;
}

export interface SeriesRecorder {
  /** So many requests in the minute that holds this time. */
  requests(time: number, n: number): void;
  sessionStart(time: number): void;
  result(): ArrivalSeries;
}

/** Starts that are kept at either end: more outliers than that are none. */
const KEPT_ENDS = 9;

/** @param resolution step of the time stamps in ms; scales finer than it say nothing and are left out */
export function seriesRecorder(resolution: number): SeriesRecorder {
  const minutes = new Map<number, [number, number]>();
  const scales = DISPERSION_SCALES.filter((seconds) => seconds * 1000 >= resolution).map((seconds) => ({
    seconds,
    windows: 0,
    total: 0,
    squares: 0,
    index: Number.NaN,
    count: 0,
    before: Number.NaN,
  }));
  // The minute of the latest request, ms.
  let begins = Number.NaN;
  let ends = Number.NaN;
  let cell: [number, number] = [0, 0];
  let first = Number.NaN;
  let last = Number.NaN;
  let starts = 0;
  const firsts: number[] = [];
  const lasts = new Float64Array(KEPT_ENDS);
  let inOrder = 0;

  function at(time: number): [number, number] {
    if (!(time >= begins && time < ends)) {
      const m = Math.floor(time / 60_000);
      begins = m * 60_000;
      ends = begins + 60_000;
      const known = minutes.get(m);
      cell = known ?? [0, 0];
      if (known === undefined) minutes.set(m, cell);
    }
    return cell;
  }

  /** Closes windows until the one that holds `time`; a window is complete when a later start has been seen. */
  function advance(scale: (typeof scales)[number], time: number): void {
    const index = Math.floor(time / (scale.seconds * 1000));
    if (Number.isNaN(scale.index)) scale.index = index;
    // After a pause of many windows the zeros between are added at once.
    while (scale.index < index) {
      close(scale, scale.count);
      scale.count = 0;
      scale.index++;
      const empty = index - scale.index;
      if (empty > 2) {
        close(scale, 0);
        scale.windows += empty - 2;
        scale.index = index - 1;
      }
    }
    scale.count++;
  }

  function close(scale: (typeof scales)[number], count: number): void {
    scale.windows++;
    scale.total += count;
    if (!Number.isNaN(scale.before)) scale.squares += (count - scale.before) ** 2;
    scale.before = count;
  }

  return {
    requests(time, n) {
      at(time)[0] += n;
    },
    sessionStart(time) {
      at(time)[1]++;
      starts++;
      // Late starts (beyond the sorting window) count in their minute only.
      if (time < last) return;
      if (Number.isNaN(first)) first = time;
      last = time;
      if (firsts.length < KEPT_ENDS) firsts.push(time);
      lasts[inOrder++ % KEPT_ENDS] = time;
      for (const scale of scales) advance(scale, time);
    },
    result: () => ({
      minutes,
      dispersion: scales.map(({ seconds, windows, total, squares }) => ({ seconds, windows, total, squares })),
      first,
      last,
      starts,
      firsts,
      lasts: [...lasts.subarray(0, Math.min(inOrder, KEPT_ENDS))].sort((a, b) => a - b),
      outliers: 0,
    }),
  };
}

/**
 * The series between two session starts, when no more than a few lie outside.
 * @param from start of the first session that counts, ms
 */
export function withoutOutliers(series: ArrivalSeries, from: number, to: number): ArrivalSeries {
  const before = series.firsts.filter((start) => start < from).length;
  const after = series.lasts.filter((start) => start > to).length;
  const early = before < Math.min(KEPT_ENDS, series.firsts.length) ? before : 0;
  const late = after < Math.min(KEPT_ENDS, series.lasts.length) ? after : 0;
  if (early + late === 0 || series.starts - early - late < 2) return series;
  return {
    ...series,
    first: early > 0 ? from : series.first,
    last: late > 0 ? to : series.last,
    starts: series.starts - early - late,
    outliers: early + late,
  };
}
