import { FINE, notJudged, type Rule, reasons } from '../rule.ts';

/** Generator and system on one host, and whether there was TLS. */
export const rule: Rule = {
  id: 'same-host',
  title: 'Same host',
  judge: (facts) => {
    if (facts.run?.sameHost === undefined || facts.run.sameHost === null) {
      return notJudged('whether generator and system share a host is unknown; run through bookstore-load run');
    }
    if (!facts.run.sameHost) return FINE;
    return reasons({
      rule: rule.id,
      severity: 'note',
      message: `Generator and system ran on the same host: no network${facts.run.tls === true ? '' : ' and no TLS'} in the latency, and both share the CPU.`,
      numbers: {},
      limit: 'two hosts for numbers that are compared with production',
      remedy: 'say so beside every number, or run the generator elsewhere',
    });
  },
};
