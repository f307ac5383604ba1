/** What `node build.mjs` does after it has bundled this file: check, prepare data, bundle the scenarios, look them over. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type BuildResult, build, context, type Plugin } from 'esbuild';
import { UserError } from '../base/user-error.ts';
import { bundleOptions, LIFECYCLE, overBudget, sizeTable, type WatchedFiles, writeBundles } from './bundles.ts';
import { scenarioFaults } from './check-scenarios.ts';
import { checkOutdir } from './outdir.ts';
import { type Prepared, readData, SOURCES, type Sources, writeData } from './prepare.ts';
import { scanBundle } from './scan.ts';

export interface BuildSettings {
  readonly workload: string;
  readonly thresholds: string;
  readonly books: string;
  readonly searchTerms: string;
  readonly outdir: string;
  readonly jslib: boolean;
  readonly watch: boolean;
  readonly metafile: boolean;
}

export const BUILD_DEFAULTS: BuildSettings = {
  ...SOURCES,
  outdir: 'dist',
  jslib: false,
  watch: false,
  metafile: false,
};

/**
 * Nothing is put into place before everything is well, so that a build that fails leaves the last good one as it was.
 * @returns ends the watching; without `watch` there is nothing to end
 * @throws UserError for data that does not fit and for bundles that k6 would refuse or that cost too much
 */
export async function buildScenarios(settings: BuildSettings): Promise<() => Promise<void>> {
  checkOutdir(settings.outdir, settings);
  const files = readdirSync('scenarios')
    .filter((file) => file.endsWith('.ts'))
    .sort();
  const scenarios = files.map((file) => join('scenarios', file));
  const options = bundleOptions({
    scenarios,
    outdir: settings.outdir,
    jslib: settings.jslib,
    beside: () => filesBeside(settings),
  });
  const prepare = async (): Promise<Prepared> => {
    const prepared = readData(settings);
    const faults = await scenarioFaults(scenarios, prepared.workloads, prepared.thresholds);
    if (faults.length > 0) throw new UserError(faults.join('\n'));
    return prepared;
  };
  const finish = (result: BuildResult, { documents }: Prepared): void => {
    check(result, settings);
    writeData(documents, join(settings.outdir, 'data'));
    writeBundles(result);
    removeStale(settings.outdir, files);
  };
  const prepared = await prepare();
  if (!settings.watch) {
    finish(await build(options), prepared);
    return async () => undefined;
  }
  let first = true;
  const report: Plugin = {
    name: 'report',
    setup(plugin) {
      plugin.onEnd(async (result) => {
        if (result.errors.length > 0) return;
        try {
          finish(result, first ? prepared : await prepare());
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

/** What is read beside the bundles' own files: data, objectives, what the life cycle is made of. */
function filesBeside({ books, searchTerms, workload, thresholds }: Sources): WatchedFiles {
  const inside = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => resolve(folder, file));
  const code = inside('lib').filter((file) => file.endsWith('.ts'));
  const folders = [thresholds, dirname(SOURCES.workload)];
  const data = folders.flatMap(inside).filter((file) => file.endsWith('.json'));
  return {
    watchFiles: [...code, ...data, ...[books, searchTerms, workload].map((file) => resolve(file))],
    watchDirs: folders.map((folder) => resolve(folder)),
  };
}

/** Bundles of scenarios that are no more; files that this build did not make stay. */
export function removeStale(outdir: string, scenarios: readonly string[]): void {
  if (!existsSync(outdir)) return;
  for (const file of readdirSync(outdir)) {
    if (!file.endsWith('.js') || scenarios.includes(`${file.slice(0, -3)}.ts`)) continue;
    const path = join(outdir, file);
    if (readFileSync(path, 'utf8').includes(`"./${LIFECYCLE}"`)) rmSync(path);
  }
}

function check({ metafile: meta, outputFiles = [] }: BuildResult, { metafile }: BuildSettings): void {
  if (meta === undefined) return;
  if (metafile) process.stdout.write(`${sizeTable(meta)}\n`);
  const faults = outputFiles.flatMap(({ path, text }) =>
    scanBundle(text).map((what) => `${relative('.', path)} uses ${what}, which k6 lacks`),
  );
  faults.push(...overBudget(meta));
  if (faults.length > 0) throw new UserError(faults.join('\n'));
}
