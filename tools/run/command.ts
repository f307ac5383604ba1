/** The `run` command behind its options: reads what the user gave, runs, says how it ended. */
import { cpus } from 'node:os';
import { relative } from 'node:path';
import { EXIT } from '../base/exit-codes.ts';
import type { GeneratorSeries } from '../results/manifest.ts';
import { chooseEngine } from './choose-engine.ts';
import { documentOf } from './document.ts';
import type { Engine, EngineName } from './engine.ts';
import { readK6Arguments, readTag, readVariable } from './k6-arguments.ts';
import { logToStderr } from './log-follower.ts';
import { executeRun, type RunRequest, type RunResult } from './run.ts';
import { findScript } from './script.ts';
import { checkVariables, SUMMARY_VARIABLES, scriptFacts } from './suite.ts';
import { checkSummaryPaths } from './summary-paths.ts';
import { unknownVariables } from './variables.ts';

export interface RunOptions {
  readonly env: readonly string[];
  readonly tag: readonly string[];
  readonly out: readonly string[];
  readonly results: string;
  readonly samples: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
  readonly engine?: EngineName;
  /** Processes that share the run. */
  readonly workers?: number;
}

/** Crossed thresholds that the closing lines name; the manifest has all. */
const SHOWN_THRESHOLDS = 3;

/**
 * @param words options of k6 itself
 * @param engine what executes it; chosen here when not given
 * @returns the exit code: k6's
 * @throws UserError for anything that is wrong before the run.
 */
export async function runCommand(
  scenario: string,
  words: readonly string[],
  options: RunOptions,
  engine?: Engine,
): Promise<number> {
  const request = requestOf(scenario, words, options);
  const chosen = engine ?? (await chooseEngine(options.engine));
  if (options.workers !== undefined) {
    const { runWorkers } = await import('./workers-command.ts');
    return runWorkers(chosen, request, options.workers, options.json === true);
  }
  const result = await executeRun(chosen, request);
  report(result, request.quiet, options.json === true);
  return exitCodeOf(result);
}

/** k6's code; a run that passed without leaving what was asked of it gives no verdict. */
function exitCodeOf({ exitCode, problems }: RunResult): number {
  return exitCode === EXIT.ok && problems.length > 0 ? EXIT.noVerdict : exitCode;
}

/**
 * What the user gave, as a request.
 * @throws UserError for anything that is wrong before the run
 */
export function requestOf(scenario: string, words: readonly string[], options: RunOptions): RunRequest {
  const k6 = readK6Arguments(words);
  const env = { ...Object.assign({}, ...options.env.map((text) => readVariable(text))), ...k6.env } as Record<
    string,
    string
  >;
  const tags = { ...Object.assign({}, ...options.tag.map(readTag)), ...k6.tags } as Record<string, string>;
  const script = findScript(scenario);
  const facts = scriptFacts(script, { ...process.env, ...env });
  if (script.own) {
    checkVariables(env);
    for (const name of unknownVariables(Object.keys(env), facts.variables)) {
      process.stderr.write(`bookstore-load: note: -e ${name} is no variable of the suite; it is passed on\n`);
    }
  }
  const summaries = Object.values(SUMMARY_VARIABLES).filter((name) => script.own || Object.hasOwn(env, name));
  checkSummaryPaths({
    ...Object.fromEntries(summaries.map((name) => [name, env[name] || process.env[name]])),
    '--summary-export': k6.summaryExport,
  });
  const environmentOutputs = (process.env['K6_OUT'] ?? '').split(',').filter((output) => output !== '');
  return {
    script,
    env,
    tags,
    // k6 forgets K6_OUT as soon as there is one --out.
    outputs: [...environmentOutputs, ...options.out, ...k6.outputs],
    rest: k6.rest,
    summaryExport: k6.summaryExport,
    resultsRoot: options.results,
    samples: options.samples,
    quiet: options.quiet === true || k6.quiet,
    stdout: options.json === true ? 'stderr' : 'inherit',
    onLog: logToStderr(),
    facts,
  };
}

/** Says on standard error how the run ended; with `json`, prints the document on standard output. */
export function report(result: RunResult, quiet: boolean, json: boolean): void {
  for (const line of closingLines(result, quiet, json)) process.stderr.write(`${line}\n`);
  if (json) process.stdout.write(`${JSON.stringify(documentOf(result))}\n`);
}

/** Above this share of the machine's cores whatever runs on it waits for a core now and then. */
const BUSY_SHARE = 0.9;

/** What the generator used and whether its machine was busy; undefined when nothing was observed. */
export function generatorLine(series: GeneratorSeries, cores: number): string | undefined {
  const { cpuCores, machineCores, rssBytes } = series;
  if (cpuCores.length === 0) return undefined;
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const megabytes = Math.round(Math.max(...rssBytes) / 1e6);
  const used = `generator: ${mean(cpuCores).toFixed(2)} CPU cores on average, ${Math.max(...cpuCores).toFixed(2)} at most, ${megabytes} MB`;
  const busy = mean(machineCores);
  const machine = `${used}; its machine: ${busy.toFixed(2)} of ${cores} cores busy`;
  return busy < BUSY_SHARE * cores ? machine : `${machine}: too busy, the latencies contain waiting for a core`;
}

/** What a person needs to know at the end; both facts when a run ended badly and crossed thresholds besides. */
export function closingLines(result: RunResult, quiet: boolean, json: boolean): string[] {
  const lines: string[] = [];
  if (result.exitCode !== 0) {
    lines.push(`bookstore-load: exit code ${result.exitCode}: ${result.meaning}`);
    const crossed = result.thresholdsCrossed ?? [];
    if (result.exitCode !== 99 && crossed.length > 0) {
      const shown = crossed.slice(0, SHOWN_THRESHOLDS).join('; ');
      const more = crossed.length > SHOWN_THRESHOLDS ? `; and ${crossed.length - SHOWN_THRESHOLDS} more` : '';
      lines.push(`bookstore-load: besides, crossed thresholds: ${shown}${more}`);
    }
  }
  for (const problem of result.problems) lines.push(`bookstore-load: ${problem}`);
  const generator = quiet || !result.loadSent ? undefined : generatorLine(result.generator, cpus().length);
  if (generator !== undefined) lines.push(generator);
  // The document of --json names the folder.
  if (!quiet || !json) lines.push(`results: ${relative(process.cwd(), result.folder) || result.folder}`);
  return lines;
}
