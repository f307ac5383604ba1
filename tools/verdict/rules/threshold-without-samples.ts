import type { ObjectiveResult } from '../objectives/decide.ts';
import { assertsNothing } from '../objectives/parse.ts';
import { FINE, notJudged, plural, type Reason, type Rule, reasons } from '../rule.ts';

/** Objectives that saw no sample; k6 shows them green. */
export const rule: Rule = {
  id: 'threshold-without-samples',
  title: 'Threshold without samples',
  judge: (facts) => {
    if (facts.objectives.length === 0) return notJudged('no thresholds were given (--summary or --rules)');
    const empty = facts.objectives.filter((one) => one.outcome === 'no samples');
    if (empty.length === 0) return FINE;
    const surfacing = empty.filter(({ expression }) => assertsNothing(expression));
    const asserting = empty.filter((one) => !surfacing.includes(one));
    const green = asserting.filter((one) => one.k6 === 'kept').length;
    const shown: Reason = {
      rule: rule.id,
      severity: 'note',
      message: `${plural(surfacing.length, 'threshold')} that every value keeps, there to surface numbers, saw no sample: ${named(surfacing)}.`,
      numbers: { thresholds: surfacing.length, of: facts.objectives.length },
      limit: 'none: they assert nothing',
      remedy: 'nothing to do; assert what should hold by a limit that a value can cross',
    };
    const untested: Reason = {
      rule: rule.id,
      severity: 'invalid',
      message: `${plural(asserting.length, 'threshold')} saw no sample${green > 0 ? ` (k6 shows ${green} of them green)` : ''}: ${named(asserting)}.`,
      numbers: { thresholds: asserting.length, green, of: facts.objectives.length },
      limit: 'every threshold has samples',
      remedy:
        'compare its tags with those of the requests, and its status class with those of the answers (the populations below list both); guard it by count>0',
    };
    return reasons(asserting.length > 0 ? untested : undefined, surfacing.length > 0 ? shown : undefined);
  },
};

const named = (list: readonly ObjectiveResult[]): string =>
  list
    .slice(0, 5)
    .map((one) => `${one.key} ${one.expression}`)
    .join('; ') + (list.length > 5 ? '; …' : '');
