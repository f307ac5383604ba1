import { shortPercent } from '../../../lib/model/figures.ts';
import { FINE, type Reason, type Rule, reasons } from '../rule.ts';

/** Rows that could not be read. */
export const rule: Rule = {
  id: 'damaged-file',
  title: 'Damaged result files',
  needsSamples: true,
  judge: (facts, limits) => {
    const found: Reason[] = [];
    for (const file of facts.files) {
      if (file.lostRows === 0 && file.lost.length === 0) continue;
      const share = file.lostRows / Math.max(1, file.rows + file.lostRows);
      const severity =
        file.lostRows === 0
          ? ('note' as const)
          : share > limits(rule.id, 'invalidShare')
            ? ('invalid' as const)
            : ('suspect' as const);
      found.push({
        rule: rule.id,
        severity,
        message: `${file.path}: ${file.lost.join('; ')}.`,
        numbers: { lostRows: file.lostRows, rows: file.rows, share },
        limit: `no lost row; above ${shortPercent(limits(rule.id, 'invalidShare'))} too many`,
        remedy: 'give each k6 process a file of its own, plain CSV rather than gzip, and let it come to its end',
      });
    }
    for (const { path, repeated = 0, requests = 0 } of facts.files) {
      const share = repeated / Math.max(1, requests);
      if (share <= limits(rule.id, 'repeatedShare')) continue;
      found.push({
        rule: rule.id,
        severity: 'suspect',
        message: `${path}: ${shortPercent(share)} of its requests stand there more than once, with the same tags, time and duration: counts, rates and intervals are those of more requests than were sent.`,
        numbers: { repeated, requests, share },
        limit: `at most ${shortPercent(limits(rule.id, 'repeatedShare'))} repeated`,
        remedy: 'give the file as one k6 process wrote it; do not join a file with itself, or two outputs into one',
      });
    }
    if (facts.ambiguousRows > 0) {
      found.push({
        rule: rule.id,
        severity: 'note',
        message: `The tags of ${facts.ambiguousRows} rows can be read in more than one way: k6 writes & and = in tag values unescaped.`,
        numbers: { rows: facts.ambiguousRows },
        limit: 'no & or = in tag values',
        remedy: 'change the tag values, or record with --out json, which keeps them apart',
      });
    }
    if (facts.notFinite > 0) {
      found.push({
        rule: rule.id,
        severity: 'note',
        message: `${facts.notFinite} samples are infinite or no number and are counted nowhere.`,
        numbers: { samples: facts.notFinite },
        limit: 'finite values',
        remedy: 'find the custom metric that divides by zero',
      });
    }
    return found.length === 0 ? FINE : reasons(...found);
  },
};
