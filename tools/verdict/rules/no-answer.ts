import { shortPercent } from '../../../lib/model/figures.ts';
import { errorCodeMeaning } from '../error-codes.ts';
import { FINE, NO_SAMPLES, notJudged, plural, type Rule, reasons } from '../rule.ts';

/** Requests without any answer. */
export const rule: Rule = {
  id: 'no-answer',
  title: 'Requests without an answer',
  judge: (facts, limits) => {
    const { n, noAnswer } = facts.requests;
    if (noAnswer === undefined) return notJudged(NO_SAMPLES);
    const share = noAnswer / Math.max(1, n);
    if (noAnswer === 0 || share <= limits(rule.id, 'suspectShare')) return FINE;
    const codes = facts.requests.statuses.filter((entry) => entry.status === 0);
    const list = codes
      .slice(0, 4)
      .map((entry) => `${entry.n} x ${entry.errorCode} (${errorCodeMeaning(entry.errorCode)})`);
    return reasons({
      rule: rule.id,
      severity: share > limits(rule.id, 'invalidShare') ? 'invalid' : 'suspect',
      message: `${plural(noAnswer, 'request')} of ${n} (${shortPercent(share)}) had no answer${list.length > 0 ? `: ${list.join(', ')}` : ''}. They have no latency; k6 counts refused ones as 0 ms.`,
      numbers: { noAnswer, requests: n, share },
      limit: `none; above ${shortPercent(limits(rule.id, 'invalidShare'))} too much load found no system`,
      remedy:
        'look at the system and the network first; out of ports or descriptors on the generator gives the same picture',
    });
  },
};
