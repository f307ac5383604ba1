/** What `node build.mjs` does after it has bundled this file: check, prepare data, bundle the scenarios, look them over. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildResult, build, context } from 'esbuild';
import { UserError } from '../user-error.ts';
import { bundleOptions, overBudget, sizeTable } from './bundles.ts';
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
  prepareData(sources, join(settings.outdir, 'data'));
  const scenarios = readdirSync('scenarios').filter((file) => file.endsWith('.ts'));
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
          plugin.onEnd((result) => {
            if (result.errors.length > 0) return;
            try {
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
