// Compiles assembly/ to kernel.generated.ts: node tools/traffic/kernel/compile.mjs (npm run kernel). The result is kept in the
// repository, so that nothing but changing the kernel takes the compiler; with --check, as a test runs it, it only compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const folder = fileURLToPath(new URL('./assembly/', import.meta.url));

/** Name in kernel.generated.ts, source, and memory: 64 KB pages at first and at most, and where the compiler's own data begins. */
const MODULES = [
  { name: 'KERNEL', source: 'main.ts', pages: 48, mostPages: 48, base: 3_145_728 },
  { name: 'SESSIONS', source: 'sessions.ts', pages: 2, mostPages: 65_536, base: 118_784 },
];

async function compile({ source, pages, mostPages, base }) {
  let binary;
  const { error, stderr } = await asc.main(
    [
      source,
      ...['--baseDir', folder, '--outFile', 'kernel.wasm', '-O3', '--noAssert', '--converge', '--runtime', 'stub'],
      ...['--enable', 'simd,bulk-memory', '--initialMemory', `${pages}`, '--maximumMemory', `${mostPages}`],
      ...['--memoryBase', `${base}`],
    ],
    {
      writeFile: (name, data) => {
        if (name.endsWith('.wasm')) binary = data;
      },
    },
  );
  if (error) throw new Error(`the kernel does not compile: ${error.message}\n${stderr.toString()}`);
  return Buffer.from(binary).toString('base64');
}

const parts = ['/** Made by compile.mjs out of assembly/: do not edit. */\n'];
for (const module of MODULES) parts.push(`export const ${module.name} =\n  '${await compile(module)}';\n`);
const text = parts.join('');
const file = new URL('./kernel.generated.ts', import.meta.url);
if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write('kernel.generated.ts is not what assembly/ compiles to: run npm run kernel\n');
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, text);
  process.stdout.write(`kernel.generated.ts: ${text.length} bytes\n`);
}
