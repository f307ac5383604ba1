import { largest, smallest } from '../../../lib/model/extremes.ts';
import { shortPercent } from '../../../lib/model/figures.ts';
import { FINE, notJudged, type Rule, reasons } from '../rule.ts';
import { mannKendall, theilSen } from '../statistics/trend.ts';

/** Latency that climbs or falls through the steady window. */
export const rule: Rule = {
  id: 'drift',
  title: 'Drift in the steady window',
  needsSamples: true,
  judge: (facts, limits) => {
    if (facts.plan?.scenarios.some((scenario) => !scenario.steady)) {
      return notJudged('the arrival rate is not meant to be constant');
    }
    // The first quarter belongs to the cold-start rule.
    const usable = facts.bins
      .slice(Math.ceil(facts.bins.length / 4))
      .filter((bin) => bin.n >= limits(rule.id, 'minimumPerBin') && bin.relative !== null);
    if (facts.window.seconds < limits(rule.id, 'minimumSeconds') || usable.length < 10) {
      return notJudged('the run is too short or too sparse to show a trend');
    }
    const counts = usable.map((bin) => bin.n);
    if (facts.plan === undefined && largest(counts) > 1.5 * smallest(counts)) {
      return notJudged('the request rate is not constant and no plan says whether it was meant to be');
    }
    const values = usable.map((bin) => bin.relative ?? 1);
    const { z } = mannKendall(values);
    const slope = theilSen(values);
    const middle = [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 1;
    const change = (slope * (values.length - 1)) / middle;
    // A fall is told as a share of where it began, so that it stays below 100 %.
    const size = change > 0 ? change : Math.min(0.99, -change / (1 - change / 2));
    if (Math.abs(z) < limits(rule.id, 'z') || size < limits(rule.id, 'change')) return FINE;
    return reasons({
      rule: rule.id,
      severity: 'suspect',
      message: `Latency ${change > 0 ? 'climbs' : 'falls'} by ${shortPercent(size)} through the window (trend test z = ${Math.round(z * 10) / 10}): the percentiles depend on when the test ended.`,
      numbers: { change, z, bins: values.length },
      limit: `less than ${shortPercent(limits(rule.id, 'change'))} over the window`,
      remedy:
        change > 0
          ? 'find what fills up (queue, table, memory, log) and test until it is flat or fails'
          : 'warm up longer, then measure',
    });
  },
};
