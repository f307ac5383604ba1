/**
 * A k6 scenario for the endpoints found in a log of any API: runs as it stands and gives the log's mix back; the user fills in
 * real ids and bodies at the marked places.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workload } from '../../../lib/model/workload.ts';
import { writeOutput } from '../../base/output-file.ts';
import { packageRoot } from '../../base/package.ts';
import { UserError } from '../../base/user-error.ts';
import type { TrafficModel } from '../model/model.ts';
import declarations from './sampling.d.ts?raw';
import { scenarioText } from './scenario.ts';

/** Made by the build, from `lib/sampling.ts`. */
const SAMPLING = 'dist/lib/sampling.js';
const SCENARIO = 'scenario.ts';

/**
 * Writes `scenario.ts`, the `workload.json` that it reads and the `sampling.js` that it draws with into the folder.
 * @returns the paths written
 * @throws UserError when the suite has not been built, the log is one of the bookstore or `scenario.ts` was edited
 */
export function writeSkeleton(model: TrafficModel, folder: string, workload: Workload, force = false): string[] {
  refuseEdited(folder, force);
  if (workload.endpoints === undefined) {
    throw new UserError(
      'a skeleton is for another API, and this log is one of the bookstore, whose scenarios are there: leave out --skeleton and write the workload with --out',
    );
  }
  const sampling = join(packageRoot(), SAMPLING);
  if (!existsSync(sampling)) throw new UserError(`${SAMPLING} is missing, which a skeleton needs: run npm run build`);
  const items = 'refused' in model.popularity ? 1000 : model.popularity.catalogue;
  const files: Readonly<Record<string, string>> = {
    'workload.json': `${JSON.stringify(workload, null, 2)}\n`,
    'sampling.js': readFileSync(sampling, 'utf8'),
    'sampling.d.ts': declarations,
    [SCENARIO]: signed(scenarioText({ endpoints: Object.values(workload.endpoints), items })),
  };
  return Object.entries(files).map(([name, text]) => {
    const path = join(folder, name);
    writeOutput(path, text);
    return path;
  });
}

/**
 * Keeps what a user wrote into the scenario from being lost; ask before a long log is read.
 * @throws UserError (exit 2) when the folder has a scenario that is not as it was generated
 */
export function refuseEdited(folder: string, force: boolean): void {
  const path = join(folder, SCENARIO);
  if (force || !existsSync(path)) return;
  const text = readFileSync(path, 'utf8');
  if (text !== signed(text.replace(SIGNATURE, ''))) {
    throw new UserError(
      `${path} has been edited since it was generated: name another folder, overwrite it with --force, or renew its data alone with --out ${join(folder, 'workload.json')}`,
    );
  }
}

const SIGNATURE = /^\/\/ Generated, [0-9a-f]{16}: .*\n/;

/** The text with a first line that tells whether anybody has edited the rest. */
function signed(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return `// Generated, ${hash}: as long as nothing is edited, \`traffic --skeleton\` may write this file anew.\n${text}`;
}

/** The command that runs a skeleton, for people. */
export function runCommand(folder: string): string {
  return `k6 run -e BASE_URL=http://127.0.0.1:8080 ${quoted(join(folder, SCENARIO))}`;
}

function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
