/** This very command again, in a process that Node starts with other settings. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * Passes signals on and gives its standard output and error to the new process.
 * @param settings of Node, such as `--max-semi-space-size=64`
 * @param env its environment
 * @param input what it reads on its standard input
 * @returns its exit code
 */
export function rerun(settings: readonly string[], env: NodeJS.ProcessEnv, input: string): Promise<number> {
  const [, program = '', ...args] = process.argv;
  const child = spawn(process.execPath, [...process.execArgv, ...settings, program, ...args], {
    env,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  // It may end before it has read anything.
  child.stdin.on('error', () => undefined).end(input);
  const forward = (signal: NodeJS.Signals) => void child.kill(signal);
  process.on('SIGTERM', forward);
  // A terminal sends this one to both; somebody else, to us alone.
  const interrupt = () => void (process.stdin.isTTY === true || child.kill('SIGINT'));
  process.on('SIGINT', interrupt);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.off('SIGTERM', forward);
      process.off('SIGINT', interrupt);
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
