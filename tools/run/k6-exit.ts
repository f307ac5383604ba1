/** What k6's exit codes mean, each as one sentence (k6 v2.2); the README's table is made from this. */
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';

export const K6_EXIT_CODES: Readonly<Record<number, string>> = {
  0: 'k6 finished and no threshold was crossed',
  2: 'k6 itself crashed: Go ends a program so after a fatal error; its trace stands above',
  97: 'the cloud run failed',
  98: 'the progress of the cloud run could not be followed',
  99: 'a threshold was crossed: an objective of the system or a limit of the test, the closing line says which',
  100: 'setup() timed out: nothing was measured; raise setupTimeout or mend what the pre-flight waits for',
  101: 'teardown() timed out; the measured part is complete',
  102: 'k6 timed out',
  103: 'the test was stopped through the REST API',
  104: 'k6 refused the configuration: nothing was measured; its message above names the option',
  105: 'the run was stopped by a signal before its end; what was measured until then is kept',
  106: 'the REST API could not start (--address): nothing was measured',
  107: 'the script threw an exception in init, setup() or teardown(); its message stands above',
  108: 'the script aborted the test; its reason stands above',
  109: 'k6 itself crashed (a Go panic)',
  110: 'the script marked the test as failed; its reason stands above',
  255: 'k6 could not start: its message above says why (script not found, unknown output, bad option value)',
};

/** The part of a meaning that points at what k6 has just printed. */
const ABOVE = /[;:] its (trace|message|reason) (stands above|above [^;]*)$/;

/**
 * One sentence for somebody who reads later, where nothing of k6 stands above.
 * @param said what k6's log says of it
 * @param log where that log is
 */
export function exitMeaningLater(code: number, said: string | undefined, log: string | undefined): string {
  const meaning = exitMeaning(code, null);
  if (!ABOVE.test(meaning)) return meaning;
  const why =
    said !== undefined
      ? `k6's log says: ${said.replace(/\.$/, '')}`
      : log !== undefined
        ? `${log} says why`
        : "k6's log, which is not here, says why";
  return `${meaning.replace(ABOVE, '')}; ${why}`;
}

/** Codes of a run that k6 refused before any load was sent. */
export const NOT_STARTED: readonly number[] = [104, 106, 255];

/** Exit code as a shell would show it: 128 + n for a process that signal n killed. */
export function shellExitCode(code: number | null, signal: NodeJS.Signals | null): number {
  if (code !== null) return code;
  return signal === null ? 255 : 128 + constants.signals[signal];
}

/** One sentence for the end of a run. */
export function exitMeaning(code: number, signal: NodeJS.Signals | null): string {
  if (signal !== null) return killedBy(signal);
  const known = K6_EXIT_CODES[code];
  if (known !== undefined) return known;
  // A shell or a container between us and k6 reports a killed k6 this way.
  const through = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  if (through !== undefined) return killedBy(through[0]);
  return `k6 ended with exit code ${code}, which k6 does not document`;
}

/** The sentence with the script's own words in the place of a pointer to them, when the log has them. */
export function withReason(meaning: string, logFile: string): string {
  if (!ABOVE.test(meaning) || !existsSync(logFile)) return meaning;
  const last = lastError(readFileSync(logFile, 'utf8'));
  return last === undefined ? meaning : meaning.replace(ABOVE, () => `: ${last}`);
}

/** First line of the last error in a log of k6's. */
function lastError(log: string): string | undefined {
  const [, quoted] = [...log.matchAll(/^time="[^"]*" level=error msg=("(?:[^"\\]|\\.)*")/gm)].at(-1) ?? [];
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

function killedBy(signal: string): string {
  const memory = signal === 'SIGKILL' ? ' (out of memory? the kernel log says)' : '';
  return `k6 was killed by ${signal}${memory}; it wrote no summary, the samples up to the last second are kept`;
}
