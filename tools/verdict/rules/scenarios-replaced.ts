import type { Facts } from '../facts.ts';
import { notJudged, type Reason, type Rule, reasons } from '../rule.ts';

/** k6's flags that replace the script's scenarios by one of their own. */
const FLAGS = /^(-u|--vus|-d|--duration|-i|--iterations|-s|--stage)(=|$)/;

/** The flag or variable that would replace the script's scenarios. */
function flagOf({ run }: Facts): string | undefined {
  return (
    run?.argv?.find((word) => FLAGS.test(word)) ??
    Object.keys(run?.env ?? {}).find((name) => /^K6_(VUS|DURATION|ITERATIONS|STAGES)$/.test(name))
  );
}

/** Scenarios of the script that the command line replaced, or that sent nothing. */
export const rule: Rule = {
  id: 'scenarios-replaced',
  title: 'Scenarios replaced by the command line',
  judge: (facts) => {
    const found: Reason[] = [];
    const said = facts.log?.overridden === true ? (facts.log.overriddenBy ?? 'k6 says so in its log') : undefined;
    if (said !== undefined) {
      found.push({
        rule: rule.id,
        severity: 'invalid',
        message: `Scenarios were replaced, so the designed load was not sent; k6 warned: ${said}.`,
        numbers: { option: flagOf(facts) ?? said },
        limit: "the script's own scenarios",
        remedy:
          'leave --vus, --duration, --iterations and --stage (and K6_... variables and config files of the same) away; use the variables of the suite (RATE, DURATION)',
      });
    }
    // k6 warns when a flag replaces scenarios; a script without any is given its load by flags.
    const flag = flagOf(facts);
    if (flag !== undefined && facts.log === undefined) {
      return notJudged(`${flag} replaces the script's scenarios if it has any, which only k6's log tells (--log)`);
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
