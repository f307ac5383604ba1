import { largest, smallest } from '../../../lib/model/extremes.ts';
import { FINE, type Rule, reasons, round } from '../rule.ts';

/** Workers that did not start together, by their own clocks. */
export const rule: Rule = {
  id: 'clock-skew',
  title: 'Clock skew between workers',
  needsSamples: true,
  judge: (facts, limits) => {
    if (facts.workers.length < 2) return FINE;
    const starts = facts.workers.map((worker) => worker.startMs);
    const skew = (largest(starts) - smallest(starts)) / 1000;
    if (skew <= limits(rule.id, 'suspectSeconds')) return FINE;
    const late = facts.workers.find((worker) => worker.startMs === largest(starts));
    return reasons({
      rule: rule.id,
      severity: 'suspect',
      message: `The workers began ${round(skew, 2)} s apart (last: ${late?.worker ?? ''}): their clocks differ or they did not start together.`,
      numbers: { skewSeconds: skew, workers: facts.workers.length },
      limit: `within ${limits(rule.id, 'suspectSeconds')} s`,
      remedy: 'start workers at a common time with synchronised clocks (NTP); rates only interleave then',
    });
  },
};
