/** k6 as an engine: its arguments, what it says of a script, and the process itself. */
import { execFile } from 'node:child_process';
import { extname, join } from 'node:path';
import { durationSeconds } from '../../lib/k6/duration.ts';
import { optional } from '../base/optional.ts';
import { inScratchFolder } from '../base/scratch-folder.ts';
import { UserError } from '../base/user-error.ts';
import type { Engine, EngineResult, EngineSpec, Inspection, RunningEngine } from './engine.ts';
import { runProcess } from './engine-process.ts';
import { argumentsForArchive } from './k6-arguments.ts';
import type { K6Binary } from './k6-binary.ts';
import { k6StartBarrier } from './k6-start-barrier.ts';
import { unquoted } from './log-follower.ts';

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
 * environment does not go into the archive: it lies on a disk.
 */
async function inspect(path: string, spec: EngineSpec): Promise<Inspection> {
  const environment = [
    '--include-system-env-vars',
    ...Object.entries(spec.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
  ];
  return inScratchFolder(async (folder, signal) => {
    let inspected = spec.script;
    if (extname(spec.script) !== '.tar') {
      inspected = join(folder, 'archive.tar');
      const options = ['--quiet', '--exclude-env-vars', ...environment, ...argumentsForArchive(spec.rest)];
      const archived = await ask(path, ['archive', '-O', inspected, ...options, spec.script], signal);
      // What else is wrong with a script, k6 itself says when it is run; it exits before any load then.
      if (archived.failed) return { ...UNKNOWN, ...optional('refused', refusalOf(archived.stderr)) };
    }
    const answer = await ask(path, ['inspect', '--execution-requirements', ...environment, inspected], signal);
    return answer.failed ? UNKNOWN : readInspection(answer.stdout);
  });
}

const UNKNOWN: Inspection = { options: null, requirements: null };

/** What a script that throws a bare sentence, without a stack, says of its variables; undefined for other errors. */
export function refusalOf(log: string): string | undefined {
  const quoted = /^time="[^"]*" level=error msg=("(?:[^"\\]|\\.)*") hint="script exception"/m.exec(log)?.[1];
  const message = quoted === undefined ? undefined : unquoted(quoted).trim();
  return message === undefined || message.includes('\n') ? undefined : message;
}

interface Answer {
  readonly failed: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

function ask(path: string, args: readonly string[], signal: AbortSignal): Promise<Answer> {
  const limits = { timeout: 120_000, maxBuffer: 64 * 1024 * 1024, signal };
  return new Promise((done) => {
    execFile(path, args, limits, (error, stdout, stderr) => done({ failed: error !== null, stdout, stderr }));
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
