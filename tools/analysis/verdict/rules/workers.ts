import { checkWorkers } from '../../merge/check.ts';
import { FINE, type Rule, reasons } from '../rule.ts';

/** Workers that do not add up to one run. */
export const rule: Rule = {
  id: 'workers',
  title: 'Missing, doubled or mismatched workers',
  judge: (facts) => {
    const empty = facts.files.filter((file) => file.rows === 0).map((file) => file.path);
    if (Math.max(facts.workers.length, facts.files.length) < 2) return FINE;
    return reasons(
      ...checkWorkers(facts.workers, empty).problems.map((problem) => ({
        rule: rule.id,
        severity: 'invalid' as const,
        message: problem.message,
        numbers: { workers: facts.workers.length },
        limit: 'each execution segment once, one script, one seed',
        remedy: problem.remedy,
      })),
    );
  },
};
