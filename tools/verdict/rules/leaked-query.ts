import { hasQueryValues, redact } from '../redact.ts';
import { FINE, plural, type Rule, reasons } from '../rule.ts';

/** Query strings with values in names. */
export const rule: Rule = {
  id: 'leaked-query',
  title: 'Query values in names',
  needsSamples: true,
  judge: (facts) => {
    // `?search=` without a value is a template; a value after the equals sign is somebody's data.
    const leaks = facts.endpoints.filter(({ name }) => hasQueryValues(name));
    const [first] = leaks;
    if (first === undefined) return FINE;
    return reasons({
      rule: rule.id,
      severity: 'note',
      message: `${plural(leaks.length, 'request name')} with query values in it, such as ${redact(first.name)}: parameters leak into result files and reports.`,
      numbers: { names: leaks.length },
      limit: 'no query values in names',
      remedy: 'set the name tag to the template; the report shows such values as …',
    });
  },
};
