// One build: checked data -> dist/data/, scenarios -> dist/*.js (run inside k6), tools -> dist/cli.mjs (runs in Node),
// tools of contributors -> dist/lab/ (not published).
//
//   node build.mjs [--watch] [--metafile] [--jslib] [--skip-check]
//                  [--workload file] [--thresholds folder] [--books file] [--search-terms file] [--outdir folder]
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

function fail(message) {
  process.stderr.write(`build: ${message}\n`);
  process.exit(1);
}

/** A build that fails leaves what the last good one made, and `run` would take that without a word. */
function refuse(message) {
  const outdir = given.outdir ?? 'dist';
  const old = outdir !== '' && existsSync(join(outdir, 'lib', 'lifecycle.js'));
  fail(`${message}${old ? `\nbuild: ${outdir} still holds the bundles of the last build that went well` : ''}`);
}

function flags() {
  try {
    return parseArgs({
      options: {
        watch: { type: 'boolean', default: false },
        metafile: { type: 'boolean', default: false },
        jslib: { type: 'boolean', default: false },
        'skip-check': { type: 'boolean', default: false },
        workload: { type: 'string' },
        thresholds: { type: 'string' },
        books: { type: 'string' },
        'search-terms': { type: 'string' },
        outdir: { type: 'string' },
      },
    }).values;
  } catch (error) {
    return fail(`${error.message} (see the first lines of build.mjs)`);
  }
}

const { 'skip-check': skipCheck, 'search-terms': searchTerms, ...given } = flags();

// Types first: esbuild only strips them.
if (!skipCheck) {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [tsc, '--noEmit'], { stdio: 'inherit' });
  if (status !== 0) refuse('the types do not fit, see above');
}

/** `import text from './file.js?raw'`: the file as text, as vite reads it too; the engine's guest code travels this way. */
const rawText = {
  name: 'raw-text',
  setup(builder) {
    builder.onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.slice(0, -'?raw'.length)),
      namespace: 'raw',
    }));
    builder.onLoad({ filter: /.*/, namespace: 'raw' }, ({ path }) => ({
      contents: readFileSync(path, 'utf8'),
      loader: 'text',
    }));
  },
};

const node = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  plugins: [rawText],
  logLevel: 'warning',
};

/** Each command is a chunk of its own, loaded when asked for. */
async function buildTools(entryPoints, chunks) {
  const { metafile } = await build({
    ...node,
    metafile: true,
    entryPoints,
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    splitting: true,
    chunkNames: `${chunks}/[name]-[hash]`,
  });
  // Chunks are named by their content; those of earlier builds would be published with the package. A tool that was started
  // before this build may still ask for them, so they stay for a while.
  for (const file of readdirSync(`dist/${chunks}`)) {
    const path = join('dist', chunks, file);
    const old = Date.now() - statSync(path).mtimeMs > KEEP_CHUNKS_MS;
    if (old && metafile.outputs[`dist/${chunks}/${file}`] === undefined) rmSync(path, { force: true });
  }
}
const KEEP_CHUNKS_MS = 3_600_000;

await buildTools(
  {
    cli: 'tools/cli.ts',
    'tools/build': 'tools/build/main.ts',
    // The parser's worker thread of `traffic`.
    'tools/traffic-worker': 'tools/traffic/worker/main.ts',
    // The worker thread of the embedded database starts from a file of its own, beside the chunk that asks for it.
    'tools/embedded-worker': 'bookstore/database/embedded-worker.mjs',
  },
  'tools',
);
// By themselves, since a chunk that both shared would be published.
await buildTools(
  {
    'lab/main': 'tools/lab/main.ts',
    'lab/traffic-worker': 'tools/traffic/worker/main.ts',
    // The first pass of `traffic` alone, for the benchmark.
    'lab/traffic-pass': 'tools/lab/traffic/pass-only.ts',
  },
  'lab',
);

// What `traffic --skeleton` puts beside a scenario: plain, since people read it.
await build({
  entryPoints: ['lib/sampling.ts'],
  outfile: 'dist/lib/sampling.js',
  bundle: true,
  format: 'esm',
  target: 'es2020',
  define: { BUNDLED: 'true' },
  banner: { js: '// Random arrivals, think times and picks of bookstore-load (Apache-2.0); generated, do not edit.' },
  logLevel: 'warning',
});

const { BUILD_DEFAULTS, buildScenarios } = await import(pathToFileURL('dist/tools/build.mjs').href);
const settings = { ...BUILD_DEFAULTS, ...given, ...(searchTerms && { searchTerms }) };
await buildScenarios(settings).catch((error) => {
  // What esbuild finds it prints itself.
  if (Array.isArray(error?.errors)) refuse('the bundles cannot be made, see above');
  if (error?.name !== 'UserError') throw error;
  refuse(error.message);
});
