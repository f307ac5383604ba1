/**
 * For servers that `start` runs as child processes: their standard input is a pipe that the parent never writes to, and it
 * ends when the parent does, killed or not; so no server outlives the run that it was started for.
 */

/** Set for child processes that shall end with their parent. */
export const STOP_WITH_PARENT = 'BOOKSTORE_LOAD_STOP_WITH_PARENT';

/** Asks this process to stop, as SIGTERM would, once standard input ends. Keeps no process alive by itself. */
export function stopWithParent(): void {
  const stop = (): void => void process.kill(process.pid, 'SIGTERM');
  process.stdin.once('end', stop).once('error', stop).resume();
  // A pipe or socket; what it is depends on the platform, all that can be unreferenced are.
  (process.stdin as { unref?: () => void }).unref?.();
}
