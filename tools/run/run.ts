/** One run from start to end: folder, manifest, engine, watch, outcome. */
import { copyFileSync, existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { exitMeaning } from '../../lib/k6/exit-codes.ts';
import { EXIT } from '../base/exit-codes.ts';
import { systemReason } from '../base/output-file.ts';
import { UserError } from '../base/user-error.ts';
import { RUN_FILES } from '../results/files.ts';
import { type GeneratorSeries, type Manifest, type Outcome, writeManifest } from '../results/manifest.ts';
import { createRunFolder } from '../results/run-folder.ts';
import { watchDisk } from './disk.ts';
import { crossedMeaning, type Ending, endingOf, loadWasSent } from './ending.ts';
import type { Engine, EngineResult, EngineSpec, Inspection, RunningEngine, Stdout } from './engine.ts';
import { firstManifest } from './first-manifest.ts';
import { addError, isOfRun } from './junit.ts';
import { withReason } from './k6-exit.ts';
import { maskLog } from './mask-log.ts';
import type { Script } from './script.ts';
import { secretValues, textMasker } from './secrets.ts';
import { forwardSignals } from './signals.ts';
import { type ScriptFacts, SUMMARY_VARIABLES } from './suite.ts';
import { crossedThresholdsIn, sentNothing, withoutGuards } from './thresholds.ts';
import { variablesInForce } from './variables.ts';
import { watchProcess } from './watch.ts';

export interface RunRequest {
  readonly script: Script;
  /** Variables given with `-e`. */
  readonly env: Readonly<Record<string, string>>;
  /** Tags given with `--tag`; merged with the script's own, which k6 alone would replace. */
  readonly tags: Readonly<Record<string, string>>;
  readonly outputs: readonly string[];
  readonly rest: readonly string[];
  /** The user's own `--summary-export`, if any. */
  readonly summaryExport: string | undefined;
  /** Folder that holds a folder a run. */
  readonly resultsRoot: string;
  /** Id of the run and name of its folder where they are given from outside: a worker's. */
  readonly given?: { readonly id: string; readonly name: string };
  /** Whether to write `samples.csv`. */
  readonly samples: boolean;
  readonly quiet: boolean;
  readonly stdout: Stdout;
  /** Gets the engine's log in whole lines. */
  readonly onLog: (text: string) => void;
  readonly facts: ScriptFacts;
}

export interface RunResult extends Outcome {
  readonly runId: string;
  /** Absolute path of the run's folder. */
  readonly folder: string;
  /** Files of the folder that were written, by role. */
  readonly files: Readonly<Record<string, string>>;
  readonly generator: GeneratorSeries;
  /** Whether any session was begun; what is said of load makes no sense without. */
  readonly loadSent: boolean;
  /** What went wrong with keeping the results, a sentence each. */
  readonly problems: readonly string[];
}

/** Time between two samples of the generator's CPU and memory, ms. */
const WATCH_INTERVAL_MS = 1_000;
/** The manifest is renewed at least this far apart, ms, and not more often than a hundred times a run. */
const RENEW_MS = 5_000;

/**
 * Runs a script to its end; the manifest on disk is true at every moment.
 * @param onStart gets the engine's process
 * @throws UserError before any load when the results folder cannot be written or the engine cannot be started.
 */
export async function executeRun(
  engine: Engine,
  request: RunRequest,
  onStart: (running: RunningEngine) => void = () => undefined,
): Promise<RunResult> {
  const started = new Date();
  const inspection = await inspected(engine, request);
  const made = createRunFolder(request.resultsRoot, request.script.scenario, started, request.given?.name);
  const { folder } = made;
  const id = request.given?.id ?? made.id;
  const spec = specify(request, folder);
  const ready =
    Object.keys(request.tags).length === 0 ? spec : { ...spec, tags: { ...tagsOf(inspection.options), ...spec.tags } };
  const manifest = await firstManifest({
    id,
    engine: { name: engine.name, version: engine.version, path: engine.path, argv: engine.argv(ready) },
    ...request,
    env: ready.env,
    environment: process.env,
    tags: ready.tags,
    started,
    inspection,
    intervalMs: WATCH_INTERVAL_MS,
  });
  writeManifest(folder, manifest);
  const { result, interrupted, problems: met } = await runWatched(engine, ready, folder, manifest, onStart);
  const unmasked = tryMaskLog(spec.logFile, masker(request.facts, request.env));
  collectSummaries(request, folder, started);
  const summaries = [join(folder, RUN_FILES.summary), ready.summaryExport];
  const loadSent = loadWasSent(result.exitCode, summaries, ready.samplesFile);
  const status = endingOf(result, interrupted);
  const outcome = outcomeOf(engine.name, result, status, interrupted, folder, request);
  const red = EXPECTED.includes(result.exitCode) && !interrupted ? [] : markRed(request, folder, started, outcome);
  const ended = new Date().toISOString();
  const written = tryWrite(folder, { ...manifest, status, updatedAt: ended, endedAt: ended, outcome });
  const problems = [
    ...met,
    ...unmasked,
    ...(written === undefined ? [] : [written]),
    ...red,
    ...(loadSent ? missingSamples(ready) : []),
  ];
  return { runId: id, folder, ...outcome, files: filesOf(folder), generator: manifest.generator, loadSent, problems };
}

/**
 * What the engine makes of the script.
 * @throws UserError for variables that the suite refuses: k6 would only say so when it is run, and leave a folder behind
 */
export async function inspected(engine: Engine, request: RunRequest): Promise<Inspection> {
  const inspection = await engine.inspect(specify(request, request.resultsRoot));
  if (!request.script.own || inspection.refused === undefined) return inspection;
  throw new UserError(masker(request.facts, request.env)(inspection.refused));
}

/** Endings for which the script's own JUnit file tells all. */
const EXPECTED: readonly number[] = [0, 99];

/** Errors in the JUnit files, the user's own and the folder's; what could not be written, a sentence each. */
function markRed(request: RunRequest, folder: string, started: Date, outcome: Outcome): string[] {
  const own = request.env[SUMMARY_VARIABLES.junit] || process.env[SUMMARY_VARIABLES.junit];
  const message = `exit code ${outcome.exitCode}: ${outcome.meaning}`;
  const files = [...(own ? [own] : []), join(folder, RUN_FILES.junit)];
  return files.flatMap((file) => addError(file, started, request.script.scenario, message) ?? []);
}

function specify(request: RunRequest, folder: string): EngineSpec {
  const mask = masker(request.facts, request.env);
  return {
    script: request.script.file,
    env: { ...request.env, ...summaryPaths(request.env, folder) },
    tags: request.tags,
    outputs: request.outputs,
    rest: request.rest,
    samplesFile: request.samples ? join(folder, RUN_FILES.samples) : undefined,
    summaryExport: request.summaryExport ?? join(folder, RUN_FILES.summaryExport),
    quiet: request.quiet,
    stdout: request.stdout,
    logFile: join(folder, RUN_FILES.log),
    onLog: (text) => request.onLog(mask(text)),
  };
}

/** Masks whatever of the run's variables is to stand nowhere. */
export function masker(facts: ScriptFacts, env: Readonly<Record<string, string>>): (text: string) => string {
  const inForce = variablesInForce(env, facts.variables, process.env);
  return textMasker(secretValues({ ...facts.environment, ...inForce }, facts.harmless, facts.secrets));
}

/** Secrets must not stay on a disk that has no room for a masked log: then there is none. @returns what was done, if so */
function tryMaskLog(file: string, mask: (text: string) => string): string[] {
  try {
    maskLog(file, mask);
    return [];
  } catch (error) {
    rmSync(file, { force: true });
    return [`${file} could not be masked (${systemReason(error) ?? String(error)}) and was removed`];
  }
}

/** Where the script's summary files go: into the run's folder, unless the user has sent them elsewhere. */
function summaryPaths(env: Readonly<Record<string, string>>, folder: string): Record<string, string> {
  const free = Object.entries(SUMMARY_VARIABLES).filter(([, name]) => !(env[name] ?? process.env[name]));
  return Object.fromEntries(
    free.map(([role, name]) => [name, join(folder, RUN_FILES[role as keyof typeof SUMMARY_VARIABLES])]),
  );
}

/** Summary files that the user has sent elsewhere belong to the run's folder all the same. */
function collectSummaries(request: RunRequest, folder: string, started: Date): void {
  for (const [role, name] of Object.entries(SUMMARY_VARIABLES)) {
    const file = request.env[name] || process.env[name];
    const target = join(folder, RUN_FILES[role as keyof typeof SUMMARY_VARIABLES]);
    try {
      if (file && !existsSync(target) && existsSync(file) && isOfRun(file, started)) copyFileSync(file, target);
    } catch {
      // The user has the file where it was asked for; a full disk is reported with the manifest.
    }
  }
}

/** The script's own tags, from the options. */
function tagsOf(options: Record<string, unknown> | null): Record<string, string> {
  const tags = options?.['tags'];
  if (tags === null || typeof tags !== 'object') return {};
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, String(value)]));
}

