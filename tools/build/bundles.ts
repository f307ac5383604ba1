/** Bundles of load tests for k6: one file each, small, and free of what k6's engine lacks. */
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type BuildOptions, type BuildResult, build, type Metafile, type OutputFile, type Plugin } from 'esbuild';
import { makeFolders } from '../base/folders.ts';
import { packageRoot } from '../base/package.ts';
import { encloseBundles, outputFile } from './enclose.ts';
import { ownLibrary } from './own-library.ts';
import { buildServerModel } from './server-model.ts';

/** The file with what only VU 0 needs, beside the bundles; `lib/load-test.ts` reads it. */
export const LIFECYCLE = 'lib/lifecycle.js';
/** Largest minified bundle, bytes: a bundle's code is held by every VU. */
export const BUNDLE_BUDGET = 12_000;
export const JSLIB_SUMMARY = 'https://jslib.k6.io/k6-summary/0.1.0/index.js';

/** What the suite uses; code for the rest folds away, see `lib/session/build-flags.d.ts`. */
export interface Uses {
  readonly redirects: boolean;
  readonly rowsOnce: boolean;
  readonly cdnShare: boolean;
  readonly noCookies: boolean;
}

export interface BundleSettings {
  readonly loadTests: readonly string[];
  /** File that defines the suite. */
  readonly definition: string;
  readonly uses: Uses;
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

/** esbuild options of the bundles, which stay in memory until `writeBundles`. */
export function bundleOptions({
  loadTests,
  outdir,
  definition,
  uses,
  jslib: usesJslib,
  beside,
}: BundleSettings): BuildOptions {
  return {
    ...COMMON,
    entryPoints: [...loadTests],
    outdir,
    metafile: true,
    write: false,
    define: {
      ...COMMON.define,
      USES_REDIRECTS: `${uses.redirects}`,
      USES_ROWS_ONCE: `${uses.rowsOnce}`,
      USES_CDN_SHARE: `${uses.cdnShare}`,
      USES_NO_COOKIES: `${uses.noCookies}`,
    },
    plugins: [ownLibrary(), lifecycleBeside(definition, beside), encloseBundles(), ...(usesJslib ? [jslib()] : [])],
  };
}

/** Puts the bundles of a finished build, and the life cycle beside them, where they belong. */
export function writeBundles({ outputFiles = [] }: BuildResult): void {
  for (const { path, contents } of outputFiles) {
    makeFolders(dirname(path));
    writeFileSync(path, contents);
  }
}

/** A file of the library: the source where it lies beside this program, else what was published. */
export function libraryFile(name: string): string {
  const root = packageRoot();
  const source = join(root, 'lib', `${name}.ts`);
  return existsSync(source) ? source : join(root, 'dist', 'package', `${name}.js`);
}

/**
 * What only the start and the end of a run need goes into a file of its own, which bundles read as text and evaluate in VU 0.
 * To the other VUs it costs nothing (measured: 14 kB of code at top level cost a VU 90 kB; imported as a module whose one
 * function is never called, 5 kB).
 */
async function buildLifecycle(definition: string, outdir: string): Promise<OutputFile> {
  const path = (file: string) => JSON.stringify(file.replaceAll('\\', '/'));
  const contents = `import { k6Lifecycle } from ${path(libraryFile('k6-lifecycle'))};
import suite from ${path(resolve(definition))};
export const start = (test, modules) => k6Lifecycle(suite, test, modules);
export { suite };`;
  const result = await build({
    ...COMMON,
    format: 'iife',
    globalName: 'lifecycle',
    stdin: { contents, resolveDir: process.cwd(), sourcefile: 'lifecycle.ts', loader: 'ts' },
    write: false,
    plugins: [ownLibrary(definition)],
  });
  return outputFile(join(outdir, LIFECYCLE), result.outputFiles?.[0]?.text ?? '');
}

function lifecycleBeside(definition: string, beside: BundleSettings['beside']): Plugin {
  return {
    name: 'lifecycle-beside',
    setup(plugin) {
      // What the life cycle is made of starts a rebuild as well, though no bundle holds it.
      plugin.onResolve({ filter: /./ }, ({ kind, path, resolveDir }) =>
        kind === 'entry-point' && beside !== undefined ? { path: resolve(resolveDir, path), ...beside() } : undefined,
      );
      plugin.onEnd(async ({ errors, outputFiles }) => {
        if (errors.length > 0) return;
        const { outdir = '.' } = plugin.initialOptions;
        const model = await buildServerModel(definition, outdir);
        outputFiles?.push(await buildLifecycle(definition, outdir), ...(model === undefined ? [] : [model]));
      });
    },
  };
}

function jslib(): Plugin {
  return {
    name: 'jslib',
    setup(plugin) {
      plugin.onLoad({ filter: /[\\/]summary[\\/]external-text\.(ts|js)$/ }, () => ({
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
