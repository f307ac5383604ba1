// Compiles the assembly/ of each kernel to its kernel.generated.ts: node tools/base/wasm/compile.mjs (npm run kernel). The result
// is kept in the repository, so that nothing but changing a kernel takes the compiler. It begins with a digest of sources, compiler
// and result: with --check, as a test runs it, only that is compared, which takes no compiling.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Name in kernel.generated.ts, source, and memory: 64 KB pages at first and at most, and where the compiler's own data begins. */
const KERNELS = {
  'traffic/kernel': [
    { name: 'KERNEL', source: 'main.ts', pages: 48, mostPages: 48, base: 3_145_728 },
    { name: 'SESSIONS', source: 'sessions.ts', pages: 2, mostPages: 65_536, base: 118_784 },
  ],
  'verdict/samples/sieve': [{ name: 'SIEVE', source: 'sieve.ts', pages: 82, mostPages: 82, base: 5_312_512 }],
};

const check = process.argv.includes('--check');
for (const [place, modules] of Object.entries(KERNELS)) {
  const folder = fileURLToPath(new URL(`../../${place}/`, import.meta.url));
  const assembly = `${folder}assembly/`;
  const file = `${folder}kernel.generated.ts`;
  if (check) {
    const text = readFileSync(file, 'utf8');
    const end = text.indexOf('\n') + 1;
    if (text.slice(0, end) === head(assembly, modules, text.slice(end))) continue;
    process.stderr.write(`${place}/kernel.generated.ts is not what assembly/ compiles to: run npm run kernel\n`);
    process.exitCode = 1;
    continue;
  }
  const parts = [];
  for (const module of modules) parts.push(`export const ${module.name} =\n  '${await compile(assembly, module)}';\n`);
  writeFileSync(file, head(assembly, modules, parts.join('')) + parts.join(''));
  process.stdout.write(`${place}/kernel.generated.ts: ${parts.join('').length} bytes\n`);
}

async function compile(assembly, { source, pages, mostPages, base }) {
  const { default: asc } = await import('assemblyscript/asc');
  let binary;
  const { error, stderr } = await asc.main(
    [
      source,
      ...['--baseDir', assembly, '--outFile', 'kernel.wasm', '-O3', '--noAssert', '--converge', '--runtime', 'stub'],
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

/** Digest of everything that the result depends on, and of the result. */
function head(assembly, modules, result) {
  const hash = createHash('sha256');
  const { version } = createRequire(import.meta.url)('assemblyscript/package.json');
  hash.update(JSON.stringify([version, modules]));
  hash.update(readFileSync(fileURLToPath(import.meta.url)));
  for (const name of readdirSync(assembly).sort())
    hash.update(`\n${name}\n`).update(readFileSync(`${assembly}${name}`));
  return `/** Made by compile.mjs out of assembly/: do not edit. Sources, compiler and result: ${hash.update(result).digest('hex')}. */\n`;
}