async function runWatched(
  engine: Engine,
  spec: EngineSpec,
  folder: string,
  manifest: Manifest,
  started: (running: RunningEngine) => void,
): Promise<{ readonly result: EngineResult; readonly interrupted: boolean; readonly problems: readonly string[] }> {
  let stop = (): void => undefined;
  let renewed = Date.now();
  const began = renewed;
  const signals = forwardSignals();
  const disk = watchDisk(folder);
  const onStart = (running: RunningEngine): void => {
    signals.to(running);
    started(running);
    const watch = watchProcess(running.pid, WATCH_INTERVAL_MS, () => {
      disk.look();
      const now = Date.now();
      if (now - renewed < Math.max(RENEW_MS, (now - began) / 100)) return;
      renewed = now;
      manifest.updatedAt = new Date(now).toISOString();
      tryWrite(folder, manifest);
    });
    stop = watch.stop;
    manifest.engine.pid = running.pid;
    manifest.generator = watch.series;
    tryWrite(folder, manifest);
  };
  try {
    const result = await engine.run(spec, onStart);
    return {
      result,
      interrupted: signals.interrupted(),
      problems: [disk.problem()].filter((one) => one !== undefined),
    };
  } finally {
    stop();
    signals.release();
  }
}

/** A disk that fills up must neither end the run nor hide its exit code. @returns why it could not be written, if so */
function tryWrite(folder: string, manifest: Manifest): string | undefined {
  try {
    writeManifest(folder, manifest);
    return undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    return `the manifest in ${folder} could not be completed (${code}); is the disk full?`;
  }
}

