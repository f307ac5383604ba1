/** The command `analyse`: parses its flags, analyses, prints and writes what was asked for. */
import type { AnalyseFlags } from '../commands/analyse.ts';
import { EXIT } from '../exit-codes.ts';
import { UserError } from '../user-error.ts';
import { type AnalyseOptions, type Analysis, withSamples } from './analyse.ts';
import { analysisJson } from './json.ts';
import { optional } from './plan.ts';
import { printAnalysis } from './print.ts';
import { readLimits } from './verdict/limits.ts';

/** Runs the command and gives its exit code. */
export async function analyseCommand(paths: readonly string[], flags: AnalyseFlags): Promise<number> {
  return withSamples(analyseOptions(paths, flags), async (_database, analysis) => {
    if (flags.json === true) process.stdout.write(`${JSON.stringify(analysisJson(analysis))}\n`);
    else process.stdout.write(printAnalysis(analysis));
    return exitCodeOf(analysis);
  });
}

export function analyseOptions(paths: readonly string[], flags: AnalyseFlags): AnalyseOptions {
  const memoryMb = flags.memory === undefined ? undefined : Number(flags.memory);
  if (memoryMb !== undefined && !(memoryMb >= 64))
    throw new UserError(`--memory ${flags.memory}: give megabytes, at least 64`);
  return {
    paths,
    by: flags.by,
    ...optional('plan', flags.plan),
    ...optional('summary', flags.summary),
    ...optional('log', flags.log),
    ...optional('rules', flags.rules),
    ...optional('memoryMb', memoryMb),
    ...optional('limits', flags.limits === undefined ? undefined : readLimits(flags.limits)),
  };
}

/** 3 for an invalid test even when every objective was kept; else 99 when one was crossed. */
export function exitCodeOf(analysis: Analysis): number {
  if (analysis.verdict.status === 'INVALID') return EXIT.noVerdict;
  return analysis.objectives.some((one) => one.outcome === 'crossed') ? EXIT.thresholds : EXIT.ok;
}
