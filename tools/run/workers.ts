/** One run in several processes: each runs its execution segment, all start together, each keeps its own results. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../base/user-error.ts';
import { WORKERS_FILE, WORKERS_SCHEMA_VERSION } from '../results/files.ts';
import { createRunFolder } from '../results/run-folder.ts';
import type { Engine, RunningEngine, StartBarrier } from './engine.ts';
import { logToStderr } from './log-follower.ts';
import { executeRun, inspected, type RunRequest, type RunResult } from './run.ts';

export interface WorkersResult {
  readonly runId: string;
  /** Absolute path of the folder that holds the workers' folders. */
  readonly folder: string;
  /** In the order of the segments. */
  readonly workers: readonly RunResult[];
}

/** Variable by which a scenario of the suite sizes its VUs for each worker; see lib/plan/variables.ts. */
const WORKERS = 'WORKERS';
/** Options that this module gives itself. */
const OWN_FLAGS = ['--execution-segment', '--execution-segment-sequence', '--paused', '--address', '-a'];

/** Worker k of n as k6's options: its segment and all borders. */
export function segmentArguments(k: number, n: number): string[] {
  const border = (i: number): string => (i === 0 ? '0' : i === n ? '1' : `${i}/${n}`);
  const borders = Array.from({ length: n + 1 }, (_, i) => border(i)).join(',');
  return ['--execution-segment', `${border(k)}:${border(k + 1)}`, '--execution-segment-sequence', borders];
}

/** @throws UserError for what does not go together with several workers */
export function checkWorkers(request: RunRequest, n: number): void {
  if (!request.samples) {
    throw new UserError('--workers with --no-samples: percentiles of workers cannot be combined without raw samples');
  }
  const flag = request.rest.find((word) => OWN_FLAGS.includes(word.split('=', 1)[0] ?? ''));
  if (flag !== undefined) throw new UserError(`--workers ${n} with ${flag}: --workers sets it itself; leave it out`);
  for (const [name, value] of Object.entries({ ...process.env, ...request.env })) {
    if ((name === 'SUMMARY_JSON' || name === 'JUNIT_XML') && value) {
      throw new UserError(`--workers ${n} with ${name}: each worker writes its own into its folder; leave it out`);
    }
  }
  if (request.summaryExport !== undefined) {
    throw new UserError(`--workers ${n} with --summary-export: each worker writes its own; leave it out`);
  }
}

/**
 * Runs the request in `n` processes to their end. When one of them fails, the others are ended too: the load that was
 * designed is no longer sent.
 * @param say a sentence for the person who waits
 * @throws UserError before any load
 */
export async function executeWorkers(
  engine: Engine,
  request: RunRequest,
  n: number,
  say: (sentence: string) => void,
): Promise<WorkersResult> {
  checkWorkers(request, n);
  await inspected(engine, request);
  const { id, folder } = createRunFolder(request.resultsRoot, request.script.scenario, new Date());
  const names = Array.from({ length: n }, (_, k) => `worker-${k + 1}`);
  const document = { schemaVersion: WORKERS_SCHEMA_VERSION, runId: id, workers: names };
  writeFileSync(join(folder, WORKERS_FILE), `${JSON.stringify(document)}\n`);
  // Each run and each process listens to signals; more than ten are no leak here.
  process.setMaxListeners(process.getMaxListeners() + 4 * n);
  const running: (RunningEngine | undefined)[] = names.map(() => undefined);
  const starts = await Promise.all(names.map(() => engine.startBarrier?.()));
  let failed = false;
  const stopOthers = (why: string | undefined): void => {
    if (failed) return;
    failed = true;
    // After a signal of the user all are on their way to the end already.
    if (why === undefined) return;
    say(`${why}; the other workers are stopped`);
    for (const one of running) one?.signal('SIGTERM');
  };
  const runOne = async (name: string, k: number): Promise<RunResult> => {
    const own = workerRequest(request, { id, folder, name, k, n, start: starts[k] });
    try {
      const result = await executeRun(engine, own, (one) => {
        running[k] = one;
        if (failed) one.signal('SIGTERM');
      });
      running[k] = undefined;
      if (isFailure(result))
        stopOthers(result.interrupted ? undefined : `${name} ended with exit code ${result.exitCode}`);
      return result;
    } catch (error) {
      stopOthers(`${name} could not run`);
      throw error;
    }
  };
  const results = names.map(runOne);
  await startTogether(starts, results, say);
  await Promise.allSettled(results);
  return { runId: id, folder, workers: await Promise.all(results) };
}

/** Whether a worker ended otherwise than at the end of its part. */
export function isFailure({ exitCode }: Pick<RunResult, 'exitCode'>): boolean {
  return exitCode !== 0 && exitCode !== 99 && exitCode !== 101;
}

interface Worker {
  readonly id: string;
  readonly folder: string;
  readonly name: string;
  readonly k: number;
  readonly n: number;
  readonly start: StartBarrier | undefined;
}

function workerRequest(request: RunRequest, { id, folder, name, k, n, start }: Worker): RunRequest {
  return {
    ...request,
    // Only the suite reads it; another script's report of its variables stays as it was.
    env: request.script.own ? { ...request.env, [WORKERS]: `${n}` } : request.env,
    tags: { ...request.tags, worker: `${k + 1}` },
    rest: [...request.rest, ...segmentArguments(k, n), ...(start?.args ?? [])],
    resultsRoot: folder,
    given: { id: `${id}-${name}`, name },
    // Several progress bars on one terminal show nothing, and a worker's own percentiles are not the run's.
    quiet: true,
    stdout: { file: join(folder, name, 'summary.txt') },
    onLog: logToStderr(`${name}: `),
  };
}

/** Lets all go once each is ready; a worker that ended before is not waited for, and the others then end. */
async function startTogether(
  starts: readonly (StartBarrier | undefined)[],
  results: readonly Promise<RunResult>[],
  say: (sentence: string) => void,
): Promise<void> {
  const barriers = starts.filter((start) => start !== undefined);
  if (barriers.length === 0) return;
  const over = new AbortController();
  const ended = Promise.race(results).then(
    () => over.abort(),
    () => over.abort(),
  );
  const ready = Promise.all(barriers.map((start) => start.ready(over.signal)));
  await Promise.race([ready, ended]);
  const early = over.signal.aborted;
  await Promise.all(barriers.map((start) => start.release()));
  if (early) return;
  say(`${barriers.length} workers started together`);
}
