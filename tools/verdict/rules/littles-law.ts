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
    const apart = whyApart(scenarios);
    if (apart !== undefined) return notJudged(apart);
    const { minIterationSeconds = 0, rps } = facts.plan ?? {};
    // A VU is held for the rest of it, which iteration_duration leaves out.
    const held = (meanMs: number) => Math.max(meanMs / 1000, minIterationSeconds);
    const open = points.reduce((sum, point) => sum + point.value, 0) / points.length;
    const expected = scenarios.reduce(
      (sum, scenario) =>
        sum +
        (scenario.finished * held(scenario.iteration?.meanMs ?? 0)) /
          Math.max(1e-9, scenario.lastSecond - scenario.firstSecond),
      0,
    );
    const gap = Math.abs(open - expected);
    if (gap <= limits(rule.id, 'absoluteVUs') || gap <= limits(rule.id, 'relative') * expected) return FINE;
    return reasons({
      rule: rule.id,
      severity: 'suspect',
      message: `Little's law does not hold: ${round(open, 1)} VUs were busy on average, arrival rate x session time says ${round(expected, 1)}; ${rps === undefined ? 'sessions are missing from the samples, or the run was not stable' : `the option rps (${rps}) makes requests wait for their turn, and sessions pile up before they are sent`}.`,
      numbers: { busyVUs: open, expected },
      limit: `within ${shortPercent(limits(rule.id, 'relative'))} or ${limits(rule.id, 'absoluteVUs')} VUs`,
      remedy:
        rps !== undefined
          ? 'leave rps away and set the arrival rate of the scenarios instead'
          : 'look for sessions that were cut off (raise gracefulStop), lost rows, or a backlog that still grew at the end',
    });
  },
};

/** Why one mean over the time of all says nothing: some scenarios did not run during most of it. */
function whyApart(scenarios: readonly { firstSecond: number; lastSecond: number }[]): string | undefined {
  const begin = largest(scenarios.map((scenario) => scenario.firstSecond));
  const end = smallest(scenarios.map((scenario) => scenario.lastSecond));
  const whole =
    largest(scenarios.map((scenario) => scenario.lastSecond)) -
    smallest(scenarios.map((scenario) => scenario.firstSecond));
  if (end - begin >= 0.7 * whole) return undefined;
  const byBegin = [...scenarios].sort((a, b) => a.firstSecond - b.firstSecond);
  const inTurn = byBegin.every((one, index) => index === 0 || one.firstSecond >= (byBegin[index - 1]?.lastSecond ?? 0));
  return inTurn
    ? 'the scenarios ran one after the other'
    : `the scenarios ran together only during ${round(Math.max(0, end - begin), 0)} of ${round(whole, 0)} s`;
}
