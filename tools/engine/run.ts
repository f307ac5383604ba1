/** One run from the first look at the script to the exit code. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { K6_EXIT } from '../../lib/k6/exit-codes.ts';
import { largest } from '../../lib/model/extremes.ts';
import { EngineError } from './engine-error.ts';
import { executeScenario } from './executors/execute.ts';
import { Lateness, watchLateness } from './lateness.ts';
import { checkLimits } from './limits.ts';
import { logfmt } from './log.ts';
import { NotRewritable } from './native/parse.ts';
import { newContext } from './new-context.ts';
import { openOutputs } from './open-outputs.ts';
import { consolidate, runTagsOf, summarySettings, systemTagsOf, timeoutOf } from './options.ts';
import type { Output } from './outputs/output.ts';
import { abortRun, type RunContext, runSeconds } from './run-context.ts';
import { regularDuration, type Scenario, scenariosOf } from './scenarios.ts';
import { stripingOf } from './segment.ts';
import type { EmbeddedSpec, EngineResult } from './spec.ts';
import { type SummaryData, summaryData } from './summary/data.ts';
import { BrokenVmError, InterruptedError, ScriptError } from './vm/script-error.ts';
import { Vu } from './vu.ts';
import { mostVus, plannedVus, VuPool } from './vu-pool.ts';
import { crossedThresholds, watchRun } from './watch.ts';
import { writeSummary } from './write-summary.ts';

const NOT_OFFERED = 'this is not offered by the embedded engine; run this script with k6 (--engine k6)';

/** What a run has come to know of itself. */
interface RunState {
  summary: SummaryData | undefined;
  scenarios: readonly Scenario[];
}

/**
 * Runs a script to its end. Never throws for what the script or the options do: that is the exit code and the log.
 */
export async function runEmbedded(spec: EmbeddedSpec): Promise<EngineResult> {
  const stderr = spec.stderr ?? ((text) => process.stderr.write(text));
  const log = logfmt(stderr);
  const outputs: Output[] = [];
  const run = newContext(spec, log, outputs);
  const state: RunState = { summary: undefined, scenarios: [] };
  let failure: EngineError | undefined;
  try {
    await runThrough(run, spec, outputs, state);
  } catch (error) {
    // What ended the run says more than what the script threw on the way.
    failure = run.abortReason ?? asEngineError(error);
    log('error', failure.message, fieldsOf(failure));
  } finally {
    for (const output of outputs) await output.close();
  }
  const { completed, interrupted, mostActiveVus, vuMs, initialisedVus } = run.counts;
  const counts = { iterations: completed, interrupted, mostActiveVus, vuSeconds: vuMs / 1000, initialisedVus };
  const { scenarios } = state;
  const ends = scenarios.map((scenario) => scenario.startTime + regularDuration(scenario) + scenario.gracefulStop);
  return {
    exitCode: failure?.exitCode ?? K6_EXIT.ok,
    ...state,
    options: run.options,
    maxVUs: mostVus(scenarios, run.striping),
    totalSeconds: largest(ends, 0) / 1000,
    ...counts,
  };
}

async function runThrough(run: RunContext, spec: EmbeddedSpec, outputs: Output[], state: RunState): Promise<void> {
  const file = resolve(spec.script);
  if (!existsSync(file)) {
    throw new EngineError(`The moduleSpecifier "${spec.script}" couldn't be found on local disk`, K6_EXIT.generic);
  }
  const main = new Vu(run, 0, 0);
  await main.load();
  if (run.abortReason !== undefined) throw run.abortReason;
  const exported = JSON.parse((await main.stage('exports', {})) ?? '{}') as {
    functions: string[];
    options: Record<string, unknown>;
  };
  if (exported.functions.length === 0) throw new EngineError('no exported functions in script', K6_EXIT.generic);
  const warn = (message: string, error?: string) => run.log('warning', message, error === undefined ? {} : { error });
  run.options = consolidate(exported.options ?? {}, spec.options ?? {}, warn);
  run.systemTags = systemTagsOf(run.options);
  run.runTags = runTagsOf(run.options);
  run.striping = stripingOf(optionText(run, 'executionSegment'), optionText(run, 'executionSegmentSequence'));
  const settings = summarySettings(run.options);
  const scenarios = scenariosOf(run.options, (message) => run.log('warning', message));
  for (const { name, exec } of scenarios) {
    if (!exported.functions.includes(exec)) {
      throw EngineError.config(`executor ${name}: function '${exec}' not found in exports`);
    }
  }
  run.registry.bindThresholds(run.options['thresholds'], spec.noThresholds !== true);
  checkLimits(scenarios, run.striping, file);
  state.scenarios = scenarios;
  outputs.push(...openOutputs(spec, run));

  const pool = new VuPool(run);
  run.abort.onAbort(() => {
    main.interrupt();
    pool.interrupt();
  });
  const stopSignal = onSignal(run, spec.signal);
  let failure: EngineError | undefined;
  let endRun: (() => void) | undefined;
  let endBeats: (() => void) | undefined;
  try {
    await pool.prepare(plannedVus(scenarios, run.striping));
    await spec.atStart?.(run.abort);
    run.startTime = run.clock.now();
    endRun = watchRun(run);
    if (!run.clock.virtual) {
      run.lateness = new Lateness(() => performance.now());
      endBeats = watchLateness(run.lateness);
    }
    await load(run, spec, main, exported.functions, pool, scenarios);
  } catch (error) {
    failure = asEngineError(error);
  } finally {
    endRun?.();
    endBeats?.();
  }
  const late = run.lateness?.sentence();
  if (late !== undefined) run.log('warning', late);
  const durationMs = runSeconds(run) * 1000;
  const crossed = crossedThresholds(run);
  run.registry.close();
  if (run.counts.completed === 0 && failure === undefined && !endsWithoutTeardown(run)) {
    run.log('warning', 'No script iterations fully finished, consider making the test duration longer');
  }
  state.summary = summaryData({
    registry: run.registry,
    root: run.checks.root,
    ...settings,
    durationMs,
    setupData: run.setupData,
  });
  const handler = exported.functions.includes('handleSummary') ? main : undefined;
  if (spec.noSummary !== true) await writeSummary(run, spec, state.summary, handler);
  stopSignal();
  await pool.close();
  await main.close();
  const end = failure ?? run.abortReason;
  if (end !== undefined) throw end;
  if (run.markedFailed) throw new EngineError('test run was marked as failed', K6_EXIT.markedFailed);
  if (crossed.length > 0) {
    throw new EngineError(`thresholds on metrics '${crossed.join(', ')}' have been crossed`, K6_EXIT.thresholdsCrossed);
  }
}

