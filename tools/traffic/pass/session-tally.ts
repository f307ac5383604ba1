/** Sessions counted: how many, of how many requests and clients, how long, of which sequences, and when they began. */
import { type ArrivalSeries, type SeriesRecorder, seriesRecorder, withoutOutliers } from './arrival-series.ts';
import { type DistinctCount, distinctCounter } from './distinct.ts';
import type { Amount } from './outliers.ts';
import {
  commonSpan,
  joinSequences,
  type RouteSequence,
  type SequenceCounter,
  sequenceCounter,
} from './route-sequences.ts';

export interface SessionTally {
  readonly clients: ReturnType<typeof distinctCounter>;
  readonly series: SeriesRecorder;
  readonly sequences: SequenceCounter;
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
    sequences: sequenceCounter(),
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
  readonly sequences: readonly RouteSequence[];
  readonly sequencesLost: number;
  readonly series: ArrivalSeries;
}

/**
 * @param all every session, but with the sequences of those alone that no session id names
 * @param named sessions that a session id names
 * @param onlyNamed whether the others do not count
 * @param startsAsTold whether the starts of the series are those of the sequences; else they were told a think time late
 */
export function tallyOf(
  all: SessionTally,
  named: SessionTally,
  { onlyNamed, startsAsTold }: { readonly onlyNamed: boolean; readonly startsAsTold: boolean },
): Tally {
  const chosen = onlyNamed ? named : all;
  const byName = named.sequences.result();
  const others = onlyNamed ? { sequences: [], sequencesLost: 0 } : all.sequences.result();
  const sequences = joinSequences(byName.sequences, others.sequences);
  const series = chosen.series.result();
  const span = startsAsTold ? commonSpan(sequences) : undefined;
  const began = {
    first: sequences.reduce((least, sequence) => Math.min(least, sequence.first), Number.POSITIVE_INFINITY),
    last: sequences.reduce((most, sequence) => Math.max(most, sequence.last), Number.NEGATIVE_INFINITY),
  };
  const { sessions, requests, length } = chosen.amount();
  return {
    sessions,
    requests,
    totalLength: length,
    clients: chosen.clients.result(),
    sequences,
    sequencesLost: byName.sequencesLost + others.sequencesLost,
    series: !startsAsTold
      ? { ...series, ...began }
      : span === undefined
        ? series
        : withoutOutliers(series, span.first, span.last),
  };
}
