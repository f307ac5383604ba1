import { exitMeaningLater } from '../../../lib/k6/exit-codes.ts';
import type { Facts } from '../facts.ts';
import { endingKnown } from '../proof.ts';
import { FINE, type Judgement, notJudged, type Rule, reasons } from '../rule.ts';

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
    if (run?.exitCode === undefined) return toldByConsole(facts);
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

/** Without an exit code, what k6 prints tells whether it came to its end, and which scenarios did not. */
function toldByConsole(facts: Facts): Judgement {
  const told = facts.log?.console;
  if (told === undefined) {
    if (endingKnown(facts)) return FINE;
    return notJudged('how k6 ended is unknown; give what it prints with --log, or run through bookstore-load run');
  }
  // One whose iterations are counted may end before its time or run out of it, which the accounting tells.
  const timed = told.stopped.filter(({ scenario }) => {
    const plan = facts.plan?.scenarios.find((one) => one.name === scenario);
    return plan === undefined || plan.seconds !== undefined;
  });
  if (told.ended && (timed.length === 0 || facts.log?.abortedByThreshold === true)) return FINE;
  const which = timed.map(({ scenario, percent }) => `${scenario} at ${percent} %`).join(', ');
  return reasons({
    rule: rule.id,
    severity: 'invalid',
    message: told.ended
      ? `k6 stopped before the end of its scenarios: ${which}.`
      : 'What k6 printed stops before the end of the run: k6 was killed, or its text was cut.',
    numbers: { scenarios: timed.length },
    limit: 'a run that came to its end',
    remedy: 'let the run come to its end, and keep all that k6 prints',
  });
}
