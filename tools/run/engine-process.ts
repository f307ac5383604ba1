/**
 * The engine as a child process. Its log goes straight into a file, which is followed to the terminal: so the verdict can
 * read it, and the engine depends on nobody who reads a pipe. It ends with this process, however that ends.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { endWithUs } from './end-with-us.ts';
import type { EngineResult, RunningEngine, Stdout } from './engine.ts';
import { shellExitCode } from './k6-exit.ts';
import { followLog } from './log-follower.ts';

export interface EngineProcess {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** What it reads on its standard input. */
  readonly input?: string;
  readonly stdout: Stdout;
  /** Path of the file that gets its standard error. */
  readonly logFile: string;
  /** Gets the log line by line while it is written. */
  readonly onLog: (text: string) => void;
}

const STDOUT = { inherit: 'inherit', stderr: 2, none: 'ignore' } as const;

/**
 * Runs it to its end; `onStart` is called once there is a process.
 * @throws the system's error when the program cannot be started or a file cannot be opened
 */
export async function runProcess(
  given: EngineProcess,
  onStart: (running: RunningEngine) => void,
): Promise<EngineResult> {
  const log = openSync(given.logFile, 'a');
  const output = typeof given.stdout === 'object' ? openSync(given.stdout.file, 'a') : undefined;
  const stdout = output ?? STDOUT[given.stdout as keyof typeof STDOUT];
  const follower = followLog(given.logFile, given.onLog);
  let release = (): void => undefined;
  try {
    return await new Promise<EngineResult>((done, fail) => {
      const child = spawn(given.program, given.args, {
        env: given.env,
        stdio: [given.input === undefined ? 'ignore' : 'pipe', stdout, log],
        // A process group of its own: Ctrl-C reaches us alone and is passed on once; k6 takes a second one as "stop at once".
        detached: true,
      });
      child.stdin?.on('error', () => undefined).end(given.input);
      child.once('error', fail);
      child.once('spawn', () => {
        const { pid } = child;
        if (pid === undefined) return;
        release = endWithUs(pid);
        onStart({ pid, signal: (signal) => void child.kill(signal) });
      });
      child.once('exit', (code, signal) => done({ exitCode: shellExitCode(code, signal), signal }));
    });
  } finally {
    release();
    closeSync(log);
    if (output !== undefined) closeSync(output);
    follower.end();
  }
}
