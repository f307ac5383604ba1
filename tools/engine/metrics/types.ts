/** Metrics as plain data: what a metric is, what it adds up to, and the tags of a sample. */

import type { MetricType, ThresholdExpression } from '../../../lib/k6/threshold.ts';

export type MetricContents = 'default' | 'time' | 'data';

/** An interned set of tags: equal sets are one object, so that everything derived from one is computed once. */
export interface TagSet {
  readonly id: number;
  /** Keys in alphabetical order. */
  readonly tags: Readonly<Record<string, string>>;
  /** What samples with these tags add to, by number of the metric. */
  readonly routes: (Route | undefined)[];
}

/** Where samples of one metric with the same tags go. */
export interface Route {
  readonly metric: Metric;
  readonly tags: TagSet;
  /** Of the metric and of those of its sub-metrics that the tags match. */
  readonly sinks: readonly Sink[];
  readonly submetrics: readonly Submetric[];
  /** Samples so far. */
  samples: number;
  /** Whether the observer looks at each. */
  watched: boolean;
}

/** `vu` and `iter`, which k6 keeps out of the tags so that they make no new time series. */
export type Metadata = Readonly<Record<string, string>>;

export interface Submetric {
  /** The key as the script wrote it, `http_req_duration{name:list}`. */
  readonly name: string;
  readonly suffix: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly sink: Sink;
  thresholds: Threshold[];
}

export interface Metric {
  readonly id: number;
  readonly name: string;
  readonly type: MetricType;
  readonly contains: MetricContents;
  readonly sink: Sink;
  readonly submetrics: Submetric[];
  thresholds: Threshold[];
}

export interface Threshold extends ThresholdExpression {
  readonly source: string;
  readonly abortOnFail: boolean;
  /** Milliseconds of run time before an abort is looked at. */
  readonly delayAbortEval: number;
  /** Outcome of the last evaluation; true is fine, as long as it was never evaluated too. */
  ok: boolean;
}

/** What a metric adds up to. */
export type Sink =
  | { readonly type: 'counter'; count: number; samples: number }
  | { readonly type: 'gauge'; value: number; min: number; max: number; samples: number }
  | { readonly type: 'rate'; trues: number; samples: number }
  | {
      readonly type: 'trend';
      /** All but zeros, which are only counted: of most of a request's phases there is nothing else. */
      values: Float64Array;
      zeros: number;
      negatives: number;
      samples: number;
      sum: number;
      min: number;
      max: number;
      sorted: boolean;
    };
