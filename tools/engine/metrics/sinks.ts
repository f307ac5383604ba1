/** Adding samples up, and reading the sums: k6's aggregates with k6's definitions. */
import type { MetricType } from '../../../lib/k6/threshold.ts';
import type { Sink } from './types.ts';

export function newSink(type: MetricType): Sink {
  switch (type) {
    case 'counter':
      return { type, count: 0, samples: 0 };
    case 'gauge':
      return { type, value: 0, min: 0, max: 0, samples: 0 };
    case 'rate':
      return { type, trues: 0, samples: 0 };
    case 'trend':
      return {
        type,
        values: new Float64Array(16),
        zeros: 0,
        negatives: 0,
        samples: 0,
        sum: 0,
        min: 0,
        max: 0,
        sorted: true,
      };
  }
}

export function addToSink(sink: Sink, value: number): void {
  switch (sink.type) {
    case 'counter':
      sink.count += value;
      break;
    case 'gauge':
      sink.min = sink.samples === 0 ? value : Math.min(sink.min, value);
      sink.max = sink.samples === 0 ? value : Math.max(sink.max, value);
      sink.value = value;
      break;
    case 'rate':
      if (value !== 0) sink.trues++;
      break;
    case 'trend':
      sink.sum += value;
      sink.min = sink.samples === 0 ? value : Math.min(sink.min, value);
      sink.max = sink.samples === 0 ? value : Math.max(sink.max, value);
      if (value === 0) sink.zeros++;
      else keep(sink, value);
      break;
  }
  sink.samples++;
}

function keep(sink: Sink & { type: 'trend' }, value: number): void {
  const at = sink.samples - sink.zeros;
  if (at === sink.values.length) {
    // By a quarter: a rehearsed day keeps 200 MB of values, of which doubling would leave up to half empty.
    const grown = new Float64Array(at + Math.max(16, at >> 2));
    grown.set(sink.values);
    sink.values = grown;
  }
  sink.values[at] = value;
  if (value < 0) sink.negatives++;
  sink.sorted = false;
}

/** The value at `rank` (from 0) of all, zeros included, in rising order. */
function ranked({ values, zeros, negatives }: Sink & { type: 'trend' }, rank: number): number {
  if (rank < negatives) return values[rank] as number;
  return rank < negatives + zeros ? 0 : (values[rank - zeros] as number);
}

/**
 * Quantile by linear interpolation at index q(n-1) of the sorted values, as k6 does (R type 7); 0 without samples.
 * @param q 0 to 1
 */
export function trendQuantile(sink: Sink & { type: 'trend' }, q: number): number {
  const n = sink.samples;
  if (n === 0) return 0;
  if (!sink.sorted) {
    sink.values.subarray(0, n - sink.zeros).sort();
    sink.sorted = true;
  }
  const index = q * (n - 1);
  const low = Math.floor(index);
  const below = ranked(sink, low);
  const above = ranked(sink, Math.min(low + 1, n - 1));
  return below + (above - below) * (index - low);
}

/** `avg`, `min`, `med`, `max`, `count` or `p(N)` of a Trend. */
export function trendAggregate(sink: Sink & { type: 'trend' }, name: string): number {
  const n = sink.samples;
  switch (name) {
    case 'avg':
      return n === 0 ? 0 : sink.sum / n;
    case 'min':
      return sink.min;
    case 'max':
      return sink.max;
    case 'med':
      return trendQuantile(sink, 0.5);
    case 'count':
      return n;
    default:
      return trendQuantile(sink, percentOf(name) / 100);
  }
}

/** The number in `p(95)`; NaN when `name` is no percentile. */
export function percentOf(name: string): number {
  const match = /^p\(\s*([0-9]+(?:\.[0-9]+)?)\s*\)$/.exec(name);
  const percent = match === null ? Number.NaN : Number(match[1]);
  return percent >= 0 && percent <= 100 ? percent : Number.NaN;
}

/**
 * Values of a metric as handleSummary receives them.
 * @param seconds whole run time, which Counter rates refer to
 */
export function sinkValues(sink: Sink, trendStats: readonly string[], seconds: number): Record<string, number> {
  switch (sink.type) {
    case 'counter':
      return { count: sink.count, rate: seconds > 0 ? sink.count / seconds : 0 };
    case 'gauge':
      return { value: sink.value, min: sink.min, max: sink.max };
    case 'rate':
      return {
        rate: sink.samples === 0 ? 0 : sink.trues / sink.samples,
        passes: sink.trues,
        fails: sink.samples - sink.trues,
      };
    case 'trend':
      return Object.fromEntries(trendStats.map((name) => [name, trendAggregate(sink, name)]));
  }
}
