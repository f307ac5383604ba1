// One build: scenarios -> dist/*.js (run inside k6), tools -> dist/cli.mjs (runs in Node).
import { readdirSync } from 'node:fs';
import { build } from 'esbuild';

const scenarios = readdirSync('scenarios').filter((file) => file.endsWith('.ts'));
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
  // The worker thread of the embedded database starts from a file of its own, beside the chunk that asks for it.
  entryPoints: { cli: 'tools/cli.ts', 'tools/embedded-worker': 'bookstore/database/embedded-worker.mjs' },
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
  logLevel: 'warning',
});
