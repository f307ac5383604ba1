import { shortPercent } from '../../../lib/model/figures.ts';
import { METRICS } from '../../../lib/model/names.ts';
import type { CounterDefinition } from '../../../lib/plan/suite-definition.ts';
import { NO_SAMPLES, notJudged, plural, type Reason, type Rule, reasons } from '../rule.ts';

/** What recordings count that do not say what their suite's counters mean. */
const COUNTERS_BEFORE: Readonly<Record<string, CounterDefinition>> = {
  out_of_stock: { means: 'exhausted', says: '{n} orders found no stock: exhausted test data, no fault of the system' },
};

/** Test data that ran out: pools, what the suite counts as used up, or rows that were `undefined`. */
export const rule: Rule = {
  id: 'exhausted-data',
  title: 'Exhausted test data',
  judge: (facts, limits) => {
    const own = Object.entries(facts.run?.counters ?? COUNTERS_BEFORE).filter(([, { means }]) => means === 'exhausted');
    const told = [METRICS.dataExhausted, ...own.map(([metric]) => metric)].some(
      (metric) => facts.counters[metric] !== undefined,
    );
    if (facts.summaryOnly && !told) return notJudged(NO_SAMPLES);
    const pool = facts.counters[METRICS.dataExhausted] ?? 0;
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
    for (const [metric, { says }] of own) {
      const n = facts.counters[metric] ?? 0;
      say(
        n,
        says.replace('{n}', n.toLocaleString('en-US')),
        'give the test more data before the run, or spread the picks',
      );
    }
    say(
      broken,
      `${plural(broken, 'request')} went to URLs with "undefined" in them, such as ${undefinedNames[0]?.name ?? ''}`,
      'a row beyond the end of a SharedArray is undefined: check the index against the length',
    );
    return reasons(...found);
  },
};
