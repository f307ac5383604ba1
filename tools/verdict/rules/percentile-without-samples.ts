import { FINE, notJudged, plural, type Rule, reasons } from '../rule.ts';

/** Objectives on percentiles that the sample cannot carry. */
export const rule: Rule = {
  id: 'percentile-without-samples',
  title: 'Percentile with too few samples beyond it',
  needsSamples: true,
  judge: (facts) => {
    if (facts.objectives.length === 0) return notJudged('no thresholds were given (--summary or --rules)');
    const weak = facts.objectives.filter((one) => one.outcome === 'undecided' && one.why?.startsWith('only') === true);
    const [first] = weak;
    if (first === undefined) return FINE;
    return reasons({
      rule: rule.id,
      severity: 'suspect',
      message: `${plural(weak.length, 'threshold')} asked for a percentile that the sample does not carry, such as ${first.key} ${first.expression}: ${first.why}.`,
      numbers: { thresholds: weak.length, n: first.n },
      limit: 'at least ten samples beyond the percentile',
      remedy: 'test longer (the populations say how long), or ask for a lower percentile',
    });
  },
};
