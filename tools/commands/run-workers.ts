/** `run --workers N`: the workers, what is wrong with any of them, and their union as one run. */

import { relative } from 'node:path';
import { EXIT } from '../base/exit-codes.ts';
import { jsonText } from '../base/terminal-text.ts';
import { UserError } from '../base/user-error.ts';
import { documentOf } from '../run/document.ts';
import type { Engine } from '../run/engine.ts';
import type { RunRequest } from '../run/run.ts';
import { executeWorkers, isFailure } from '../run/workers.ts';
import { merge } from '../verdict/merge/merge.ts';

/** Schema of what `run --workers N --json` prints. */
export const WORKERS_RESULT_SCHEMA_VERSION = 1;

/**
 * @returns the code of the first worker that failed; else 3 for an invalid or refused union, 99 for an objective that the
 * union crossed, 0
 */
export async function runWorkers(engine: Engine, request: RunRequest, n: number, json: boolean): Promise<number> {
  const say = (sentence: string): void => void process.stderr.write(`bookstore-load: ${sentence}\n`);
  const { runId, folder, workers } = await executeWorkers(engine, request, n, (sentence) => {
    if (!request.quiet) say(sentence);
  });
  for (const [k, worker] of workers.entries()) {
    // A worker's own thresholds saw only its own samples: the union decides.
    if (isFailure(worker)) say(`worker-${k + 1}: exit code ${worker.exitCode}: ${worker.meaning}`);
    for (const problem of worker.problems) say(`worker-${k + 1}: ${problem}`);
  }
  const union = await unionOf(folder);
  if (union instanceof UserError) say(union.message);
  else if (!json) process.stdout.write(union.text);
  // The first that failed by itself, not one that was stopped because of it.
  const failures = workers.filter(isFailure);
  const failure = failures.find(({ exitCode }) => exitCode !== 105) ?? failures[0];
  const exitCode = failure?.exitCode ?? union.exitCode;
  if (json) {
    const merged = union instanceof UserError ? { refused: union.message } : union.json;
    const document = {
      schemaVersion: WORKERS_RESULT_SCHEMA_VERSION,
      runId,
      folder,
      exitCode,
      workers: workers.map(documentOf),
      union: merged,
    };
    process.stdout.write(`${jsonText(document)}\n`);
  }
  if (!request.quiet) process.stderr.write(`results: ${relative(process.cwd(), folder) || folder}\n`);
  return exitCode;
}

/** The union of the workers, or why there is none. */
async function unionOf(folder: string) {
  try {
    return await merge([folder], {});
  } catch (error) {
    if (error instanceof UserError) return new UserError(error.message, EXIT.noVerdict);
    throw error;
  }
}
