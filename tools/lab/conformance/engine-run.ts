/** One engine on one script: what it showed. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { consoleLines, countRows, readRows } from './rows.ts';

/** The program of an engine and what stands before the flags that both take. */
export interface Engine {
  readonly program: string;
  readonly arguments: readonly string[];
}

export interface Shown {
  /** `cut` where the time was over. */
  readonly exit: number | 'cut';
  readonly rows: Readonly<Record<string, string>>;
  readonly console: readonly string[];
  readonly stderr: string;
}

const LIMIT_MS = 25_000;

/** @param file the script, in the folder that its relative paths start from */
export function show(engine: Engine, file: string, csv: string, variables: readonly string[]): Promise<Shown> {
  rmSync(csv, { force: true });
  const flags = ['--quiet', '--out', `csv=${csv}`, ...variables.flatMap((pair) => ['-e', pair]), file];
  const options = { timeout: LIMIT_MS, killSignal: 'SIGKILL' as const, maxBuffer: 2 ** 26, cwd: dirname(file) };
  return new Promise((resolve) => {
    execFile(engine.program, [...engine.arguments, ...flags], options, (error, _, stderr) => {
      const exit = error === null ? 0 : error.killed === true ? 'cut' : Number(error.code ?? -1);
      const text = existsSync(csv) ? readFileSync(csv, 'utf8') : '';
      resolve({ exit, rows: countRows(readRows(text)), console: consoleLines(stderr), stderr });
    });
  });
}
