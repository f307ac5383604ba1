import { shortPercent } from '../../../lib/model/figures.ts';
import type { Facts } from '../facts.ts';
import { type Reason, type Rule, reasons } from '../rule.ts';
import { checkWorkers } from '../workers/check.ts';

/** Workers that do not add up to one run. */
export const rule: Rule = {
  id: 'workers',
  title: 'Missing, doubled or mismatched workers',
  judge: (facts) => {
    const empty = facts.files.filter((file) => file.rows === 0).map((file) => file.path);
    if (Math.max(facts.workers.length, facts.files.length) < 2) return reasons(partOnly(facts));
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

/** One worker of several is a valid test of its part; that the rest is missing must be said. */
function partOnly({ plan }: Facts): Reason | undefined {
  const segment = plan?.segment ?? 1;
  if (segment >= 1 - 1e-9) return undefined;
  return {
    rule: rule.id,
    severity: 'note',
    message: `This is one worker, whose execution segment is ${shortPercent(segment)} of the run: the other segments are not here, so rates and counts are of this part.`,
    numbers: { segment },
    limit: 'all execution segments of the run',
    remedy: 'give the folders of all workers, or that of the whole run',
  };
}
