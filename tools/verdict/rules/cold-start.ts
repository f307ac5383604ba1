import { largest } from '../../../lib/model/extremes.ts';
import { FINE, notJudged, type Rule, reasons, round } from '../rule.ts';

/** A slow beginning inside the measured window. */
export const rule: Rule = {
  id: 'cold-start',
  title: 'Cold start inside the measured window',
  needsSamples: true,
  judge: (facts, limits) => {
    const usable = facts.bins.filter((bin) => bin.n >= limits(rule.id, 'minimumPerBin') && bin.relative !== null);
    if (
      facts.window.seconds < limits(rule.id, 'minimumSeconds') ||
      usable.length < facts.bins.length * 0.8 ||
      usable.length < 10
    ) {
      return notJudged('the run is too short or too sparse to tell its beginning from the rest');
    }
    if (facts.plan?.scenarios.some((scenario) => scenario.open && !scenario.steady)) {
      return notJudged('the arrival rate is not meant to be constant, so the beginning differs on purpose');
    }
    const values = usable.map((bin) => bin.relative ?? 1);
    const rest = values.slice(Math.ceil(values.length / 4));
    const typical = [...rest].sort((a, b) => a - b)[Math.floor(rest.length / 2)] ?? 1;
    const highest = largest(rest);
    const limit = limits(rule.id, 'ratio');
    let cold = 0;
    while (cold < values.length / 4 && (values[cold] ?? 0) > limit * typical && (values[cold] ?? 0) > highest)
      cold += 1;
    if (cold === 0) return FINE;
    const until = usable[cold]?.second ?? 0;
    const factor = (values[0] ?? 1) / typical;
    return reasons({
      rule: rule.id,
      severity: 'suspect',
      message: `Cold start in the measured window: the first ${round(until, 1)} s are ${round(factor, 2)} times as slow as the rest (median, relative to each endpoint).`,
      numbers: { coldSeconds: until, factor },
      limit: `the beginning less than ${limit} times as slow as the rest`,
      remedy: `warm up for at least ${Math.ceil(until)} s before measuring, or report cold and warm apart`,
    });
  },
};
