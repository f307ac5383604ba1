import { FINE, notJudged, plural, type Rule, reasons } from '../rule.ts';

/** Objectives that saw no sample; k6 shows them green. */
export const rule: Rule = {
  id: 'threshold-without-samples',
  title: 'Threshold without samples',
  judge: (facts) => {
    if (facts.objectives.length === 0) return notJudged('no thresholds were given (--summary or --rules)');
    const empty = facts.objectives.filter((one) => one.outcome === 'no samples');
    if (empty.length === 0) return FINE;
    const list = empty.map((one) => `${one.key} ${one.expression}`);
    const green = empty.filter((one) => one.k6 === 'passed').length;
    return reasons({
      rule: rule.id,
      severity: 'invalid',
      message: `${plural(empty.length, 'threshold')} saw no sample${green > 0 ? ` (k6 shows ${green} of them green)` : ''}: ${list.slice(0, 5).join('; ')}${list.length > 5 ? '; …' : ''}.`,
      numbers: { thresholds: empty.length, green, of: facts.objectives.length },
      limit: 'every threshold has samples',
      remedy:
        'compare the tags of the threshold with those of the requests (the populations below list them), and guard it by count>0',
    });
  },
};
