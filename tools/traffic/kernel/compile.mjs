// Compiles assembly/ to kernel.generated.ts: node tools/traffic/kernel/compile.mjs (npm run kernel). The result is kept in the
// repository, so that nothing but changing the kernel takes the compiler. It begins with a digest of sources, compiler and result:
// with --check, as a test runs it, only that is compared, which takes no compiling.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('./assembly/', import.meta.url));

/** Name in kernel.generated.ts, source, and memory: 64 KB pages at first and at most, and where the compiler's own data begins. */
const MODULES = [
  { name: 'KERNEL', source: 'main.ts', pages: 48, mostPages: 48, base: 3_145_728 },
  { name: 'SESSIONS', source: 'sessions.ts', pages: 2, mostPages: 65_536, base: 118_784 },
];

async function compile(asc, { source, pages, mostPages, base }) {
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

/** Of everything that the result depends on, and of the result. */
function digest(modules) {
  const hash = createHash('sha256');
  const { version } = createRequire(import.meta.url)('assemblyscript/package.json');
  hash.update(JSON.stringify([version, MODULES]));
  hash.update(readFileSync(fileURLToPath(import.meta.url)));
  for (const name of readdirSync(folder).sort()) hash.update(`\n${name}\n`).update(readFileSync(`${folder}${name}`));
  return hash.update(modules).digest('hex');
}

const file = new URL('./kernel.generated.ts', import.meta.url);
const headOf = (modules) =>
  `/** Made by compile.mjs out of assembly/: do not edit. Sources, compiler and result: ${digest(modules)}. */\n`;

if (process.argv.includes('--check')) {
  const text = readFileSync(file, 'utf8');
  const end = text.indexOf('\n') + 1;
  if (text.slice(0, end) !== headOf(text.slice(end))) {
    process.stderr.write('kernel.generated.ts is not what assembly/ compiles to: run npm run kernel\n');
    process.exitCode = 1;
  }
} else {
  const { default: asc } = await import('assemblyscript/asc');
  const parts = [];
  for (const module of MODULES) parts.push(`export const ${module.name} =\n  '${await compile(asc, module)}';\n`);
  const modules = parts.join('');
  writeFileSync(file, headOf(modules) + modules);
  process.stdout.write(`kernel.generated.ts: ${modules.length} bytes\n`);
}
