/** The folder of a suite: where its load tests, definition, data and objectives lie. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import type { SuiteDefinition } from '../../lib/plan/suite-definition.ts';
import { UserError } from '../base/user-error.ts';
import { checkDefinition } from '../schemas/definition.ts';
import { importText, withoutK6 } from './import-text.ts';
import { ownLibrary } from './own-library.ts';

/** What a build is made from. */
export interface Sources {
  /** Folder of the suite: `scenarios/`, `data/`, `thresholds/`, perhaps `environments/`. */
  readonly suite: string;
  readonly workload: string;
  /** Folder of thresholds files. */
  readonly thresholds: string;
  /** Files in place of those that the definition names, by pool. */
  readonly pools: Readonly<Record<string, string>>;
}

/** The files of a suite as they lie in its folder. */
export const sourcesOf = (suite: string): Sources => ({
  suite,
  workload: join(suite, 'data', 'workload.json'),
  thresholds: join(suite, 'thresholds'),
  pools: {},
});

/** Files of the load tests. @throws UserError when there are none */
export function loadTestFiles(suite: string): string[] {
  const folder = join(suite, 'scenarios');
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => /(?<!\.d)\.ts$/.test(file)) : [];
  if (files.length === 0) {
    throw new UserError(
      `${suite} is no suite: it has no scenarios/*.ts; name the folder that holds scenarios/, data/ and thresholds/ (--suite)`,
    );
  }
  return files.sort().map((file) => join(folder, file));
}

const DEFINITION = 'suite.ts';

/**
 * The file that defines the suite: `suite.ts` beside `scenarios/`, or in a folder of it.
 * @throws UserError when there is none, or more than one
 */
export function definitionFile(suite: string): string {
  const scenarios = join(suite, 'scenarios');
  const folders = readdirSync(scenarios).map((name) => join(scenarios, name));
  const found = [suite, ...folders.filter((path) => statSync(path).isDirectory())]
    .map((folder) => join(folder, DEFINITION))
    .filter((file) => existsSync(file));
  const [file] = found;
  if (file === undefined) {
    throw new UserError(`${suite} has no ${DEFINITION}, neither beside scenarios/ nor in a folder of it: add one`);
  }
  if (found.length > 1) throw new UserError(`${suite} has two definitions: ${found.join(' and ')}; one is enough`);
  return file;
}

/** The definition of a suite, checked. @throws UserError when its file has none, or one with a key that nothing reads */
export async function readDefinition(file: string): Promise<SuiteDefinition> {
  const result = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
    plugins: [withoutK6(), ownLibrary()],
  });
  const { default: definition } = await importText(result.outputFiles[0]?.text ?? '');
  if (definition === null || typeof definition !== 'object' || !('endpoints' in definition)) {
    throw new UserError(`${file} exports no suite: write \`export default defineSuite({ endpoints: … })\``);
  }
  checkDefinition(definition as SuiteDefinition, readFileSync(file, 'utf8'), relative('.', file));
  return definition as SuiteDefinition;
}
