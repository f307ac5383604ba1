/** Sessions counted: how many, of how many requests and clients, how long, of which shapes, and when they began. */
import { type ArrivalSeries, type SeriesRecorder, seriesRecorder, withoutStrays } from './arrival-series.ts';
import { type DistinctCount, distinctCounter } from './distinct.ts';
import type { Amount } from './outliers.ts';
import { commonSpan, joinShapes, type Shape, type ShapeCounter, shapeCounter } from './shapes.ts';

export interface SessionTally {
  readonly clients: ReturnType<typeof distinctCounter>;
  readonly series: SeriesRecorder;
  readonly shapes: ShapeCounter;
  /** A session is over. @param ms how long it was */
  add(requests: number, ms: number): void;
  amount(): Amount;
}

/** @param resolution step of the time stamps, ms */
export function sessionTally(resolution: number): SessionTally {
  let sessions = 0;
  let requests = 0;
  // In an array, because a number with a fraction that a closure changes is a new object each time.
  const length = new Float64Array(1);
  return {
    clients: distinctCounter(),
    series: seriesRecorder(resolution),
    shapes: shapeCounter(),
    add(count, ms) {
      sessions++;
      requests += count;
      length[0] = (length[0] as number) + ms;
    },
    amount: () => ({ sessions, requests, length: length[0] as number }),
  };
}

export interface Tally {
  readonly sessions: number;
  readonly requests: number;
  readonly totalLength: number;
  readonly clients: DistinctCount;
  readonly shapes: readonly Shape[];
  readonly shapesLost: number;
  readonly series: ArrivalSeries;
}

/**
 * @param all every session, but with the shapes of those alone that no session id names
 * @param named sessions that a session id names
 * @param onlyNamed whether the others do not count
 * @param startsAsTold whether the starts of the series are those of the shapes; else they were told a think time late
 */
export function tallyOf(
  all: SessionTally,
  named: SessionTally,
  { onlyNamed, startsAsTold }: { readonly onlyNamed: boolean; readonly startsAsTold: boolean },
): Tally {
  const chosen = onlyNamed ? named : all;
  const byName = named.shapes.result();
  const others = onlyNamed ? { shapes: [], shapesLost: 0 } : all.shapes.result();
  const shapes = joinShapes(byName.shapes, others.shapes);
  const series = chosen.series.result();
  const span = startsAsTold ? commonSpan(shapes) : undefined;
  const began = {
    first: shapes.reduce((least, shape) => Math.min(least, shape.first), Number.POSITIVE_INFINITY),
    last: shapes.reduce((most, shape) => Math.max(most, shape.last), Number.NEGATIVE_INFINITY),
  };
  const { sessions, requests, length } = chosen.amount();
  return {
    sessions,
    requests,
    totalLength: length,
    clients: chosen.clients.result(),
    shapes,
    shapesLost: byName.shapesLost + others.shapesLost,
    series: !startsAsTold
      ? { ...series, ...began }
      : span === undefined
        ? series
        : withoutStrays(series, span.first, span.last),
  };
}
