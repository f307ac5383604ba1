/** k6 as an engine: its arguments, what it says of a script, and the process itself. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { durationSeconds } from '../../lib/k6/duration.ts';
import { UserError } from '../base/user-error.ts';
import type { Engine, EngineResult, EngineSpec, Inspection, RunningEngine } from './engine.ts';
import { runProcess } from './engine-process.ts';
import { argumentsForArchive } from './k6-arguments.ts';
import type { K6Binary } from './k6-binary.ts';
import { k6StartBarrier } from './k6-start-barrier.ts';

export function k6Engine(k6: K6Binary): Engine {
  return {
    name: 'k6',
    version: k6.version,
    path: k6.path,
    argv: k6RunArguments,
    inspect: (spec) => inspect(k6.path, spec),
    startBarrier: k6StartBarrier,
    run: (spec, onStart) => run(k6.path, spec, onStart),
  };
}

/** Arguments of `k6 run`. The samples file goes by environment, since k6 takes no `=` or `,` in a path after `csv=`. */
export function k6RunArguments(spec: EngineSpec): string[] {
  return [
    'run',
    ...(spec.quiet ? ['--quiet'] : []),
    ...(spec.samplesFile === undefined ? [] : ['--out', 'csv']),
    ...spec.outputs.flatMap((output) => ['--out', output]),
    ...Object.entries(spec.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
    ...Object.entries(spec.tags).flatMap(([name, value]) => ['--tag', `${name}=${value}`]),
    ...['--summary-export', spec.summaryExport],
    ...spec.rest,
    spec.script,
  ];
}

function environment(spec: EngineSpec): NodeJS.ProcessEnv {
  if (spec.samplesFile === undefined) return process.env;
  return { ...process.env, K6_CSV_FILENAME: spec.samplesFile, K6_CSV_TIME_FORMAT: 'unix_milli' };
}

/**
 * `k6 inspect` takes no run options, `k6 archive` does; so the script is archived with them and the archive inspected. The
 * archive holds the environment: it lies in a private folder and is removed at once.
 */
async function inspect(path: string, spec: EngineSpec): Promise<Inspection> {
  const folder = await mkdtemp(join(tmpdir(), 'bookstore-load-'));
  try {
    const variables = Object.entries(spec.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    let inspected = spec.script;
    if (extname(spec.script) !== '.tar') {
      inspected = join(folder, 'archive.tar');
      const options = ['--quiet', '--include-system-env-vars', ...variables, ...argumentsForArchive(spec.rest)];
      await ask(path, ['archive', '-O', inspected, ...options, spec.script]);
    }
    const answer = await ask(path, ['inspect', '--execution-requirements', ...variables, inspected]);
    return readInspection(answer);
  } catch {
    // What is wrong with the script, k6 itself says when it is run; it exits before any load then.
    return { options: null, requirements: null };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function ask(path: string, args: readonly string[]): Promise<string> {
  return new Promise((done, fail) => {
    execFile(path, args, { timeout: 120_000, maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => {
      if (error === null) done(stdout);
      else fail(error);
    });
  });
}

/** Splits what `k6 inspect --execution-requirements` prints into options and requirements; options left unset go. */
export function readInspection(json: string): Inspection {
  const { maxVUs, totalDuration, ...options } = JSON.parse(json) as Record<string, unknown>;
  const set = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));
  const totalSeconds = typeof totalDuration === 'string' ? durationSeconds(totalDuration) : undefined;
  const known = typeof maxVUs === 'number' && totalSeconds !== undefined;
  return { options: set, requirements: known ? { maxVUs, totalSeconds } : null };
}

async function run(path: string, spec: EngineSpec, onStart: (running: RunningEngine) => void): Promise<EngineResult> {
  const { stdout, logFile, onLog } = spec;
  try {
    return await runProcess(
      { program: path, args: k6RunArguments(spec), env: environment(spec), stdout, logFile, onLog },
      onStart,
    );
  } catch (error) {
    throw new UserError(`${path}: k6 could not be started (${(error as Error).message})`);
  }
}
