/** Runs k6 once and reads off what it cost: processor time from the shell's `times`, peak memory from /proc. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { UserError } from '../../base/user-error.ts';
import type { Target } from './target.ts';

/** One k6 process that is to be measured. */
export interface Job {
  readonly name: string;
  /** Path of the script. */
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  /** Write samples.csv as `bookstore-load run` does. */
  readonly samples?: boolean;
}

export interface Cost {
  /** user + sys of the process, s. */
  readonly cpuSeconds: number;
  /** Highest resident set, bytes; undefined where there is no /proc. */
  readonly peakRssBytes: number | undefined;
  /** From the start of the process to its first request, s; undefined when it sent none. */
  readonly initSeconds: number | undefined;
  /** Requests that arrived at the target. */
  readonly requests: number;
}

/** Crossed thresholds are no matter here: the target is a stand-in. */
const K6_THRESHOLDS = 99;

/**
 * Runs a job in `folder`.
 * @throws UserError when k6 does not end well
 */
export async function runJob(k6: string, job: Job, target: Target, folder: string): Promise<Cost> {
  target.reset();
  const started = performance.now();
  const variables = Object.entries({ BASE_URL: target.url, ...job.env }).flatMap(([name, value]) => [
    '-e',
    `${name}=${value}`,
  ]);
  const output = job.samples === true ? ['--out', 'csv=samples.csv'] : [];
  const child = spawn(
    'sh',
    // `times` prints the time of the shell, then that of its children: user and system.
    [
      '-c',
      '"$@"; code=$?; times; exit $code',
      'sh',
      k6,
      'run',
      '-q',
      '--address',
      '',
      ...output,
      ...variables,
      job.script,
    ],
    { cwd: folder, env: { ...process.env, K6_CSV_TIME_FORMAT: 'unix_milli' }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let peakRssBytes: number | undefined;
  const poll = setInterval(() => {
    peakRssBytes = Math.max(peakRssBytes ?? 0, peakRss(child.pid) ?? 0) || undefined;
  }, 50);
  let out = '';
  let errors = '';
  child.stdout.on('data', (data: Buffer) => {
    out = (out + data).slice(-4_000);
  });
  child.stderr.on('data', (data: Buffer) => {
    errors = (errors + data).slice(-4_000);
  });
  const code = await new Promise<number | null>((done, fail) => {
    child.on('error', fail);
    child.on('close', done);
  });
  clearInterval(poll);
  if (code !== 0 && code !== K6_THRESHOLDS) {
    const why = errors.trim().split('\n').at(-1) ?? '';
    throw new UserError(`bench: k6 ended ${job.name} with exit code ${code}: ${why}`);
  }
  return {
    cpuSeconds: childTime(out),
    peakRssBytes,
    initSeconds: target.firstAt === undefined ? undefined : (target.firstAt - started) / 1000,
    requests: target.requests,
  };
}

/** User plus system time of the children in what `times` printed last, s. */
export function childTime(output: string): number {
  const lines = [...output.matchAll(/(\d+)m([\d.,]+)s\s+(\d+)m([\d.,]+)s/g)];
  const [, ...parts] = lines.at(-1) ?? [];
  const [userMinutes, user, systemMinutes, system] = parts.map((part) => Number(part.replace(',', '.')));
  if (lines.length < 2)
    throw new UserError('bench: this shell has no `times`; run it with a POSIX sh (Linux, macOS, WSL)');
  return 60 * ((userMinutes ?? 0) + (systemMinutes ?? 0)) + (user ?? 0) + (system ?? 0);
}

/** Peak resident set of the shell's child; undefined without /proc. */
function peakRss(shell: number | undefined): number | undefined {
  try {
    const pid = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim().split(' ')[0];
    const kilobytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}
