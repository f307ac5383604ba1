/** With `--json` a program reads standard output: it gets one document, of the result or of why there is none. */

/** Whether the command line asks for JSON (words behind `--` belong to k6). */
export function asksForJson(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return words.slice(0, end === -1 ? undefined : end).includes('--json');
}

/**
 * Watches standard output from now on.
 * @returns what prints the document of an error, unless a result was printed before it
 */
export function jsonErrors(stdout: Pick<NodeJS.WriteStream, 'write'>): (message: string, exitCode: number) => void {
  const write = stdout.write.bind(stdout) as (...words: unknown[]) => boolean;
  let printed = false;
  stdout.write = (...words: unknown[]) => {
    printed = true;
    return write(...words);
  };
  return (message, exitCode) => {
    if (!printed) write(`${JSON.stringify({ error: { message, exitCode } })}\n`);
  };
}
