import { exitMeaningLater } from '../../../lib/k6/exit-codes.ts';
import { FINE, notJudged, type Rule, reasons } from '../rule.ts';

/** How k6 ended, apart from thresholds. */
export const rule: Rule = {
  id: 'run-ended',
  title: 'The run crashed, was killed or refused',
  judge: (facts) => {
    const run = facts.run;
    if (run?.cutOff === true) {
      return reasons({
        rule: rule.id,
        severity: 'invalid',
        message: 'The run was cut off: it was killed before it could say how it ended.',
        numbers: {},
        limit: 'a run that came to its end',
        remedy: 'run again; if the machine ran out of memory, use fewer VUs a worker',
      });
    }
    const said = facts.log?.endedBy;
    if (run?.exitCode === undefined && said !== undefined) {
      return reasons({
        rule: rule.id,
        severity: /^test run was aborted because k6 received/.test(said) ? 'suspect' : 'invalid',
        message: `k6's log says how the run ended: ${said}.`,
        numbers: {},
        limit: 'a run that came to its end',
        remedy: 'mend what the message says and run again',
      });
    }
    if (run?.exitCode === undefined) return notJudged("k6's exit code is unknown; run through bookstore-load run");
    // 99 is the system's answer, 0 the normal end, 101 comes after the measured part.
    if ([0, 99].includes(run.exitCode)) return FINE;
    const teardown = run.exitCode === 101;
    const killed = run.exitCode > 128 && run.exitCode < 255;
    return reasons({
      rule: rule.id,
      severity: teardown ? 'note' : run.exitCode === 105 ? 'suspect' : 'invalid',
      message: `k6 ended with exit code ${run.exitCode}: ${exitMeaningLater(run.exitCode, said ?? facts.log?.firstException, facts.log?.path)}.`,
      numbers: { exitCode: run.exitCode },
      limit: 'exit code 0 or 99',
      remedy: killed
        ? 'run again; if the machine ran out of memory, use fewer VUs a worker'
        : run.exitCode === 105
          ? 'let the run come to its end'
          : 'mend what the message says and run again',
    });
  },
};
