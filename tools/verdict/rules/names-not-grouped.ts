import { FINE, type Rule, reasons } from '../rule.ts';

/** One name per URL. */
export const rule: Rule = {
  id: 'names-not-grouped',
  title: 'Names not grouped',
  needsSamples: true,
  judge: (facts, limits) => {
    const limit = limits(rule.id, 'names');
    if (facts.endpointCount <= limit) return FINE;
    const prefixes = new Map<string, number>();
    for (const { name } of facts.endpoints) {
      const prefix = name.replace(/[?#].*$/, '').replace(/\/[^/]*$/, '/');
      prefixes.set(prefix, (prefixes.get(prefix) ?? 0) + 1);
    }
    const top = [...prefixes]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 3)
      .map(([prefix, n]) => `${prefix}… (${n})`);
    return reasons({
      rule: rule.id,
      severity: 'suspect',
      message: `${facts.endpointCount.toLocaleString('en-US')} distinct request names: they are not grouped, so no percentile has a population. Most below ${top.join(', ')}.`,
      numbers: { names: facts.endpointCount },
      limit: `at most ${limit} names`,
      remedy: "give each request a name tag with the path template, e.g. tags: { name: 'GET /books/{id}' }",
    });
  },
};