function missingSamples(spec: EngineSpec): string[] {
  if (spec.samplesFile === undefined) return [];
  if (existsSync(spec.samplesFile) && statSync(spec.samplesFile).size > 0) return [];
  return [`${spec.samplesFile} is empty or missing: the run cannot be analysed; is the disk full?`];
}

function outcomeOf(
  engine: string,
  result: EngineResult,
  status: Ending,
  interrupted: boolean,
  folder: string,
  request: RunRequest,
): Outcome {
  const summary = join(folder, RUN_FILES.summary);
  const ownExport = join(folder, RUN_FILES.summaryExport);
  const named = crossedThresholdsIn([summary, request.summaryExport ?? ownExport]);
  const crossed = sentNothing(summary) ? [] : status === 'complete' ? named : withoutGuards(named);
  // Two summaries in two formats only confuse; the export stands in for scripts that write none.
  if (existsSync(summary)) rmSync(ownExport, { force: true });
  const refusedByUs = engine === 'embedded' && result.exitCode === EXIT.usage;
  const meaning = refusedByUs
    ? 'the embedded engine refused an option: nothing was measured; its message stands above'
    : withReason(exitMeaning(result.exitCode, result.signal), join(folder, RUN_FILES.log));
  return {
    exitCode: result.exitCode,
    signal: result.signal,
    interrupted,
    meaning:
      result.exitCode === EXIT.thresholds
        ? crossedMeaning(crossed, meaning, Object.keys(request.facts.suite?.counters ?? {}))
        : meaning,
    thresholdsCrossed: crossed,
  };
}

function filesOf(folder: string): Record<string, string> {
  const there = Object.entries(RUN_FILES).filter(([, name]) => existsSync(join(folder, name)));
  return Object.fromEntries(there);
}
