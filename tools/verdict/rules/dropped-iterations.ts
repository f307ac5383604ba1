import { largest } from '../../../lib/model/extremes.ts';
import { shortPercent } from '../../../lib/model/figures.ts';
import { optional } from '../../base/optional.ts';
import { FINE, plural, type Rule, reasons } from '../rule.ts';

/** Planned iterations that were never started because no VU was free. */
export const rule: Rule = {
  id: 'dropped-iterations',
  title: 'Dropped iterations, also while VUs were being added',
  judge: (facts, limits) => {
    const { dropped, finished } = facts.iterations;
    if (dropped === 0) return FINE;
    const asked = finished + dropped;
    const share = dropped / asked;
    const growth = whileGrowing(facts);
    const numbers = { dropped, asked, share, ...optional('whileVUsWereAdded', growth?.drops) };
    if (growth !== undefined && growth.drops === dropped) {
      return reasons({
        rule: rule.id,
        severity: 'suspect',
        message: `${plural(dropped, 'drop')} of ${asked} iterations while VUs were being added (${growth.from} to ${growth.to}), none afterwards.`,
        numbers,
        limit: 'no drop at all',
        remedy: `raise preAllocatedVUs to at least ${growth.to}: each VU made during the test costs a session`,
      });
    }
    const invalid = share > limits(rule.id, 'invalidShare');
    return reasons({
      rule: rule.id,
      severity: invalid ? 'invalid' : 'suspect',
      message: `${dropped} of ${asked} iterations (${shortPercent(share)}) were dropped because no VU was free: the system got less load than planned.`,
      numbers,
      limit: `no drop; above ${shortPercent(limits(rule.id, 'invalidShare'))} the run is another test`,
      remedy:
        'raise preAllocatedVUs and maxVUs (arrival rate x session time when the system is slow), or lower the rate; if VUs were enough, the generator has too little CPU',
    });
  },
};

/**
 * VUs made after the start, when every drop falls before the last of them was made (plus the second in which the gauge
 * is written) and no more sessions were lost than VUs were made: the harmless kind.
 */
function whileGrowing(facts: Parameters<Rule['judge']>[0]): { from: number; to: number; drops: number } | undefined {
  const points = facts.vusMax;
  const to = largest(
    points.map((point) => point.value),
    0,
  );
  const planned = facts.plan?.scenarios.map((scenario) => scenario.preAllocatedVUs);
  const known = planned !== undefined && planned.length > 0 && !planned.includes(undefined);
  const from = known ? planned.reduce<number>((sum, vus) => sum + (vus ?? 0), 0) : undefined;
  const ceiling = facts.plan?.maxVUs;
  if (to === 0 || (ceiling !== undefined && to >= ceiling)) return undefined;
  const settled = points.find((point) => point.value >= to)?.second ?? 0;
  const late = facts.seconds.some((entry) => entry.dropped > 0 && entry.second > settled + 1);
  const made = to - (from ?? 0);
  if (late || facts.iterations.dropped > made) return undefined;
  // Without a plan, drops early in the run and a pool that stopped growing afterwards are all that can be seen.
  if (from === undefined && settled > facts.window.seconds / 2) return undefined;
  return { from: from ?? Math.max(0, to - facts.iterations.dropped), to, drops: facts.iterations.dropped };
}
