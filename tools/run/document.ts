/** The result of a run as `--json` prints it. */
import type { RunResult } from './run.ts';

/** Schema of what `run --json` prints. */
export const RUN_RESULT_SCHEMA_VERSION = 1;

/** The result as `--json` prints it; the generator's series stay in the manifest. */
export function documentOf({ generator: _, ...result }: RunResult): object {
  return { schemaVersion: RUN_RESULT_SCHEMA_VERSION, ...result };
}
