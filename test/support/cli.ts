/** Runs the built command line as a user does: a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');
const BIN = join(ROOT, 'bin', 'bookstore-load.mjs');

export interface CliResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Started command line, and its end. */
export function startCli(
  args: readonly string[],
  options: CliOptions = {},
): { child: ChildProcess; end: Promise<CliResult> } {
  if (!existsSync(join(ROOT, 'dist', 'cli.mjs')))
    throw new Error('dist/cli.mjs is missing: run `node build.mjs` first');
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const end = new Promise<CliResult>((done, fail) => {
    child.once('error', fail);
    // The pipes may outlive the process when a grandchild holds them.
    child.once('exit', (code, signal) => setTimeout(() => done({ code, signal, stdout, stderr }), 50));
  });
  return { child, end };
}

/** Runs the command line to its end. */
export function cli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return startCli(args, options).end;
}
