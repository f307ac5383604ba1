import { shortPercent } from '../../../lib/model/figures.ts';
import { FINE, ms, type Rule, reasons } from '../rule.ts';

/** So many failures that an aggregate over all answers misleads. */
export const rule: Rule = {
  id: 'error-heavy',
  title: 'Error-heavy aggregate',
  judge: (facts, limits) => {
    const { n, failed } = facts.requests;
    const share = failed / Math.max(1, n);
    if (n < limits(rule.id, 'minimum') || share < limits(rule.id, 'suspectShare')) return FINE;
    const blend = facts.blends.find((one) => one.endpoint === '*')?.latency;
    const expected = facts.byStatus.filter((one) => /^[23]\d\d$/.test(one.statusClass)).sort((a, b) => b.n - a.n)[0];
    const quantile = (latency: typeof blend, p: number) => latency?.quantiles.find((one) => one.p === p)?.value;
    const all = quantile(blend, 0.5);
    const good = quantile(expected?.latency, 0.5);
    const ratio = all === undefined || good === undefined || all === 0 || good === 0 ? undefined : good / all;
    const visible = limits(rule.id, 'blendRatio');
    const means =
      blend === undefined || expected?.latency === undefined ? undefined : expected.latency.meanMs / blend.meanMs;
    const far = (value: number | undefined) => value !== undefined && (value >= visible || value <= 1 / visible);
    const misleads = far(ratio)
      ? ` The median over all answers is ${ms(all ?? 0)}, that of status ${expected?.statusClass} ${ms(good ?? 0)}: the blend makes the system look ${(ratio ?? 1) > 1 ? 'faster' : 'slower'} than its users find it.`
      : far(means)
        ? ` The mean over all answers is ${ms(blend?.meanMs ?? 0)}, that of status ${expected?.statusClass} ${ms(expected?.latency?.meanMs ?? 0)}: the blend makes the system look ${(means ?? 1) > 1 ? 'faster' : 'slower'} than its users find it.`
        : '';
    const kind = facts.requests.failedByScript
      ? "failed by the script's own expectation"
      : 'failed (4xx, 5xx or no answer)';
    return reasons({
      rule: rule.id,
      severity: 'suspect',
      message: `${failed} of ${n} requests (${shortPercent(share)}) ${kind}; percentiles of the answers that remain speak of the survivors.${misleads}`,
      numbers: {
        failed,
        requests: n,
        share,
        ...(all === undefined ? {} : { blendMedianMs: all }),
        ...(good === undefined ? {} : { expectedMedianMs: good }),
      },
      limit: `below ${shortPercent(limits(rule.id, 'suspectShare'))} failures`,
      remedy: 'read each status class apart, and mend the failures before the latency is believed',
    });
  },
};
