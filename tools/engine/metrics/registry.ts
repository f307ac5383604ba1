/** All metrics of a run: registration, sub-metrics, interned tags, and the way of a sample into sums and outputs. */
import { isMetricName, parseMetricKey } from '../../../lib/k6/metric-key.ts';
import type { MetricType } from '../../../lib/k6/threshold.ts';
import { EngineError } from '../engine-error.ts';
import { addToSink, newSink } from './sinks.ts';
import { checkAggregates, parseThresholds } from './thresholds.ts';
import type { Metadata, Metric, MetricContents, Route, Sink, Submetric, TagSet } from './types.ts';

/** Receives every sample as it is emitted. */
export interface SampleSink {
  sample(metric: Metric, time: number, value: number, tags: TagSet, metadata: Metadata | undefined): void;
}

/** Looks on from the first sample; what it can count by route, it need not see. */
export interface RouteObserver {
  /** A metric has its first sample with these tags. @returns whether to tell of each of its samples */
  opened(route: Route): boolean;
  sampled(route: Route, value: number): void;
}

/** k6's own metrics in the order of its registration. */
const BUILTIN: readonly (readonly [string, MetricType, MetricContents])[] = [
  ['vus', 'gauge', 'default'],
  ['vus_max', 'gauge', 'default'],
  ['iterations', 'counter', 'default'],
  ['iteration_duration', 'trend', 'time'],
  ['dropped_iterations', 'counter', 'default'],
  ['checks', 'rate', 'default'],
  ['group_duration', 'trend', 'time'],
  ['http_reqs', 'counter', 'default'],
  ['http_req_failed', 'rate', 'default'],
  ['http_req_duration', 'trend', 'time'],
  ['http_req_blocked', 'trend', 'time'],
  ['http_req_connecting', 'trend', 'time'],
  ['http_req_tls_handshaking', 'trend', 'time'],
  ['http_req_sending', 'trend', 'time'],
  ['http_req_waiting', 'trend', 'time'],
  ['http_req_receiving', 'trend', 'time'],
  ['data_sent', 'counter', 'data'],
  ['data_received', 'counter', 'data'],
];

export class MetricRegistry {
  readonly metrics: Metric[] = [];
  private readonly byName = new Map<string, Metric>();
  private readonly tagSets = new Map<string, TagSet>();
  private readonly outputs: readonly SampleSink[];
  private readonly observer: RouteObserver | undefined;
  /** No sample is counted after this was called: the run is over. */
  private closed = false;

  /** @param outputs opened later; looked at with every sample */
  constructor(outputs: readonly SampleSink[], observer?: RouteObserver) {
    this.outputs = outputs;
    this.observer = observer;
    for (const [name, type, contains] of BUILTIN) this.create(name, type, contains);
  }

  /** @throws Error, to be shown as the script's, for an illegal name or a second registration of another kind */
  register(name: string, type: MetricType, isTime: boolean): Metric {
    if (!isMetricName(name)) {
      throw new Error(
        `Invalid metric name: '${name}'. Metric names must only include up to 128 ASCII letters, numbers, or underscores and start with a letter or an underscore.`,
      );
    }
    const contains = isTime ? 'time' : 'default';
    const known = this.byName.get(name);
    if (known === undefined) return this.create(name, type, contains);
    if (known.type !== type) {
      throw new Error(`metric '${name}' already exists but with type ${known.type}, instead of ${type}`);
    }
    return known;
  }

  get(name: string): Metric {
    const metric = this.byName.get(name);
    if (metric === undefined) throw new Error(`no metric "${name}"`);
    return metric;
  }

  byId(id: number): Metric {
    const metric = this.metrics[id];
    if (metric === undefined) throw new Error(`no metric number ${id}`);
    return metric;
  }

  /** Interned tags; two equal records give one set. */
  tags(record: Readonly<Record<string, string>>): TagSet {
    const keys = Object.keys(record).sort();
    let key = '';
    for (const name of keys) key += `${name}\u0001${record[name]}\u0002`;
    let set = this.tagSets.get(key);
    if (set === undefined) {
      const tags = Object.fromEntries(keys.map((name) => [name, record[name] ?? '']));
      set = { id: this.tagSets.size, tags, routes: [] };
      this.tagSets.set(key, set);
    }
    return set;
  }

  push(metric: Metric, time: number, value: number, tags: TagSet, metadata?: Metadata): void {
    if (this.closed) return;
    const route = tags.routes[metric.id] ?? this.open(metric, tags);
    route.samples++;
    const { sinks } = route;
    for (let i = 0; i < sinks.length; i++) addToSink(sinks[i] as Sink, value);
    if (route.watched) this.observer?.sampled(route, value);
    const { outputs } = this;
    for (let i = 0; i < outputs.length; i++) outputs[i]?.sample(metric, time, value, tags, metadata);
  }

  private open(metric: Metric, tags: TagSet): Route {
    const submetrics = metric.submetrics.filter((sub) => includes(tags.tags, sub.tags));
    const sinks = [metric.sink, ...submetrics.map(({ sink }) => sink)];
    const route: Route = { metric, tags, sinks, submetrics, samples: 0, watched: false };
    route.watched = this.observer?.opened(route) === true;
    tags.routes[metric.id] = route;
    return route;
  }

  close(): void {
    this.closed = true;
  }

  /**
   * Binds the `thresholds` option and creates its sub-metrics, once the script's metrics are known.
   * @param judge false for --no-thresholds, which keeps the sub-metrics
   * @throws EngineError (exit code 104)
   */
  bindThresholds(option: unknown, judge: boolean): void {
    this.submetric('http_req_duration{expected_response:true}');
    if (option === undefined || option === null) return;
    for (const [key, entries] of Object.entries(option as Record<string, unknown>)) {
      const thresholds = parseThresholds(key, entries);
      const target = this.submetric(key);
      checkAggregates(key, target.sink.type, thresholds);
      if (judge) target.thresholds = thresholds;
    }
  }

  /** The metric or sub-metric that a threshold key names. */
  private submetric(key: string): Metric | Submetric {
    const parsed = parseMetricKey(key);
    if ('fault' in parsed) throw EngineError.config(`invalid threshold defined on ${key}; reason: ${parsed.fault}`);
    const { metric: name, tags } = parsed;
    const metric = this.byName.get(name);
    if (metric === undefined) {
      throw EngineError.config(`invalid threshold defined on ${key}; reason: no metric name "${name}" found`);
    }
    if (name === key) return metric;
    const suffix = key.slice(name.length + 1, -1).trim();
    const same = metric.submetrics.find((sub) => includes(sub.tags, tags) && includes(tags, sub.tags));
    if (same !== undefined) return same;
    const created: Submetric = { name: `${name}{${suffix}}`, suffix, tags, sink: newSink(metric.type), thresholds: [] };
    metric.submetrics.push(created);
    return created;
  }

  private create(name: string, type: MetricType, contains: MetricContents): Metric {
    const metric: Metric = {
      id: this.metrics.length,
      name,
      type,
      contains,
      sink: newSink(type),
      submetrics: [],
      thresholds: [],
    };
    this.metrics.push(metric);
    this.byName.set(name, metric);
    return metric;
  }
}

function includes(all: Readonly<Record<string, string>>, some: Readonly<Record<string, string>>): boolean {
  return Object.keys(some).every((key) => all[key] === some[key]);
}
