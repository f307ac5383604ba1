import { notJudged, type Rule, reasons } from '../rule.ts';

/** Options that k6 did not know and left out. */
export const rule: Rule = {
  id: 'options-ignored',
  title: 'Options that k6 ignored',
  judge: (facts) => {
    if (facts.log === undefined) return notJudged("k6's log is not there (--log): only it tells of ignored options");
    const ignored = facts.log.ignoredOptions;
    if (ignored.length === 0) return reasons();
    return reasons({
      rule: rule.id,
      severity: 'invalid',
      message: `k6 ignored ${ignored.map((name) => `"${name}"`).join(', ')} in the options and ran without: thresholds or scenarios may be missing.`,
      numbers: { options: ignored.length },
      limit: 'no unknown option',
      remedy: 'correct the spelling (thresholds, scenarios) in the exported options',
    });
  },
};
