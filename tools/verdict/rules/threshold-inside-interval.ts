import { FINE, ms, notJudged, plural, type Rule, reasons, round } from '../rule.ts';

/** Objectives whose limit lies inside the interval of the value. */
export const rule: Rule = {
  id: 'threshold-inside-interval',
  title: 'Threshold inside the interval',
  needsSamples: true,
  judge: (facts) => {
    if (facts.objectives.length === 0) return notJudged('no thresholds were given (--summary or --rules)');
    const open = facts.objectives.filter((one) => one.outcome === 'undecided' && one.why?.startsWith('only') !== true);
    const [first] = open;
    if (first === undefined) return FINE;
    const show = (value: number | undefined) =>
      value === undefined ? '…' : first.expression.startsWith('rate') ? String(round(value, 4)) : ms(value);
    return reasons({
      rule: rule.id,
      severity: 'suspect',
      message: `${plural(open.length, 'threshold')} cannot be decided, such as ${first.key} ${first.expression}: the value is ${show(first.value)} with the interval ${show(first.low)} to ${show(first.high)}.`,
      numbers: {
        thresholds: open.length,
        limit: first.limit,
        ...(first.value === undefined ? {} : { value: first.value }),
      },
      limit: 'the limit outside the 95 % interval',
      remedy: 'test longer: four times the samples halve the interval',
    });
  },
};
