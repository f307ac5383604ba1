import { FINE, plural, type Rule, reasons } from '../rule.ts';

/** A run that finished no iteration. */
export const rule: Rule = {
  id: 'nothing-measured',
  title: 'Setup crashed or nothing measured',
  judge: (facts) => {
    const crashed = facts.log?.setupFailed === true;
    const { finished } = facts.iterations;
    // What setup() and teardown() send is no load; a summary does not tell it apart, but k6 says what was interrupted.
    const sent = facts.scenarios.reduce((sum, { requests }) => sum + requests, 0);
    const begun = finished > 0 || sent > 0 || (facts.log?.interrupted ?? 0) > 0;
    if (!crashed && begun) return FINE;
    const { n } = facts.requests;
    const why = crashed
      ? 'the script threw before its iterations (init or setup), or setup timed out'
      : n === 0
        ? 'no iteration finished and no request was sent'
        : `no iteration finished; ${plural(n, 'request')} of setup() or teardown() ${n === 1 ? 'is' : 'are'} no load`;
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
