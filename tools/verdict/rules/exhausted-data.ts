import { shortPercent } from '../../../lib/model/figures.ts';
import { METRICS } from '../../../lib/model/names.ts';
import { ENDPOINTS } from '../../../scenarios/bookstore/endpoints.ts';
import { NO_SAMPLES, notJudged, plural, type Reason, type Rule, reasons } from '../rule.ts';

/** Test data that ran out: pools, stock, or rows that were `undefined`. */
export const rule: Rule = {
  id: 'exhausted-data',
  title: 'Exhausted test data',
  judge: (facts, limits) => {
    const told = [METRICS.dataExhausted, METRICS.outOfStock].some((metric) => facts.counters[metric] !== undefined);
    if (facts.summaryOnly && !told) return notJudged(NO_SAMPLES);
    const pool = facts.counters[METRICS.dataExhausted] ?? 0;
    const conflicts = facts.populations
      .filter((population) => population.endpoint === ENDPOINTS.order.name)
      .flatMap((population) => population.statuses)
      .filter((entry) => entry.status === 409)
      .reduce((sum, entry) => sum + entry.n, 0);
    const sold = Math.max(facts.counters[METRICS.outOfStock] ?? 0, conflicts);
    const undefinedNames = facts.endpoints.filter((endpoint) =>
      /(^|[/=])(undefined|NaN|\[object Object\])([/&?]|$)/.test(endpoint.name),
    );
    const broken = undefinedNames.reduce((sum, endpoint) => sum + endpoint.n, 0);
    const found: Reason[] = [];
    const say = (n: number, what: string, remedy: string) => {
      const share = n / Math.max(1, facts.requests.n);
      if (n === 0 || share <= limits(rule.id, 'suspectShare')) return;
      found.push({
        rule: rule.id,
        severity: share > limits(rule.id, 'invalidShare') ? 'invalid' : 'suspect',
        message: `${what} (${shortPercent(share)} of the requests).`,
        numbers: { n, requests: facts.requests.n, share },
        limit: `none; above ${shortPercent(limits(rule.id, 'invalidShare'))} the test ran on used-up data`,
        remedy,
      });
    };
    say(
      pool,
      `A data pool ran out ${plural(pool, 'time')}`,
      'give more rows than the run has iterations, or let the pool wrap and say so',
    );
    say(
      sold,
      `${plural(sold, 'order')} found no stock: exhausted test data, no fault of the system`,
      'top the stock up before the run (one million a book) or spread the picks',
    );
    say(
      broken,
      `${plural(broken, 'request')} went to URLs with "undefined" in them, such as ${undefinedNames[0]?.name ?? ''}`,
      'a row beyond the end of a SharedArray is undefined: check the index against the length',
    );
    return reasons(...found);
  },
};
