/** How a k6 process of ours ended; what its codes mean stands in lib/k6/exit-codes.ts. */
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { withPrinted } from '../../lib/k6/exit-codes.ts';
import { linesOf } from '../base/text-lines.ts';

/** Exit code as a shell would show it: 128 + n for a process that signal n killed. */
export function shellExitCode(code: number | null, signal: NodeJS.Signals | null): number {
  if (code !== null) return code;
  return signal === null ? 255 : 128 + constants.signals[signal];
}

/** The sentence with the script's own words in the place of a pointer to them, when the log has them. */
export function withReason(meaning: string, logFile: string): string {
  return withPrinted(meaning, () => {
    const last = existsSync(logFile) ? lastError(linesOf(logFile)) : undefined;
    return last === undefined ? undefined : `: ${last}`;
  });
}

/** First line of the last error in a log of k6's. */
function lastError(log: Iterable<string>): string | undefined {
  let quoted: string | undefined;
  for (const line of log) quoted = /^time="[^"]*" level=error msg=("(?:[^"\\]|\\.)*")/.exec(line)?.[1] ?? quoted;
  if (quoted === undefined) return undefined;
  try {
    const text = JSON.parse(quoted) as string;
    return (
      text
        .trim()
        .split('\n', 1)[0]
        ?.replace(/^test aborted: /, '') || undefined
    );
  } catch {
    // Go quotes what JSON does not know; the log above has it.
    return undefined;
  }
}
