/** k6 for tests that need the real one. */
import { execFile, execFileSync } from 'node:child_process';

/** Path of k6 by `K6_BIN`, else on `PATH`; undefined, said loudly, when there is none. */
export const K6 = find();

function find(): string | undefined {
  const candidate = process.env['K6_BIN'] || 'k6';
  try {
    execFileSync(candidate, ['version'], { stdio: 'pipe', timeout: 20_000 });
    return candidate;
  } catch {
    console.warn(`SKIPPED: tests that need k6, because ${candidate} does not run; put k6 on PATH or name it in K6_BIN`);
    return undefined;
  }
}

export interface K6Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs k6 without its API server, so that several can run at once. */
export function runK6(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env): Promise<K6Run> {
  const [command = 'run', ...rest] = args;
  return new Promise((done) => {
    const options = { cwd, env, maxBuffer: 64 * 1024 * 1024, timeout: 400_000 };
    const child = execFile(K6 ?? 'k6', [command, '--address', '', ...rest], options, (_error, stdout, stderr) => {
      done({ exitCode: child.exitCode ?? -1, stdout, stderr });
    });
  });
}
