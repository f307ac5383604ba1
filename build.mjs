// One build: checked data -> dist/data/, scenarios -> dist/*.js (run inside k6), tools -> dist/cli.mjs (runs in Node),
// tools of contributors -> dist/lab/ (not published).
//
//   node build.mjs [--skip-check] and all options of `bookstore-load build`;
//   --books and --search-terms are --pool books= and --pool terms=
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';

function node(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

// What is not for the programs is for the suite; its bookstore's files have names of their own.
const given = process.argv.slice(2).flatMap((word) => {
  if (word === '--books' || word === '--search-terms') return ['--pool'];
  return [word];
});
const at = (flag) => process.argv.indexOf(flag) - 1;
for (const [flag, pool] of [
  ['--books', 'books'],
  ['--search-terms', 'terms'],
]) {
  if (at(flag) > 0) given[at(flag)] = `${pool}=${given[at(flag)]}`;
}
const skipCheck = given.includes('--skip-check');

// Types first: esbuild only strips them.
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
if (!skipCheck) node(tsc, '--noEmit');

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

const forNode = {
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
    ...forNode,
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

// The library for suites that stand elsewhere, as modules with types.
node(tsc, '-p', 'tsconfig.package.json');

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

node('bin/bookstore-load.mjs', 'build', '--skip-check', ...given.filter((word) => word !== '--skip-check'));
