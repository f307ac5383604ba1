import { largest, smallest } from '../../../lib/model/extremes.ts';
import { shortPercent } from '../../../lib/model/figures.ts';
import type { PlannedLoad } from '../planned-load.ts';
import { FINE, notJudged, type Rule, reasons, round } from '../rule.ts';

/** The run ended well before its plan. */
export const rule: Rule = {
  id: 'stopped-early',
  title: 'Stopped early',
  judge: (facts, limits) => {
    const { plan, window } = facts;
    if (plan?.seconds === undefined) return notJudged('the planned duration is unknown; give --plan duration=…');
    // Load against load: setup(), a paused start and teardown() are in neither. A summary tells only the whole.
    const planned = plan.seconds - smallest(plan.scenarios.map(({ startSeconds }) => startSeconds));
    const { loadFromMs, loadToMs } = window;
    const lasted = loadFromMs === undefined || loadToMs === undefined ? window.seconds : (loadToMs - loadFromMs) / 1000;
    // The first sample comes when the first answer does: allow that, and the last session's thinking.
    if (facts.summaryOnly && lasted === 0) return notJudged('the summary does not tell how long the run lasted');
    const longest =
      largest(
        facts.scenarios.map((scenario) => scenario.iteration?.p90Ms ?? 0),
        0,
      ) / 1000;
    const slack = limits(rule.id, 'slackSeconds') + longest + firstAndLastArrival(plan);
    if (lasted + slack >= planned) return FINE;
    const share = lasted / planned;
    const byThreshold = facts.log?.abortedByThreshold === true || facts.run?.exitCode === 99;
    const endingKnown = facts.run?.exitCode !== undefined || facts.run?.cutOff === true;
    if (share >= limits(rule.id, 'suspectBelow')) return FINE;
    return reasons({
      rule: rule.id,
      severity: share < limits(rule.id, 'invalidBelow') ? 'invalid' : 'suspect',
      message: `Stopped early: load was sent for ${round(lasted, 1)} s of ${round(planned, 1)} s planned (${shortPercent(share)})${byThreshold ? ', by a threshold that may abort' : ''}.`,
      numbers: { seconds: lasted, planned, share },
      limit: `at least ${shortPercent(limits(rule.id, 'suspectBelow'))} of the planned duration`,
      remedy: byThreshold
        ? 'set delayAbortEval beyond the ramp, or drop abortOnFail while the numbers matter'
        : endingKnown
          ? 'let the run come to its end; how it ended is said beside this'
          : 'let the run come to its end: a signal, an abort by the script or a threshold with abortOnFail ends it before',
    });
  },
};

/**
 * Seconds at both ends of a plan in which no session need begin: three mean gaps between random arrivals (5 % are longer), or, where
 * the rate climbs from 0, the time to the first arrival: of N in T seconds it comes after T / sqrt(N).
 */
function firstAndLastArrival({ scenarios }: PlannedLoad): number {
  const gaps = scenarios.map(({ seconds, iterations, open, steady }) => {
    if (!open || seconds === undefined || iterations === undefined || iterations <= 0) return 0;
    return steady ? (3 * seconds) / iterations : seconds / Math.sqrt(iterations);
  });
  return smallest(gaps);
}
