import { shortPercent } from '../../../lib/model/figures.ts';
import { FINE, type Rule, reasons } from '../rule.ts';

/** A run without any objective. */
export const rule: Rule = {
  id: 'nothing-asserted',
  title: 'Nothing asserted',
  judge: (facts) => {
    if (facts.objectives.length > 0) return FINE;
    const { passed, failed } = facts.checks;
    const checks =
      passed + failed === 0
        ? ''
        : failed === 0
          ? ` All ${passed} checks passed; without a threshold they would have failed nothing.`
          : ` ${failed} of ${passed + failed} checks failed (${shortPercent(failed / (passed + failed))}), which without a threshold fails nothing.`;
    return reasons({
      rule: rule.id,
      severity: 'note',
      message: `No threshold was given: nothing about the system was asserted.${checks}`,
      numbers: { objectives: 0, failedChecks: failed },
      limit: 'at least one objective',
      remedy: 'give the summary of the run (--summary) or objectives (--rules)',
    });
  },
};
