/** What `node build.mjs` does after it has bundled this file: check, prepare data, bundle the scenarios, look them over. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildResult, build, context } from 'esbuild';
import { UserError } from '../user-error.ts';
import { bundleOptions, OFFICE, overBudget, sizeTable } from './bundles.ts';
import { scenarioFaults } from './check-scenarios.ts';
import { prepareData, SOURCES, type Sources } from './prepare.ts';
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

/** @throws UserError for data that does not fit and for bundles that k6 would refuse or that cost too much */
export async function buildScenarios(settings: BuildSettings): Promise<void> {
  const sources: Sources = settings;
  const { workloads, thresholds } = prepareData(sources, join(settings.outdir, 'data'));
  const scenarios = readdirSync('scenarios')
    .filter((file) => file.endsWith('.ts'))
    .sort();
  removeStale(settings.outdir, scenarios);
  const check = async (): Promise<void> => {
    const faults = await scenarioFaults(
      scenarios.map((file) => join('scenarios', file)),
      workloads,
      thresholds,
    );
    if (faults.length > 0) throw new UserError(faults.join('\n'));
  };
  await check();
  const options = bundleOptions({
    scenarios: scenarios.map((file) => join('scenarios', file)),
    outdir: settings.outdir,
    jslib: settings.jslib,
  });
  if (!settings.watch) return finish(await build(options), settings);
  const watching = await context({
    ...options,
    plugins: [
      ...(options.plugins ?? []),
      {
        name: 'report',
        setup(plugin) {
          let first = true;
          plugin.onEnd(async (result) => {
            if (result.errors.length > 0) return;
            try {
              if (!first) await check();
              first = false;
              finish(result, settings);
              process.stdout.write('built\n');
            } catch (error) {
              process.stderr.write(`${(error as Error).message}\n`);
            }
          });
        },
      },
    ],
  });
  await watching.watch();
}

/** Bundles of scenarios that are no more; files that this build did not make stay. */
export function removeStale(outdir: string, scenarios: readonly string[]): void {
  if (!existsSync(outdir)) return;
  for (const file of readdirSync(outdir)) {
    if (!file.endsWith('.js') || scenarios.includes(`${file.slice(0, -3)}.ts`)) continue;
    const path = join(outdir, file);
    if (readFileSync(path, 'utf8').includes(`"./${OFFICE}"`)) rmSync(path);
  }
}

function finish(result: BuildResult, { metafile, outdir }: BuildSettings): void {
  const meta = result.metafile;
  if (meta === undefined) return;
  if (metafile) process.stdout.write(`${sizeTable(meta)}\n`);
  const faults = [
    ...Object.keys(meta.outputs).filter((file) => file.endsWith('.js')),
    join(outdir, 'lib', 'office.js'),
  ].flatMap((file) => scanBundle(readFileSync(file, 'utf8')).map((what) => `${file} uses ${what}, which k6 lacks`));
  faults.push(...overBudget(meta));
  if (faults.length > 0) throw new UserError(faults.join('\n'));
}
