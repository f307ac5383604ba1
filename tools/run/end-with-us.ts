/**
 * Lets a process end when this one ends, also when this one is killed and can do nothing more: a shell of a megabyte waits
 * on a pipe that nobody writes to, and the system closes the pipe of a dead process.
 */
import { spawn } from 'node:child_process';

/** Seconds that the process has to end in order (k6 writes its summary) before it is killed. */
const GRACE_SECONDS = 60;

/** Reads a word when all is well; the end of the pipe instead of a word means that we are gone. */
const WATCH = `read -r word || {
  kill -TERM "$0" 2>/dev/null
  n=0
  while kill -0 "$0" 2>/dev/null && [ $n -lt ${GRACE_SECONDS} ]; do sleep 1; n=$((n+1)); done
  kill -KILL "$0" 2>/dev/null
}`;

/**
 * @param pid process to be ended with this one
 * @returns to be called once that process has ended, before its number can belong to another
 */
export function endWithUs(pid: number): () => void {
  // Windows has no such shell, and there a console's processes end with it.
  if (process.platform === 'win32') return () => undefined;
  const watcher = spawn('/bin/sh', ['-c', WATCH, String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C must not reach it.
    detached: true,
  });
  const nothing = (): void => undefined;
  watcher.on('error', nothing);
  watcher.stdin.on('error', nothing);
  watcher.unref();
  return () => void watcher.stdin.end('done\n');
}
