import { shortPercent } from '../../../lib/model/figures.ts';
import { METRICS } from '../../../lib/model/names.ts';
import { notJudged, type Rule, reasons } from '../rule.ts';

/** Iterations that ended with an exception; k6 counts them as finished. */
export const rule: Rule = {
  id: 'iterations-throwing',
  title: 'Iterations that threw',
  judge: (facts, limits) => {
    const { finished } = facts.iterations;
    const counted = facts.counters[METRICS.flowErrors];
    const logged = facts.log?.exceptions;
    const thrown = Math.max(counted ?? 0, logged ?? 0);
    if (counted === undefined && logged === undefined) {
      return notJudged(
        "neither k6's log (--log) nor a flow_errors metric is there, and k6 counts a thrown iteration as finished",
      );
    }
    if (thrown === 0) return reasons();
    const of = Math.max(finished, thrown);
    const share = thrown / of;
    if (share <= limits(rule.id, 'suspectShare')) return reasons();
    const first = facts.log?.firstException;
    return reasons({
      rule: rule.id,
      severity: share > limits(rule.id, 'invalidShare') ? 'invalid' : 'suspect',
      message: `${thrown} of ${of} iterations ended with an exception (${shortPercent(share)})${first === undefined ? '' : `: ${first}`}; nothing after the throw was tested.`,
      numbers: { thrown, iterations: of, share },
      limit: `none; above ${shortPercent(limits(rule.id, 'invalidShare'))} the flows were not run`,
      remedy: 'mend the script or the answer that it did not expect; check a body before reading from it',
    });
  },
};
