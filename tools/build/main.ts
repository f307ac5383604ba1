/** The build of a suite: check, prepare data, bundle the load tests, look them over. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type BuildResult, build, context, type Plugin } from 'esbuild';
import type { SuiteFacts } from '../../lib/plan/suite-facts.ts';
import { UserError } from '../base/user-error.ts';
import {
  bundleOptions,
  LIFECYCLE,
  libraryFile,
  overBudget,
  sizeTable,
  type Uses,
  type WatchedFiles,
  writeBundles,
} from './bundles.ts';
import { checkLoadTests } from './check-load-tests.ts';
import { checkOutdir } from './outdir.ts';
import { type Prepared, readData, writeData } from './prepare.ts';
import { scanBundle } from './scan.ts';
import { removeStaleModel } from './server-model.ts';
import { definitionFile, loadTestFiles, readDefinition, type Sources } from './suite-folder.ts';
import { checkTypes } from './types.ts';

export interface BuildSettings extends Sources {
  readonly outdir: string;
  readonly jslib: boolean;
  readonly watch: boolean;
  readonly metafile: boolean;
  /** Whether the types are checked; not unless it is said. */
  readonly types?: boolean;
}

/**
 * Nothing is put into place before everything is well, so that a build that fails leaves the last good one as it was.
 * @returns ends the watching; without `watch` there is nothing to end
 * @throws UserError for data that does not fit and for bundles that k6 would refuse or that cost too much
 */
export async function buildSuite(settings: BuildSettings): Promise<() => Promise<void>> {
  checkOutdir(settings.outdir, settings);
  const loadTests = loadTestFiles(settings.suite);
  const definition = definitionFile(settings.suite);
  const read = async (): Promise<Prepared> => readData(await readDefinition(definition), definition, settings);
  const checked = async (prepared: Prepared): Promise<Prepared> => {
    const { faults, warnings, flows, loadTests: workloads } = await checkLoadTests(loadTests, prepared);
    if (faults.length > 0) throw new UserError(faults.join('\n'));
    for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
    const suite: SuiteFacts = { ...prepared.facts, flows, loadTests: workloads };
    return { ...prepared, documents: { ...prepared.documents, suite } };
  };
  const finish = (result: BuildResult, { documents }: Prepared): void => {
    check(result, settings);
    writeData(documents, join(settings.outdir, 'data'));
    writeBundles(result);
    removeStale(settings.outdir, loadTests);
    removeStaleModel(definition, settings.outdir);
  };
  const data = await read();
  // After the data: what is wrong in the definition or the workload would be an error at each of its uses too.
  if (settings.types === true) checkTypes(settings.suite);
  const prepared = await checked(data);
  const options = bundleOptions({
    loadTests,
    definition,
    uses: usesOf(prepared),
    outdir: settings.outdir,
    jslib: settings.jslib,
    beside: () => filesBeside(settings),
  });
  if (!settings.watch) {
    finish(await build(options), prepared);
    const names = loadTests.map((file) => basename(file, '.ts')).join(', ');
    process.stdout.write(`built ${names} into ${relative('.', settings.outdir) || '.'}\n`);
    return async () => undefined;
  }
  let first = true;
  const report: Plugin = {
    name: 'report',
    setup(plugin) {
      plugin.onEnd(async (result) => {
        if (result.errors.length > 0) return;
        try {
          finish(result, first ? prepared : await checked(await read()));
          process.stdout.write('built\n');
        } catch (error) {
          process.stderr.write(`${(error as Error).message}\n`);
        }
        first = false;
      });
    },
  };
  const plugins = [...(options.plugins ?? []), report];
  const watching = await context({ ...options, plugins });
  await watching.watch();
  return () => watching.dispose();
}

/** Which code the bundles need. */
function usesOf({ suite, workloads, environments }: Prepared): Uses {
  const pools = Object.values(suite.definition.pools ?? {});
  return {
    redirects: suite.endpoints.some(({ redirects }) => redirects > 0),
    rowsOnce:
      pools.some(({ law }) => law === 'once' || law === 'sequential') ||
      Object.values(environments).some((values) => values['POPULARITY'] === 'once'),
    cdnShare: Object.values(workloads).some(({ cdnShare }) => cdnShare > 0),
    noCookies: suite.definition.cookies === 'off',
  };
}

/** What is read beside the bundles' own files: data, objectives, what the life cycle is made of. */
function filesBeside({ suite, pools, workload, thresholds }: Sources): WatchedFiles {
  const inside = (folder: string) =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => resolve(folder, file))
      : [];
  const code = [dirname(libraryFile('lifecycle')), join(suite, 'scenarios')].flatMap(inside);
  const folders = [thresholds, join(suite, 'data'), join(suite, 'environments')].filter((one) => existsSync(one));
  return {
    watchFiles: [
      ...code.filter((file) => /\.[jt]s$/.test(file)),
      ...folders.flatMap(inside),
      ...[workload, ...Object.values(pools)].map((file) => resolve(file)),
    ],
    watchDirs: folders.map((folder) => resolve(folder)),
  };
}

/** Bundles of load tests that are no more; files that this build did not make stay. */
export function removeStale(outdir: string, loadTests: readonly string[]): void {
  const kept = loadTests.map((file) => `${basename(file, '.ts')}.js`);
  if (!existsSync(outdir)) return;
  for (const file of readdirSync(outdir)) {
    if (!file.endsWith('.js') || kept.includes(file)) continue;
    const path = join(outdir, file);
    if (readFileSync(path, 'utf8').includes(`"./${LIFECYCLE}"`)) rmSync(path);
  }
}

function check({ metafile: meta, outputFiles = [] }: BuildResult, { metafile }: BuildSettings): void {
  if (meta === undefined) return;
  if (metafile) process.stdout.write(`${sizeTable(meta)}\n`);
  // The model of the server runs in Node.
  const bundles = outputFiles.filter(({ path }) => path.endsWith('.js'));
  const faults = bundles.flatMap(({ path, text }) =>
    scanBundle(text).map((what) => `${relative('.', path)} uses ${what}, which k6 lacks`),
  );
  faults.push(...overBudget(meta));
  if (faults.length > 0) throw new UserError(faults.join('\n'));
}

export { sourcesOf } from './suite-folder.ts';
