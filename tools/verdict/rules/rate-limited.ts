import { shortPercent } from '../../../lib/model/figures.ts';
import { METRICS } from '../../../lib/model/names.ts';
import { quantileOf } from '../populations.ts';
import { FINE, ms, NO_SAMPLES, notJudged, type Rule, reasons } from '../rule.ts';

/** 429 answers: the limiter was measured instead of the system. */
export const rule: Rule = {
  id: 'rate-limited',
  title: '429 answers',
  judge: (facts, limits) => {
    // Of a summary only this suite's own counter tells it.
    const counted = facts.counters[METRICS.rateLimited];
    if (facts.summaryOnly && counted === undefined) return notJudged(NO_SAMPLES);
    const limited = facts.summaryOnly
      ? (counted ?? 0)
      : facts.requests.statuses.filter((entry) => entry.status === 429).reduce((sum, entry) => sum + entry.n, 0);
    const share = limited / Math.max(1, facts.requests.n);
    if (limited === 0 || share <= limits(rule.id, 'suspectShare')) return FINE;
    const median = quantileOf(
      facts.byStatus.find((population) => population.statusClass === '429'),
      0.5,
    )?.value;
    return reasons({
      rule: rule.id,
      severity: share > limits(rule.id, 'invalidShare') ? 'invalid' : 'suspect',
      message: `Rate limiter met: ${limited} of ${facts.requests.n} requests (${shortPercent(share)}) were answered 429${median === undefined ? '' : ` (median ${ms(median)})`}; they are not the system's latency, and their load never reached it.`,
      numbers: { limited, requests: facts.requests.n, share, ...(median === undefined ? {} : { medianMs: median }) },
      limit: `no 429; above ${shortPercent(limits(rule.id, 'invalidShare'))} the limiter was tested`,
      remedy: "switch the limiter off for the generator's address, or spread the load over addresses",
    });
  },
};
