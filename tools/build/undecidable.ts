/** Objectives that the planned length of a load test cannot decide, before anybody runs it. */

import { parseMetricKey } from '../../lib/k6/metric-key.ts';
import { parseThreshold } from '../../lib/k6/threshold.ts';
import { largest } from '../../lib/model/extremes.ts';
import { needed } from '../../lib/model/figures.ts';
import { METRICS } from '../../lib/model/names.ts';
import { samplesToDecide } from '../../lib/model/samples-needed.ts';
import type { Plan } from '../../lib/plan/planned.ts';

export interface Undecidable {
  readonly key: string;
  readonly threshold: string;
  /** Samples that the plan earns, and those that deciding takes. */
  readonly samples: number;
  readonly needed: number;
  /** Length of the load that earns them, s. */
  readonly seconds: number;
}

/** Objectives of a plan with fewer samples than deciding takes; those of closed loops, whose number is not planned, are left out. */
export function undecidableOf(plan: Plan): Undecidable[] {
  const measured = plan.scenarios.filter(({ phase }) => phase === 'measure');
  const seconds = largest(
    measured.map((one) => one.seconds),
    0,
  );
  return Object.entries(plan.options.thresholds).flatMap(([key, list]) => {
    const parsed = parseMetricKey(key);
    const samples = 'fault' in parsed ? undefined : plannedSamples(plan, parsed);
    if (samples === undefined || samples === 0) return [];
    return list.flatMap(({ threshold }): Undecidable[] => {
      const found = parseThreshold(threshold);
      if ('fault' in found) return [];
      const wanted = samplesToDecide(found.aggregate, found.percentile, found.operator, found.limit);
      if (samples >= wanted) return [];
      return [{ key, threshold, samples, needed: wanted, seconds: (seconds * wanted) / samples }];
    });
  });
}

/** Samples of a metric in the measured phase; undefined where the plan does not say it. */
function plannedSamples(
  { scenarios, flows }: Plan,
  { metric, tags }: { readonly metric: string; readonly tags: Readonly<Record<string, string>> },
): number | undefined {
  const measured = scenarios.filter(({ phase, flow }) => phase === 'measure' && (tags['flow'] ?? flow) === flow);
  if (measured.some(({ sessions }) => sessions === undefined)) return undefined;
  const bySessions = metric === METRICS.sessionDuration || metric === METRICS.flowErrors;
  // Latency of other classes than 2xx, and counts, are nobody's plan.
  if (!bySessions && !['http_req_duration', 'http_req_failed', 'checks', 'duration_2xx'].includes(metric))
    return undefined;
  return Math.round(
    measured.reduce((sum, { flow, sessions = 0 }) => {
      const requests = flows.find(({ name }) => name === flow)?.requests ?? {};
      const name = tags['name'];
      const each = name === undefined ? Object.values(requests).reduce((a, b) => a + b, 0) : (requests[name] ?? 0);
      return sum + sessions * (bySessions ? 1 : each);
    }, 0),
  );
}

/** One sentence of a load test, with the length that would decide all of them; undefined when all can be decided. */
export function undecidableText(name: string, found: readonly Undecidable[]): string | undefined {
  const [first] = found;
  if (first === undefined) return undefined;
  const longest = largest(found.map((one) => one.seconds));
  const more = found.length === 1 ? '' : ` and ${found.length - 1} more`;
  return `${name}: its planned length cannot decide ${first.key} ${first.threshold} (${first.samples} samples, ${first.needed} needed)${more}; run it for ${needed(longest)}, or ask for less`;
}
