/** What the tools must know of the suite to describe a run: its variables, its target, the files that shape it. */
import { join } from 'node:path';
import { packageRoot } from '../package.ts';
import type { Script } from './script.ts';

export interface SuiteFacts {
  /** Names of the `-e` variables. */
  readonly variables: readonly string[];
  /** Where the load goes, as far as it is known. */
  readonly baseUrl: string | undefined;
  /** Files by role. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** @param env environment with the `-e` variables on top */
export function suiteFacts(script: Script, env: NodeJS.ProcessEnv): SuiteFacts {
  const baseUrl = env['BASE_URL'];
  if (!script.own) return { variables: ['BASE_URL', 'SEED'], baseUrl, inputs: {} };
  return {
    variables: ['BASE_URL', 'SEED', 'RESULTS_DIR'],
    baseUrl,
    inputs: { workload: join(packageRoot(), 'data', 'workload.json') },
  };
}