/** setup, all scenarios, teardown. */
async function load(
  run: RunContext,
  spec: EmbeddedSpec,
  main: Vu,
  functions: readonly string[],
  pool: VuPool,
  scenarios: readonly Scenario[],
): Promise<void> {
  const skips = (stage: 'noSetup' | 'noTeardown') => spec[stage] === true || run.options[stage] === true;
  if (functions.includes('setup') && !skips('noSetup')) {
    run.setupData = await timed(run, main, 'setup', timeoutOf(run.options, 'setupTimeout'), K6_EXIT.setupTimeout, {});
  }
  // Without what setup() was to give there is nothing to tear down.
  if (endsWithoutTeardown(run)) return;
  let failure: unknown;
  if (!run.abort.aborted) {
    const start = run.clock.now();
    const works = scenarios.map((scenario) => executeScenario(run, pool, scenario, start));
    try {
      await Promise.all(works);
    } catch (error) {
      // One scenario that cannot go on ends them all.
      failure = error;
      abortRun(run, asEngineError(error));
      await Promise.allSettled(works);
    }
  }
  if (functions.includes('teardown') && !skips('noTeardown')) {
    const facts = { setup: run.setupData };
    await timed(run, main, 'teardown', timeoutOf(run.options, 'teardownTimeout'), K6_EXIT.teardownTimeout, facts);
  }
  if (failure !== undefined) throw failure;
}

const endsWithoutTeardown = ({ abortReason }: RunContext) =>
  abortReason?.exitCode === K6_EXIT.generic || abortReason?.exitCode === K6_EXIT.invalidConfig;

async function timed(
  run: RunContext,
  vu: Vu,
  stage: 'setup' | 'teardown',
  limitMs: number,
  code: number,
  facts: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  let late = false;
  const timer = run.clock.at(run.clock.now() + limitMs, () => {
    late = true;
    vu.interrupt();
  });
  try {
    return await vu.stage(stage, facts);
  } catch (error) {
    if (late) {
      throw new EngineError(
        `${stage}() execution timed out after ${limitMs / 1000} seconds`,
        code,
        `You can increase the time limit via the ${stage}Timeout option`,
      );
    }
    if (error instanceof InterruptedError && run.abort.aborted) return undefined;
    throw error;
  } finally {
    timer.cancel();
  }
}

function asEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  if (error instanceof ScriptError) {
    const text = error.frames === '' ? error.message : `${error.message}\n${error.frames}`;
    return new EngineError(text, K6_EXIT.scriptException, 'script exception');
  }
  if (error instanceof BrokenVmError) {
    return new EngineError(error.message, K6_EXIT.scriptException, 'script exception');
  }
  if (error instanceof NotRewritable) {
    return new EngineError(`${error.message}: ${NOT_OFFERED}`, K6_EXIT.scriptException);
  }
  throw error;
}

function fieldsOf(failure: EngineError): Record<string, string> {
  if (failure.hint === undefined) return {};
  return failure.hint === 'script exception' ? { hint: failure.hint, source: 'stacktrace' } : { hint: failure.hint };
}

function optionText(run: RunContext, name: string): string | undefined {
  const value = run.options[name];
  return value === undefined || value === null ? undefined : String(value);
}

function onSignal(run: RunContext, signal: AbortSignal | undefined): () => void {
  const stop = () => {
    const name = typeof signal?.reason === 'string' ? signal.reason : 'interrupt';
    abortRun(
      run,
      new EngineError(`test run was aborted because the engine received a '${name}' signal`, K6_EXIT.externalAbort),
    );
  };
  if (signal?.aborted === true) stop();
  signal?.addEventListener('abort', stop);
  return () => signal?.removeEventListener('abort', stop);
}
