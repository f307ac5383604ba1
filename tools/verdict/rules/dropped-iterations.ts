import { largest } from '../../../lib/model/extremes.ts';
import { shortPercent } from '../../../lib/model/figures.ts';
import { optional } from '../../base/optional.ts';
import type { Facts } from '../facts.ts';
import type { Limits } from '../limits.ts';
import { isBatch } from '../planned-load.ts';
import { plural, type Reason, type Rule, reasons } from '../rule.ts';

/** Planned iterations that were never started: no VU was free, or a batch job's time was up. */
export const rule: Rule = {
  id: 'dropped-iterations',
  title: 'Dropped iterations, also while VUs were being added',
  judge: (facts, limits) => {
    const jobs = batchJobs(facts);
    const left = jobs.reduce((sum, job) => sum + job.dropped, 0);
    const done = jobs.reduce((sum, job) => sum + job.finished, 0);
    const { finished, dropped } = facts.iterations;
    return reasons(
      ...jobs.filter((job) => job.dropped > 0).map((job) => unfinished(job, limits)),
      withoutVU(facts, { finished: finished - done, dropped: dropped - left }, limits),
    );
  },
};

interface Job {
  readonly name: string;
  readonly finished: number;
  readonly dropped: number;
  /** How long it ran, and might have, s. */
  readonly seconds?: number;
  readonly maxSeconds?: number;
}

/** Batch jobs by the plan, or where it is unknown, by rows that stand for more than one iteration. */
function batchJobs({ plan, scenarios, iterations }: Facts): Job[] {
  const batches = plan?.scenarios.filter(isBatch) ?? [];
  if (plan !== undefined && batches.length === plan.scenarios.length && scenarios.length === 0) {
    return batches
      .slice(0, 1)
      .map(({ maxSeconds }) => ({ name: '*', ...iterations, ...optional('maxSeconds', maxSeconds) }));
  }
  return scenarios.flatMap((one) => {
    const planned = plan?.scenarios.find(({ name }) => name === one.name || name === '*');
    const isJob = planned === undefined ? one.dropped > (one.dropRows ?? one.dropped) : isBatch(planned);
    if (!isJob) return [];
    const { name, finished, dropped } = one;
    return [
      {
        name,
        finished,
        dropped,
        seconds: one.lastSecond - one.firstSecond,
        ...optional('maxSeconds', planned?.maxSeconds),
      },
    ];
  });
}

/** A batch job that `maxDuration` ended: every VU was busy to the end, more of the work than of them was left. */
function unfinished({ name, finished, dropped, seconds, maxSeconds }: Job, limits: Limits): Reason {
  const asked = finished + dropped;
  const share = dropped / asked;
  const needed =
    seconds === undefined || finished === 0 ? '' : ` (about ${Math.ceil((seconds * asked) / finished)} s at this pace)`;
  return {
    rule: rule.id,
    severity: share > limits(rule.id, 'invalidShare') ? 'invalid' : 'suspect',
    message: `${dropped} of ${asked} iterations (${shortPercent(share)})${name === '*' ? '' : ` of ${name}`} were never started: maxDuration${maxSeconds === undefined ? '' : ` (${maxSeconds} s)`} ended the job before its work was done.`,
    numbers: { scenario: name, dropped, asked, share },
    limit: `no iteration left; above ${shortPercent(limits(rule.id, 'invalidShare'))} the run is another test`,
    remedy: `raise maxDuration above what the whole job takes${needed}, or give it more VUs or fewer iterations`,
  };
}

/** Iterations of an arrival rate for which no VU was free. */
function withoutVU(facts: Facts, { finished, dropped }: Facts['iterations'], limits: Limits): Reason | undefined {
  if (dropped <= 0) return undefined;
  const asked = finished + dropped;
  const share = dropped / asked;
  const growth = whileGrowing(facts);
  const numbers = { dropped, asked, share, ...optional('whileVUsWereAdded', growth?.drops) };
  if (growth !== undefined && growth.drops === dropped) {
    return {
      rule: rule.id,
      severity: 'suspect',
      message: `${plural(dropped, 'drop')} of ${asked} iterations while VUs were being added (${growth.from} to ${growth.to}), none afterwards.`,
      numbers,
      limit: 'no drop at all',
      remedy: `raise preAllocatedVUs to at least ${growth.to}: each VU made during the test costs a session`,
    };
  }
  const invalid = share > limits(rule.id, 'invalidShare');
  return {
    rule: rule.id,
    severity: invalid ? 'invalid' : 'suspect',
    message: `${dropped} of ${asked} iterations (${shortPercent(share)}) were dropped because no VU was free: the system got less load than planned.`,
    numbers,
    limit: `no drop; above ${shortPercent(limits(rule.id, 'invalidShare'))} the run is another test`,
    remedy:
      'raise preAllocatedVUs and maxVUs (arrival rate x session time when the system is slow), or lower the rate; if VUs were enough, the generator has too little CPU',
  };
}

/**
 * VUs made after the start, when every drop falls before the last of them was made (plus the second in which the gauge
 * is written) and no more sessions were lost than VUs were made: the harmless kind.
 */
function whileGrowing(facts: Facts): { from: number; to: number; drops: number } | undefined {
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
