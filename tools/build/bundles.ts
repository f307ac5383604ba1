/** Scenario bundles for k6: one file each, small, and free of what k6's engine lacks. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildOptions, type BuildResult, build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import { ENDPOINTS, type EndpointKey } from '../../scenarios/bookstore/endpoints.ts';
import { makeFolders } from '../base/folders.ts';
import { encloseBundles, outputFile } from './enclose.ts';

export const LIFECYCLE = 'lib/lifecycle.js';
/** Largest minified bundle, bytes: a bundle's code is held by every VU. */
export const BUNDLE_BUDGET = 20_000;
export const JSLIB_SUMMARY = 'https://jslib.k6.io/k6-summary/0.1.0/index.js';

export interface BundleSettings {
  readonly scenarios: readonly string[];
  readonly outdir: string;
  /** Print the summary with k6's published module, imported from its URL by k6. */
  readonly jslib: boolean;
  /** What is watched beside the bundles' own files, asked for at each build. */
  readonly beside?: () => WatchedFiles;
}

/** Paths that start a rebuild when they change. */
export interface WatchedFiles {
  readonly watchFiles: string[];
  readonly watchDirs: string[];
}

const COMMON: BuildOptions = {
  bundle: true,
  format: 'esm',
  target: 'es2020',
  external: ['k6', 'k6/*', 'https://*'],
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  // `typeof exports` in an npm package throws at init inside k6; BUNDLED folds the help texts away.
  define: { exports: 'undefined', module: 'undefined', BUNDLED: 'true' },
};

/** esbuild options of the scenario bundles, which stay in memory until `writeBundles`. */
export function bundleOptions(settings: BundleSettings): BuildOptions {
  return {
    ...COMMON,
    entryPoints: [...settings.scenarios],
    outdir: settings.outdir,
    metafile: true,
    write: false,
    plugins: [
      lifecycleApart(settings.beside),
      inlineEndpoints(),
      encloseBundles(),
      ...(settings.jslib ? [jslib()] : []),
    ],
  };
}

/** Puts the bundles of a finished build, and the life cycle beside them, where they belong. */
export function writeBundles({ outputFiles = [] }: BuildResult): void {
  for (const { path, contents } of outputFiles) {
    makeFolders(dirname(path));
    writeFileSync(path, contents);
  }
}

/**
 * The life cycle goes into a file of its own, `lib/lifecycle.js` beside the bundles: an expression, which bundles read as text and
 * evaluate where they need it, in VU 0. To the other VUs it costs nothing (measured: 14 kB of code at top level cost a VU
 * 90 kB; imported as a module whose one function is never called, 5 kB).
 */
async function buildLifecycle(outdir: string): Promise<OutputFile> {
  const result = await build({ ...COMMON, entryPoints: ['lib/lifecycle.ts'], write: false });
  const text = (result.outputFiles?.[0]?.text ?? '').trim();
  const end = /export\{([^}]*)\};?$/.exec(text);
  if (!end) throw new Error('lib/lifecycle.ts exports nothing');
  const exported = (end[1] as string).replace(/([\w$]+) as ([\w$]+)/g, '$2:$1');
  return outputFile(join(outdir, LIFECYCLE), `(()=>{"use strict";${text.slice(0, end.index)}return{${exported}}})()\n`);
}

/** Bundles read the life cycle instead of holding it. */
function lifecycleApart(beside: BundleSettings['beside']): Plugin {
  return {
    name: 'lifecycle-apart',
    setup(plugin) {
      plugin.onLoad({ filter: /[\\/]lib[\\/]lazy-lifecycle\.ts$/ }, () => ({
        contents: `export const lifecycle = () => new Function('return ' + open('./${LIFECYCLE}'))();`,
        loader: 'js',
        ...beside?.(),
      }));
      plugin.onEnd(async ({ errors, outputFiles }) => {
        if (errors.length === 0) outputFiles?.push(await buildLifecycle(plugin.initialOptions.outdir ?? '.'));
      });
    },
  };
}

/**
 * Puts the entry of `scenarios/bookstore/endpoints.ts` in the place of `ENDPOINTS.key` in the steps, so that a VU holds the endpoints that it
 * calls and not the table.
 */
function inlineEndpoints(): Plugin {
  return {
    name: 'inline-endpoints',
    setup(plugin) {
      plugin.onLoad({ filter: /[\\/](?:.*[-\\/])?(?:steps|requests)\.ts$/ }, ({ path }) => ({
        contents: readFileSync(path, 'utf8').replace(/\bENDPOINTS\.(\w+)/g, (whole, key: string) =>
          key in ENDPOINTS ? JSON.stringify(ENDPOINTS[key as EndpointKey]) : whole,
        ),
        loader: 'ts',
      }));
    },
  };
}

function jslib(): Plugin {
  return {
    name: 'jslib',
    setup(plugin) {
      plugin.onLoad({ filter: /[\\/]lib[\\/]summary[\\/]external-text\.ts$/ }, () => ({
        contents: `export { textSummary as externalSummary } from '${JSLIB_SUMMARY}';`,
        loader: 'js',
      }));
    },
  };
}

/** Sentences for every bundle of a finished build that is over the budget. */
export function overBudget(metafile: Metafile, budget: number = BUNDLE_BUDGET): string[] {
  return Object.entries(metafile.outputs)
    .filter(([file, { bytes }]) => file.endsWith('.js') && bytes > budget)
    .map(
      ([file, { bytes }]) =>
        `${file} has ${bytes} bytes, more than the ${budget} that a VU's memory allows: take out what every VU need not hold`,
    );
}

/** Table of what makes up each bundle, the largest first. */
export function sizeTable(metafile: Metafile): string {
  const lines: string[] = [];
  for (const [file, { bytes, inputs }] of Object.entries(metafile.outputs)) {
    lines.push(`${file}  ${bytes} bytes`);
    const parts = Object.entries(inputs).sort((a, b) => b[1].bytesInOutput - a[1].bytesInOutput);
    for (const [input, { bytesInOutput }] of parts) {
      if (bytesInOutput > 0) lines.push(`  ${String(bytesInOutput).padStart(6)}  ${input}`);
    }
  }
  return lines.join('\n');
}
