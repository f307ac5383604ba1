import { largest } from '../../../lib/model/extremes.ts';
import { FINE, notJudged, type Rule, reasons } from '../rule.ts';

/** Every VU that the plan allows was in use. `vus_max` counts VUs made, so it says nothing of the ceiling. */
export const rule: Rule = {
  id: 'vu-ceiling',
  title: 'All VUs that the plan allows were busy',
  judge: (facts, limits) => {
    const open = facts.plan?.scenarios.filter((scenario) => scenario.open) ?? [];
    if (facts.log?.vuCeiling === true)
      return hit(
        facts.plan?.maxVUs,
        largest(
          facts.vus.map((point) => point.value),
          0,
        ),
      );
    if (facts.plan === undefined)
      return notJudged('the allowed number of VUs is unknown (vus_max counts those made); give --plan maxVUs=…');
    if (open.length === 0) return FINE;
    const ceiling = facts.plan.maxVUs;
    if (ceiling === undefined) return notJudged('the plan names no maxVUs; give --plan maxVUs=…');
    if (facts.vus.length === 0) return notJudged('the samples hold no vus gauge (runs under a second have none)');
    const busiest = largest(facts.vus.map((point) => point.value));
    return busiest >= ceiling * limits(rule.id, 'shareOfMax') ? hit(ceiling, busiest) : FINE;
  },
};

function hit(ceiling: number | undefined, busiest: number) {
  const said =
    ceiling === undefined
      ? 'k6 had no VU left'
      : `all ${ceiling} VUs that the plan allows were busy (vus reached ${busiest})`;
  return reasons({
    rule: rule.id,
    severity: 'suspect',
    message: `VU ceiling hit: ${said}, so arrivals had to be dropped or wait.`,
    numbers: { busiest, ...(ceiling === undefined ? {} : { maxVUs: ceiling }) },
    limit: 'fewer busy VUs than maxVUs',
    remedy: "raise maxVUs; by Little's law it is arrival rate x session time in the degraded case",
  });
}
