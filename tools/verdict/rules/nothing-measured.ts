import { FINE, type Rule, reasons } from '../rule.ts';

/** A run that finished no iteration. */
export const rule: Rule = {
  id: 'nothing-measured',
  title: 'Setup crashed or nothing measured',
  judge: (facts) => {
    const crashed = facts.log?.setupFailed === true;
    const { finished } = facts.iterations;
    if (!crashed && (finished > 0 || facts.requests.n > 0)) return FINE;
    const why = crashed
      ? 'the script threw before its iterations (init or setup), or setup timed out'
      : 'no iteration finished and no request was sent';
    // Thresholds without samples are green for k6; those on counts may not be, and a killed k6 judged none.
    const green = facts.objectives.some((one) => one.outcome === 'crossed')
      ? ''
      : '; every threshold of such a run is green';
    return reasons({
      rule: rule.id,
      severity: 'invalid',
      message: `Nothing was measured: ${why}${green}.`,
      numbers: { iterations: finished, requests: facts.requests.n },
      limit: 'at least one finished iteration',
      remedy: "read k6's log from its beginning; setup() says there what it did not find",
    });
  },
};
