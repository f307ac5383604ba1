import { largest, smallest } from '../../../lib/model/extremes.ts';
import { shortPercent } from '../../../lib/model/figures.ts';
import { FINE, notJudged, type Rule, reasons, round } from '../rule.ts';

/** Open sessions by the gauge against arrival rate x session time. */
export const rule: Rule = {
  id: 'littles-law',
  title: "Little's law",
  needsSamples: true,
  judge: (facts, limits) => {
    if (facts.plan?.scenarios.some((scenario) => scenario.open && !scenario.steady)) {
      return notJudged('the arrival rate is not meant to be constant');
    }
    const scenarios = facts.scenarios.filter((scenario) => scenario.iteration !== undefined && scenario.finished > 0);
    const longest =
      largest(
        scenarios.map((scenario) => scenario.iteration?.p90Ms ?? 0),
        0,
      ) / 1000;
    const begin = smallest(scenarios.map((scenario) => scenario.firstSecond)) + longest;
    const end =
      largest(
        scenarios.map((scenario) => scenario.lastSecond),
        0,
      ) - longest;
    const points = facts.vus.filter((point) => point.second >= begin && point.second <= end);
    if (scenarios.length === 0 || points.length < limits(rule.id, 'minimumPoints')) {
      return notJudged('too few readings of the number of VUs between the first and the last session');
    }
    if (overlapping(scenarios)) return notJudged('the scenarios ran one after the other');
    const open = points.reduce((sum, point) => sum + point.value, 0) / points.length;
    const expected = scenarios.reduce(
      (sum, scenario) =>
        sum +
        (scenario.finished * (scenario.iteration?.meanMs ?? 0)) /
          1000 /
          Math.max(1e-9, scenario.lastSecond - scenario.firstSecond),
      0,
    );
    const gap = Math.abs(open - expected);
    if (gap <= limits(rule.id, 'absoluteVUs') || gap <= limits(rule.id, 'relative') * expected) return FINE;
    return reasons({
      rule: rule.id,
      severity: 'suspect',
      message: `Little's law does not hold: ${round(open, 1)} VUs were busy on average, arrival rate x session time says ${round(expected, 1)}; sessions are missing from the samples, or the run was not stable.`,
      numbers: { busyVUs: open, expected },
      limit: `within ${shortPercent(limits(rule.id, 'relative'))} or ${limits(rule.id, 'absoluteVUs')} VUs`,
      remedy:
        'look for sessions that were cut off (raise gracefulStop), lost rows, or a backlog that still grew at the end',
    });
  },
};

/** Whether some scenarios did not run during most of the others' time. */
function overlapping(scenarios: readonly { firstSecond: number; lastSecond: number }[]): boolean {
  const begin = largest(scenarios.map((scenario) => scenario.firstSecond));
  const end = smallest(scenarios.map((scenario) => scenario.lastSecond));
  const whole =
    largest(scenarios.map((scenario) => scenario.lastSecond)) -
    smallest(scenarios.map((scenario) => scenario.firstSecond));
  return end - begin < 0.7 * whole;
}
