/** How late the engine takes up what comes in: one thread runs all VUs, and its delay looks like latency of the system. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { MetricRegistry } from './metrics/registry.ts';
import { trendQuantile } from './metrics/sinks.ts';

/** How often the delay is looked at, ms. */
const RESOLUTION_MS = 2;
const QUANTILE = 0.99;
/** Share of the measured p99 that may be the engine's own: half of what the system then took. */
const SHARE = 1 / 3;
/** Below this nobody cares, ms. */
const LEAST_MS = 2;

/** @returns asked at the end: a sentence when the engine was late, with the numbers */
export function watchLateness(registry: MetricRegistry): () => string | undefined {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  return () => {
    delay.disable();
    // The monitor's own period is in every reading.
    const late = delay.percentile(QUANTILE * 100) / 1e6 - RESOLUTION_MS;
    const { sink } = registry.get('http_req_duration');
    if (sink.type !== 'trend' || sink.samples === 0) return undefined;
    const measured = trendQuantile(sink, QUANTILE);
    if (late < LEAST_MS || late < SHARE * measured) return undefined;
    return `the engine itself was late: in 1 % of the time it took up answers ${late.toFixed(1)} ms or more after they came, and the p99 of http_req_duration is ${measured.toFixed(1)} ms; lower the rate or run this script with k6 (--engine k6)`;
  };
}
