import { ms, type Reason, type Rule, reasons } from '../rule.ts';

/** Round numbers at which people set time-outs, ms. */
export const ROUND_MS = [
  100, 200, 250, 300, 400, 500, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 6000, 8000, 10_000, 15_000, 20_000, 25_000,
  30_000, 40_000, 45_000, 60_000, 90_000, 100_000, 120_000, 180_000, 300_000,
];

/** Failures that all took the same round time: a configured time-out. */
export const rule: Rule = {
  id: 'timeout-cluster',
  title: 'Failures clustered on a round time',
  judge: (facts, limits) => {
    const found: Reason[] = [];
    for (const cluster of facts.failures) {
      if (cluster.n < limits(rule.id, 'minimum')) continue;
      const width = limits(rule.id, 'relativeWidth');
      const round = ROUND_MS.find(
        (value) => cluster.p50Ms >= value * (1 - width / 4) && cluster.p50Ms <= value * (1 + width),
      );
      if (round === undefined || cluster.p90Ms - cluster.p10Ms > limits(rule.id, 'spread') * round) continue;
      const what =
        cluster.status === 0
          ? `requests without an answer (error ${cluster.errorCode})`
          : `answers with status ${cluster.status}`;
      found.push({
        rule: rule.id,
        severity: 'suspect',
        message: `${cluster.n} ${what} of ${cluster.endpoint} took ${ms(cluster.p50Ms)} in the median, right at ${ms(round)}: a configured time-out, not a latency.`,
        numbers: {
          endpoint: cluster.endpoint,
          status: cluster.status,
          n: cluster.n,
          medianMs: cluster.p50Ms,
          timeoutMs: round,
        },
        limit: `median within ${width * 100} % of a round time and spread below ${limits(rule.id, 'spread') * 100} % of it, at least ${limits(rule.id, 'minimum')} failures`,
        remedy: `find who is set to ${ms(round)} (proxy, gateway, client, pool) and read these failures apart from the answers`,
      });
    }
    return reasons(...found.slice(0, 5));
  },
};
