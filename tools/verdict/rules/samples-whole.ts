import { shortPercent } from '../../../lib/model/figures.ts';
import { FINE, notJudged, plural, type Rule, reasons } from '../rule.ts';

/** Iterations among the samples against k6's own count: rows that were lost leave no other trace. */
export const rule: Rule = {
  id: 'samples-whole',
  title: 'Samples against what k6 counted',
  needsSamples: true,
  judge: (facts, limits) => {
    const counted = facts.log?.console?.finished;
    // k6 that came to its end by its own exit code, or to its summary, has written what it had.
    const closed = facts.run?.exitCode !== undefined || facts.summaryRead === true;
    if (counted === undefined && closed) return FINE;
    if (counted === undefined) return notJudged("k6's own count is not there; give what it prints with --log");
    const { finished } = facts.iterations;
    // An iteration that aborts the test is counted as interrupted, and its samples are kept.
    const most = counted + (facts.log?.console?.interrupted ?? 0);
    const apart = Math.max(counted - finished, finished - most, 0);
    const share = apart / Math.max(1, counted);
    if (apart === 0 || share <= limits(rule.id, 'suspectShare')) return FINE;
    return reasons({
      rule: rule.id,
      severity: share > limits(rule.id, 'invalidShare') ? 'invalid' : 'suspect',
      message: `k6 counted ${plural(counted, 'finished iteration')}, the samples hold ${finished.toLocaleString('en-US')}: ${finished < counted ? 'rows are missing' : 'the samples hold more than this run'} (${shortPercent(share)} apart).`,
      numbers: { counted, finished, share },
      limit: `the same number; above ${shortPercent(limits(rule.id, 'invalidShare'))} apart the samples are not those of this run`,
      remedy: 'give the whole file as k6 wrote it, and the console text of the same run',
    });
  },
};
