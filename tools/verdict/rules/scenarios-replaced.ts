import { notJudged, type Reason, type Rule, reasons } from '../rule.ts';

/** k6's flags that replace the script's scenarios by one of their own. */
const FLAGS = /^(-u|--vus|-d|--duration|-i|--iterations|-s|--stage)(=|$)/;

/** Scenarios of the script that the command line replaced, or that sent nothing. */
export const rule: Rule = {
  id: 'scenarios-replaced',
  title: 'Scenarios replaced by the command line',
  judge: (facts) => {
    const found: Reason[] = [];
    const flag = facts.run?.argv?.find((word) => FLAGS.test(word));
    const environment = Object.keys(facts.run?.env ?? {}).find((name) =>
      /^K6_(VUS|DURATION|ITERATIONS|STAGES)$/.test(name),
    );
    const replaced =
      flag ?? environment ?? (facts.log?.overridden === true ? 'an option of a higher level' : undefined);
    if (replaced !== undefined) {
      found.push({
        rule: rule.id,
        severity: 'invalid',
        message: `The scenarios of the script were replaced by ${replaced}: the designed load was not sent.`,
        numbers: { option: replaced },
        limit: "the script's own scenarios",
        remedy:
          'leave --vus, --duration, --iterations and --stage away; use the variables of the suite (RATE, DURATION)',
      });
    }
    const named = facts.plan?.scenarios.filter((scenario) => scenario.name !== '*') ?? [];
    if (named.length === 0 && found.length === 0) {
      return notJudged('the scenarios of the script are unknown; run through bookstore-load run');
    }
    const seen = new Set(facts.scenarios.map((scenario) => scenario.name));
    const silent = named.filter((scenario) => (scenario.iterations ?? 1) >= 1 && !seen.has(scenario.name));
    if (named.length > 0 && silent.length > 0 && facts.iterations.finished > 0) {
      found.push({
        rule: rule.id,
        severity: 'invalid',
        message: `${silent.map((scenario) => scenario.name).join(', ')} of the plan sent nothing; seen: ${[...seen].join(', ') || 'no scenario'}.`,
        numbers: { silent: silent.length, planned: named.length },
        limit: 'every planned scenario leaves samples',
        remedy: 'check that the plan belongs to this run, and that nothing replaced the scenarios',
      });
    }
    return reasons(...found);
  },
};
