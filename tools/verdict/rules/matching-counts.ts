import type { Facts, SummaryCounts } from '../facts.ts';
import { type Reason, type Rule, reasons, round } from '../rule.ts';

/** Samples against the summary given beside them, and against themselves: one run counts everything once. */
export const rule: Rule = {
  id: 'matching-counts',
  title: 'Samples that agree with the summary and with themselves',
  needsSamples: true,
  judge: (facts, limits) => {
    const { summary, pairs = [] } = facts;
    return reasons(
      summary === undefined ? undefined : againstSummary(facts, summary, limits(rule.id, 'slackSeconds')),
      ...pairs.map(({ metrics, n }) => (n[0] === n[1] ? undefined : unlike(metrics, n))),
    );
  },
};

function againstSummary(facts: Facts, summary: SummaryCounts, slackSeconds: number): Reason | undefined {
  const { requests, iterations, window, endpoints, endpointCount } = facts;
  const differs = (what: string, here: number, there: number | undefined) =>
    there === undefined || there === here ? [] : [`${here} ${what} against ${there}`];
  const load = ((window.loadToMs ?? 0) - (window.loadFromMs ?? 0)) / 1000;
  const seen = new Set(endpoints.map(({ name }) => name));
  const unseen = endpointCount > endpoints.length ? [] : summary.names.filter((name) => !seen.has(name));
  const found = [
    ...differs('requests', requests.n, summary.requests),
    ...differs('finished iterations', iterations.finished, summary.iterations),
    ...differs('dropped iterations', iterations.dropped, summary.dropped),
    ...(summary.seconds !== undefined && load > summary.seconds + slackSeconds
      ? [`${round(load, 1)} s of load in a run of ${round(summary.seconds, 1)} s`]
      : []),
    ...(unseen.length > 0 ? [`no sample of ${unseen.slice(0, 3).join(', ')}`] : []),
  ];
  if (found.length === 0) return undefined;
  return {
    rule: rule.id,
    severity: 'suspect',
    message: `The samples and the summary ${summary.path} are not of one whole run: ${found.join('; ')}.`,
    numbers: {
      requests: requests.n,
      iterations: iterations.finished,
      ...(summary.requests === undefined ? {} : { requestsOfSummary: summary.requests }),
      ...(summary.iterations === undefined ? {} : { iterationsOfSummary: summary.iterations }),
    },
    limit: 'the same counts, names and length',
    remedy:
      'give the summary of the same run; if it is, rows of the samples are lost: record again, to a disk that keeps up',
  };
}

function unlike(metrics: readonly [string, string], n: readonly [number, number]): Reason {
  return {
    rule: rule.id,
    severity: 'suspect',
    message: `${n[0]} rows of ${metrics[0]} stand beside ${n[1]} of ${metrics[1]}, which k6 writes together: rows are lost.`,
    numbers: { [metrics[0]]: n[0], [metrics[1]]: n[1] },
    limit: 'as many of the one as of the other',
    remedy: 'give the file as k6 wrote it; a filter, an editor or a second process has taken rows away',
  };
}
