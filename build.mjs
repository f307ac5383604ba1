// One build: scenarios -> dist/*.js (run inside k6), tools -> dist/cli.mjs (runs in Node).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'esbuild';

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

const scenarios = (existsSync('scenarios') ? readdirSync('scenarios') : []).filter((file) => file.endsWith('.ts'));
if (scenarios.length > 0) {
  await build({
    entryPoints: scenarios.map((file) => `scenarios/${file}`),
    outdir: 'dist',
    bundle: true,
    format: 'esm',
    target: 'es2020',
    external: ['k6', 'k6/*'],
    minify: true,
    // A `typeof exports` in an npm package throws at init inside k6.
    define: { exports: 'undefined', module: 'undefined' },
    logLevel: 'warning',
  });
}
await build({
  entryPoints: { cli: 'tools/cli.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  // Each command is a chunk of its own, loaded when asked for.
  splitting: true,
  chunkNames: 'tools/[name]-[hash]',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  plugins: [rawText],
  logLevel: 'warning',
});
