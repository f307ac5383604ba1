import { shortPercent } from '../../../lib/model/figures.ts';
import { ms, type Reason, type Rule, reasons } from '../rule.ts';

/** Round numbers at which people set time-outs, ms. */
export const ROUND_MS = [
  100, 200, 250, 300, 400, 500, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 6000, 8000, 10_000, 15_000, 20_000, 25_000,
  30_000, 40_000, 45_000, 60_000, 90_000, 100_000, 120_000, 180_000, 300_000,
];

interface Group {
  readonly what: string;
  readonly round: number;
  readonly status: number;
  readonly n: number;
  readonly medianMs: number;
  readonly endpoints: readonly string[];
}

/** Failures that all took the same round time: a configured time-out. */
export const rule: Rule = {
  id: 'timeout-cluster',
  title: 'Failures clustered on a round time',
  needsSamples: true,
  judge: (facts, limits) => {
    const found: Reason[] = [];
    const groups = new Map<string, Group>();
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
      const known = groups.get(`${what} ${round}`);
      groups.set(`${what} ${round}`, {
        what,
        round,
        status: cluster.status,
        n: (known?.n ?? 0) + cluster.n,
        medianMs: known?.medianMs ?? cluster.p50Ms,
        endpoints: [...(known?.endpoints ?? []), cluster.endpoint],
      });
    }
    for (const { what, round, status, n, medianMs, endpoints } of groups.values()) {
      const where =
        endpoints.length > 3
          ? `${endpoints.slice(0, 3).join(', ')} and ${endpoints.length - 3} more`
          : endpoints.join(', ');
      found.push({
        rule: rule.id,
        severity: 'suspect',
        message: `${n} ${what} took ${ms(medianMs)} in the median, right at ${ms(round)}: a configured time-out, not a latency (${where}).`,
        numbers: { status, n, medianMs, timeoutMs: round, endpoints: endpoints.length },
        limit: `median within ${shortPercent(limits(rule.id, 'relativeWidth'))} of a round time and spread below ${shortPercent(limits(rule.id, 'spread'))} of it, at least ${limits(rule.id, 'minimum')} failures`,
        remedy: `find who is set to ${ms(round)} (proxy, gateway, client, pool) and read these failures apart from the answers`,
      });
    }
    return reasons(...found.slice(0, 5));
  },
};
