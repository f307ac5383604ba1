/** What several workers of one run say together: their plans, endings, generators and logs as those of one. */
import { largest, smallest } from '../../../lib/model/extremes.ts';
import { optional } from '../../base/optional.ts';
import type { ConsoleFacts } from '../console/text.ts';
import type { GeneratorFacts, RunFacts } from '../facts.ts';
import type { LogFacts } from '../log.ts';
import type { PlannedLoad } from '../planned-load.ts';
import { groupBy } from '../populations.ts';

/** The plan of several workers: each has its share of the same scenarios. */
export function joinPlans(plans: readonly PlannedLoad[]): PlannedLoad | undefined {
  const [first] = plans;
  if (first === undefined) return undefined;
  const add = (values: readonly (number | undefined)[]) =>
    values.includes(undefined) ? undefined : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return {
    ...first,
    segment: plans.reduce((sum, plan) => sum + plan.segment, 0),
    ...optional('maxVUs', add(plans.map((plan) => plan.maxVUs))),
    scenarios: first.scenarios.map((scenario) => {
      const same = plans.map((plan) => plan.scenarios.find((one) => one.name === scenario.name));
      return {
        ...scenario,
        ...optional('iterations', add(same.map((one) => one?.iterations))),
        ...optional('rate', add(same.map((one) => one?.rate))),
        ...optional('maxVUs', add(same.map((one) => one?.maxVUs))),
        ...optional('preAllocatedVUs', add(same.map((one) => one?.preAllocatedVUs))),
      };
    }),
  };
}

/** The run as a whole: it ended as badly as the worst of its workers, on the machine that was busiest. */
export function joinRuns(runs: readonly RunFacts[]): RunFacts | undefined {
  const [first] = runs;
  if (first === undefined || runs.length === 1) return first;
  const { exitCode: _code, generator: _generator, argv: _argv, cutOff: _cutOff, ...rest } = first;
  const codes = runs.map((run) => run.exitCode).filter((code) => code !== undefined);
  const generators = runs.map((run) => run.generator).filter((one) => one !== undefined);
  return {
    ...rest,
    ...optional('exitCode', codes.length < runs.length ? undefined : worstCode(codes)),
    interrupted: runs.some((run) => run.interrupted === true),
    ...(runs.some((run) => run.cutOff === true) ? { cutOff: true } : {}),
    argv: [...new Set(runs.flatMap((run) => run.argv ?? []))],
    ...optional('generator', generators.length < runs.length ? undefined : busiest(generators)),
  };
}

/** Neither 0 nor 99 (the system's answer) weighs heaviest; of those the first. */
function worstCode(codes: readonly number[]): number {
  return codes.find((code) => code !== 0 && code !== 99) ?? largest(codes);
}

/** Workers of one machine use it together; of several machines the one with the busiest cores counts. */
function busiest(generators: readonly GeneratorFacts[]): GeneratorFacts | undefined {
  const machines = groupBy(generators, (one) => one.hostname ?? '');
  const loads = [...machines.values()].map(together);
  const busy = ({ machineCores, cores }: GeneratorFacts) =>
    machineCores.reduce((sum, used) => sum + used, 0) / Math.max(1, machineCores.length * cores);
  return loads.sort((a, b) => busy(b) - busy(a))[0];
}

/** CPU and memory of the processes of one machine added up, second by second as far as all were watched. */
function together(own: readonly GeneratorFacts[]): GeneratorFacts {
  const [first] = own as [GeneratorFacts];
  const length = smallest(own.map((one) => one.cpuCores.length));
  const sum = (series: (one: GeneratorFacts) => readonly number[]) =>
    Array.from({ length }, (_, i) => own.reduce((total, one) => total + (series(one)[i] ?? 0), 0));
  return {
    ...first,
    timeMs: first.timeMs.slice(0, length),
    machineCores: first.machineCores.slice(0, length),
    cpuCores: sum((one) => one.cpuCores),
    rssBytes: sum((one) => one.rssBytes),
  };
}

/** The logs of several workers as one; undefined when there is none. */
export function joinLogs(logs: readonly LogFacts[]): LogFacts | undefined {
  const [first] = logs;
  if (first === undefined || logs.length === 1) return first;
  const add = (value: (log: LogFacts) => number) => logs.reduce((sum, log) => sum + value(log), 0);
  const any = (value: (log: LogFacts) => boolean) => logs.some(value);
  return {
    path: logs.map((log) => log.path).join(', '),
    lines: add((log) => log.lines),
    exceptions: add((log) => log.exceptions),
    ...optional('firstException', logs.find((log) => log.firstException !== undefined)?.firstException),
    setupFailed: any((log) => log.setupFailed),
    ignoredOptions: [...new Set(logs.flatMap((log) => log.ignoredOptions))],
    vuCeiling: any((log) => log.vuCeiling),
    overridden: any((log) => log.overridden),
    abortedByThreshold: any((log) => log.abortedByThreshold),
    ...optional('endedBy', logs.find((log) => log.endedBy !== undefined)?.endedBy),
    ...(any((log) => log.interrupted !== undefined) ? { interrupted: add((log) => log.interrupted ?? 0) } : {}),
    ...optional('console', withErrors(joinConsoles(logs.map((log) => log.console)), logs)),
  };
}

/**
 * What k6 printed, once for a run of one process (standard output and standard error in files of their own), or by each of
 * several: their numbers are added, and the union ended when all did.
 */
function joinConsoles(all: readonly (ConsoleFacts | undefined)[]): ConsoleFacts | undefined {
  const told = all.filter((one) => one !== undefined);
  const [first] = told;
  if (first === undefined || told.length === 1) return first;
  const add = (values: readonly (number | undefined)[]) =>
    values.includes(undefined) ? undefined : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const plans = told.map((one) => one.plan).filter((plan) => plan !== undefined);
  return {
    ...optional('plan', plans.length === told.length ? joinPlans(plans) : undefined),
    outputs: told.flatMap((one) => one.outputs),
    ...optional('finished', add(told.map((one) => one.finished))),
    ...optional('interrupted', add(told.map((one) => one.interrupted))),
    ended: told.every((one) => one.ended),
    stopped: told.flatMap((one) => one.stopped),
    // k6 judged each worker's own samples; that says nothing of the union.
    thresholds: [],
    logged: told.every((one) => one.logged),
    withoutErrors: told.some((one) => one.withoutErrors),
  };
}

/** A file without what k6 prints on standard output is its standard error. */
function withErrors(told: ConsoleFacts | undefined, logs: readonly LogFacts[]): ConsoleFacts | undefined {
  const errors = logs.some((log) => log.console === undefined);
  return told === undefined || !errors ? told : { ...told, logged: true, withoutErrors: false };
}
