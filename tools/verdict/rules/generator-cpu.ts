import { largest } from '../../../lib/model/extremes.ts';
import { shortPercent } from '../../../lib/model/figures.ts';
import type { Facts, GeneratorFacts } from '../facts.ts';
import { notJudged, type Rule, reasons, round } from '../rule.ts';

/** Samples (one a second) that tell a share of the time from a moment. */
const FEWEST_SAMPLES = 3;

/** CPU of the generator while it sent load, and of its machine. */
export const rule: Rule = {
  id: 'generator-cpu',
  title: "Generator's CPU",
  judge: (facts, limits) => {
    const recorded = facts.run?.generator;
    if (recorded === undefined || recorded.cpuCores.length < FEWEST_SAMPLES) {
      return notJudged("the generator's CPU was not recorded; run through bookstore-load run");
    }
    const { cores } = recorded;
    const generator = whileLoading(recorded, facts.window);
    if (generator.cpuCores.length < FEWEST_SAMPLES) {
      return notJudged(
        `load was sent during ${generator.cpuCores.length} samples of the generator's CPU; it takes ${FEWEST_SAMPLES}`,
      );
    }
    const shareAbove = (series: readonly number[], share: number) =>
      series.filter((used) => used >= share * cores).length / Math.max(1, series.length);
    const sustained = limits(rule.id, 'sustained');
    const peak = largest(generator.cpuCores) / cores;
    for (const severity of ['invalid', 'suspect'] as const) {
      const limit = limits(rule.id, severity === 'invalid' ? 'invalidShare' : 'suspectShare');
      const time = shareAbove(generator.cpuCores, limit);
      if (time < sustained) continue;
      return reasons({
        rule: rule.id,
        severity,
        message: `The generator used ${shortPercent(limit)} or more of its ${cores} cores in ${shortPercent(time)} of the time that it sent load (peak ${shortPercent(peak)}): it sends late, and that looks like latency.`,
        numbers: { cores, peakShare: peak, timeAbove: time },
        limit: `below ${shortPercent(limits(rule.id, 'suspectShare'))} in all but ${shortPercent(sustained)} of the time`,
        remedy: 'give the generator more cores, spread the load over workers, or drop costly checks and outputs',
      });
    }
    const machine = shareAbove(generator.machineCores, limits(rule.id, 'machineShare'));
    if (generator.machineCores.length < 3 || machine < limits(rule.id, 'machineSustained')) return reasons();
    return reasons({
      rule: rule.id,
      severity: 'suspect',
      message: `The generator's machine was fully busy in ${shortPercent(machine)} of the time that it sent load, by others than the generator (its own peak: ${round(peak * cores)} cores).`,
      numbers: { cores, machineTimeAbove: machine, peakShare: peak },
      limit: `machine busy in less than ${shortPercent(limits(rule.id, 'machineSustained'))} of the time`,
      remedy: 'run the generator on a machine of its own, away from the system under test',
    });
  },
};

/**
 * The samples that lie within the load. Starting VUs takes all the CPU there is and delays no request; k6 does it before
 * the first session, and so does the embedded engine.
 */
function whileLoading(
  { timeMs, cpuCores, machineCores }: GeneratorFacts,
  { loadFromMs, loadToMs }: Facts['window'],
): Pick<GeneratorFacts, 'cpuCores' | 'machineCores'> {
  if (loadFromMs === undefined || loadToMs === undefined || timeMs.length !== cpuCores.length) {
    return { cpuCores, machineCores };
  }
  const began = (i: number) => timeMs[i - 1] ?? 2 * (timeMs[0] as number) - (timeMs[1] as number);
  const within = (_: number, i: number) => began(i) >= loadFromMs && (timeMs[i] as number) <= loadToMs;
  return { cpuCores: cpuCores.filter(within), machineCores: machineCores.filter(within) };
}
