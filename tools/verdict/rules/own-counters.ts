import { shortPercent } from '../../../lib/model/figures.ts';
import { FINE, type Rule, reasons } from '../rule.ts';

/** What the suite counts to be known: said in the suite's own words, which name no more than it counted. */
export const rule: Rule = {
  id: 'own-counters',
  title: "What the suite's own counters say",
  judge: (facts) => {
    const notes = Object.entries(facts.run?.counters ?? {}).filter(([, { means }]) => means === 'note');
    const found = notes.flatMap(([metric, { says }]) => {
      const n = facts.counters[metric] ?? 0;
      return n > 0 ? [{ metric, n, says: says.replace('{n}', n.toLocaleString('en-US')) }] : [];
    });
    if (found.length === 0) return FINE;
    return reasons(
      ...found.map(({ metric, n, says }) => ({
        rule: rule.id,
        severity: 'note' as const,
        message: `${says} (${metric}, ${shortPercent(n / Math.max(1, facts.requests.n))} of the requests).`,
        numbers: { metric, n, requests: facts.requests.n },
        limit: `none of the verdict; an objective may set one: {"${metric}": ["count==0"]}`,
        remedy: 'read the numbers with that in mind',
      })),
    );
  },
};
