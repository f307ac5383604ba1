import { largest } from '../../../lib/model/extremes.ts';
import { shortPercent } from '../../../lib/model/figures.ts';
import { FINE, notJudged, type Rule, reasons } from '../rule.ts';

/** Memory of the generator at its highest. */
export const rule: Rule = {
  id: 'generator-memory',
  title: "Generator's memory",
  judge: (facts, limits) => {
    const generator = facts.run?.generator;
    if (generator === undefined || generator.rssBytes.length === 0) {
      return notJudged("the generator's memory was not recorded; run through bookstore-load run");
    }
    const peak = largest(generator.rssBytes);
    const share = peak / generator.memoryBytes;
    if (share < limits(rule.id, 'suspectShare')) return FINE;
    return reasons({
      rule: rule.id,
      severity: share >= limits(rule.id, 'invalidShare') ? 'invalid' : 'suspect',
      message: `The generator used ${shortPercent(share)} of its memory (${Math.round(peak / 1e6)} MB): it collects garbage instead of sending, or is about to be killed.`,
      numbers: { peakBytes: peak, memoryBytes: generator.memoryBytes, share },
      limit: `below ${shortPercent(limits(rule.id, 'suspectShare'))} of the memory`,
      remedy: 'fewer VUs a machine, a smaller bundle, fewer custom Trends, or more memory',
    });
  },
};
