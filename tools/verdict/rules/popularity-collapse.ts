import { shortPercent } from '../../../lib/model/figures.ts';
import { FINE, notJudged, type Rule, reasons } from '../rule.ts';

/** One item for (nearly) every request: a cache test. */
export const rule: Rule = {
  id: 'popularity-collapse',
  title: 'Popularity collapsed to one item',
  needsSamples: true,
  judge: (facts, limits) => {
    if (facts.run?.popularity === 'single') {
      return reasons({
        rule: rule.id,
        severity: 'suspect',
        message: 'Every session asked for the same item (popularity "single"): a cache was tested, not the system.',
        numbers: { popularity: 'single' },
        limit: 'a popularity law with more than one item',
        remedy: 'use POPULARITY=power or zipf, or read the result as the best case of the cache',
      });
    }
    // Only names that hold the item itself tell: with templates every item has the same name.
    const items = facts.endpoints.filter((endpoint) => itemOf(endpoint.name) !== undefined);
    const groups = new Map<string, { n: number; top: number; name: string; distinct: number }>();
    for (const endpoint of items) {
      const prefix = endpoint.name.slice(0, endpoint.name.lastIndexOf(itemOf(endpoint.name) ?? ''));
      const group = groups.get(prefix) ?? { n: 0, top: 0, name: '', distinct: 0 };
      const leads = endpoint.n > group.top;
      groups.set(prefix, {
        n: group.n + endpoint.n,
        distinct: group.distinct + 1,
        top: leads ? endpoint.n : group.top,
        name: leads ? endpoint.name : group.name,
      });
    }
    if (groups.size === 0) {
      if (facts.run?.popularity !== undefined) return FINE;
      return notJudged(
        'names are templates, so the item of a request is not in the samples; the manifest of bookstore-load run says the law',
      );
    }
    const found = [...groups.values()].filter(
      (group) => group.n >= limits(rule.id, 'minimum') && group.top / group.n > limits(rule.id, 'topShare'),
    );
    return reasons(
      ...found.slice(0, 3).map((group) => ({
        rule: rule.id,
        severity: 'suspect' as const,
        message: `${shortPercent(group.top / group.n)} of ${group.n} requests of one kind went to ${group.name} (${group.distinct} distinct items): a cache was tested, not the system.`,
        numbers: { share: group.top / group.n, requests: group.n, distinct: group.distinct },
        limit: `at most ${shortPercent(limits(rule.id, 'topShare'))} of the requests for one item`,
        remedy: 'pick items by the popularity law of the access log',
      })),
    );
  },
};

/** The last path segment, when it looks like the id of one item. */
export function itemOf(name: string): string | undefined {
  const last = /\/([^/?#]+)\/?(?:[?#].*)?$/.exec(name)?.[1];
  return last !== undefined && (/^\d+$/.test(last) || /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(last)) ? last : undefined;
}
