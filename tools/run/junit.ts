/** The JUnit file of a run that did not go to its end: CI systems read the file, not the exit code, so it must be red. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type JunitSuite, junitDocument, junitSuite } from '../../lib/model/junit.ts';
import { SENT_CASE } from '../../lib/summary/junit.ts';

/**
 * Adds a test case with an error to a JUnit document.
 * @param document what the script wrote; undefined, or no JUnit document: a new one is made
 */
export function withError(document: string | undefined, suite: string, message: string): string {
  const failed: JunitSuite = {
    name: `${suite}: the run`,
    cases: [{ classname: 'run', name: 'the run went to its end', outcome: { kind: 'error', message } }],
  };
  const end = document?.lastIndexOf('</testsuites>') ?? -1;
  // Where nothing was sent, the script's own file says only that; the error says why.
  if (document === undefined || end === -1 || document.includes(`name="${SENT_CASE}"`)) return junitDocument([failed]);
  const head = document.slice(0, end).replace(/<testsuites\b[^>]*>/, (tag) => raised(raised(tag, 'tests'), 'errors'));
  return `${head.trimEnd()}\n${junitSuite(failed)}\n</testsuites>\n`;
}

/** The opening tag with a count raised by one. */
function raised(tag: string, name: string): string {
  const counted = new RegExp(`(\\s${name}=")(\\d+)"`);
  if (counted.test(tag)) return tag.replace(counted, (_, before: string, n: string) => `${before}${Number(n) + 1}"`);
  return tag.replace(/>$/, ` ${name}="1">`);
}

/**
 * As above, in a file; one that is older than the run is of another run and is replaced.
 * @returns why it could not be written, if so
 */
export function addError(file: string, since: Date, suite: string, message: string): string | undefined {
  try {
    const fresh = existsSync(file) && isOfRun(file, since);
    writeFileSync(file, withError(fresh ? readFileSync(file, 'utf8') : undefined, suite, message));
    return undefined;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    return `${file} could not be written (${code}); does its folder exist, is the disk full?`;
  }
}

/** File systems keep times as coarsely as this. */
const CLOCK_GRAIN_MS = 20;

/** Whether a file was written since a run began; one that is older is of another run. */
export function isOfRun(file: string, started: Date): boolean {
  return statSync(file).mtimeMs >= started.getTime() - CLOCK_GRAIN_MS;
}
