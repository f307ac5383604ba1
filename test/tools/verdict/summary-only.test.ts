/** What a summary without its samples tells, and what it must not seem to. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { RULES } from '../../../tools/verdict/judge.ts';
import { merge } from '../../../tools/verdict/merge/merge.ts';
import { printAnalysis } from '../../../tools/verdict/print.ts';
import { fixture, fixtureText, made } from './support.ts';

const EXPORT = 'mix.summary-export.json';

/** The recorded summary with other counters beside its own. */
function withCounters(counters: Readonly<Record<string, number>>): string {
  const summary = JSON.parse(fixtureText('mix.summary.json')) as { metrics: Record<string, object> };
  for (const [name, count] of Object.entries(counters))
    summary.metrics[name] = { type: 'counter', contains: 'default', values: { count, rate: 1 } };
  return made('summary.json', JSON.stringify(summary));
}

describe('a summary alone', () => {
  it.each(['mix.summary.json', EXPORT])('%s: no rule that looks at samples calls it fine', async (name) => {
    const { verdict } = await analyse({ paths: [fixture(name)] });
    const looking = RULES.filter((rule) => rule.needsSamples).map((rule) => rule.id);
    expect(looking.length).toBeGreaterThan(10);
    expect(verdict.fine.filter((rule) => looking.includes(rule))).toEqual([]);
    expect(verdict.notJudged.map(({ rule }) => rule)).toEqual(expect.arrayContaining(looking));
    for (const rule of ['no-answer', 'rate-limited', 'exhausted-data'])
      expect(verdict.notJudged).toContainEqual({ rule, why: 'a summary has no raw samples' });
  });

  it('tells by the suite’s own counters what k6 does not count', async () => {
    const path = withCounters({ no_response: 3, rate_limited: 40, out_of_stock: 0 });
    const analysis = await analyse({ paths: [path] });
    const own = Object.fromEntries(analysis.verdict.reasons.map(({ rule, message }) => [rule, message]));
    expect(own['no-answer']).toMatch(/^3 requests of 81 \(3.7 %\) had no answer\. They/);
    expect(own['rate-limited']).toMatch(/^Rate limiter met: 40 of 81 requests/);
    expect(analysis.verdict.fine).toContain('exhausted-data');
    expect(printAnalysis(analysis)).toContain('36 failed, 3 without an answer.');
  });

  it('of this suite lacks the counters that nothing was added to', async () => {
    const summary = JSON.parse(fixtureText('mix.summary.json')) as object;
    const path = made('suite.json', JSON.stringify({ ...summary, bookstoreLoad: {} }));
    const { verdict, facts } = await analyse({ paths: [path] });
    expect(facts.requests.noAnswer).toBe(0);
    expect(verdict.fine).toEqual(expect.arrayContaining(['no-answer', 'rate-limited', 'exhausted-data']));
  });

  it('says nothing of answers that it does not count, and takes its length from a number and its rate', async () => {
    const [export_, whole] = [
      await analyse({ paths: [fixture(EXPORT)] }),
      await analyse({ paths: [fixture('mix.summary.json')] }),
    ];
    expect(printAnalysis(export_)).toContain('81 requests in 4.0 s, 36 failed.');
    expect(export_.facts.window.seconds).toBeCloseTo(whole.facts.window.seconds, 6);
    const timeless = made('timeless.json', fixtureText(EXPORT).replace(/"rate": [\d.]+/g, '"rate": 0'));
    const analysis = await analyse({ paths: [timeless], plan: 'duration=60s' });
    expect(printAnalysis(analysis)).toContain('81 requests, 36 failed.');
    expect(analysis.verdict.notJudged).toContainEqual({
      rule: 'stopped-early',
      why: 'the summary does not tell how long the run lasted',
    });
  });

  it('is not added to itself', async () => {
    const copy = made('copy.json', readFileSync(fixture('w1.summary.json')));
    await expect(merge([fixture('w1.summary.json'), fixture('w2.summary.json'), copy], {})).rejects.toThrow(
      /w1\.summary\.json and \S*copy\.json hold the same summary/,
    );
  });
});
