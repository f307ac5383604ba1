/** The suite whose server a rehearsal models. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SuiteServer } from '../../lib/model/server-model.ts';
import type { SuiteFacts } from '../../lib/plan/suite-facts.ts';
import { UserError } from '../base/user-error.ts';
import type { ServedSuite } from '../engine/model/model-transport.ts';
import { SERVER_FILE } from '../results/files.ts';

/**
 * @param dist folder of the suite's bundles, with its own server where the suite has one
 * @throws UserError when that file gives no server
 */
export async function servedSuite(dist: string, facts: SuiteFacts): Promise<ServedSuite> {
  const rows = Object.fromEntries(Object.entries(facts.pools).map(([name, pool]) => [name, pool.rows]));
  const suite = { endpoints: facts.endpoints, rows };
  const file = resolve(join(dist, SERVER_FILE));
  if (!existsSync(file)) return suite;
  const { default: server } = (await import(pathToFileURL(file).href)) as { default?: unknown };
  if (typeof server !== 'function') {
    throw new UserError(
      `${file} exports no server: let server-model.ts export one as default (SuiteServer), and build`,
    );
  }
  return { ...suite, server: server as SuiteServer };
}
