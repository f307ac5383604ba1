import { notJudged, percent, type Rule, reasons, round } from '../rule.ts';

/** CPU of the generator while it ran, and of its machine. */
export const rule: Rule = {
  id: 'generator-cpu',
  title: "Generator's CPU",
  judge: (facts, limits) => {
    const generator = facts.run?.generator;
    if (generator === undefined || generator.cpuCores.length < 3) {
      return notJudged("the generator's CPU was not recorded; run through bookstore-load run");
    }
    const { cores } = generator;
    const shareAbove = (series: readonly number[], share: number) =>
      series.filter((used) => used >= share * cores).length / Math.max(1, series.length);
    const sustained = limits(rule.id, 'sustained');
    const peak = Math.max(...generator.cpuCores) / cores;
    for (const severity of ['invalid', 'suspect'] as const) {
      const limit = limits(rule.id, severity === 'invalid' ? 'invalidShare' : 'suspectShare');
      const time = shareAbove(generator.cpuCores, limit);
      if (time < sustained) continue;
      return reasons({
        rule: rule.id,
        severity,
        message: `The generator used ${percent(limit)} or more of its ${cores} cores in ${percent(time)} of the run (peak ${percent(peak)}): it sends late, and that looks like latency.`,
        numbers: { cores, peakShare: peak, timeAbove: time },
        limit: `below ${percent(limits(rule.id, 'suspectShare'))} in all but ${percent(sustained)} of the time`,
        remedy: 'give the generator more cores, spread the load over workers, or drop costly checks and outputs',
      });
    }
    const machine = shareAbove(generator.machineCores, limits(rule.id, 'machineShare'));
    if (generator.machineCores.length < 3 || machine < limits(rule.id, 'machineSustained')) return reasons();
    return reasons({
      rule: rule.id,
      severity: 'suspect',
      message: `The generator's machine was fully busy in ${percent(machine)} of the run, by others than the generator (its own peak: ${round(peak * cores)} cores).`,
      numbers: { cores, machineTimeAbove: machine, peakShare: peak },
      limit: `machine busy in less than ${percent(limits(rule.id, 'machineSustained'))} of the time`,
      remedy: 'run the generator on a machine of its own, away from the system under test',
    });
  },
};
