// Compiles assembly/ to kernel.generated.ts: node tools/traffic/kernel/compile.mjs (npm run kernel). The result is kept in the
// repository, so that nothing but changing the kernel takes the compiler; a test compares it with its sources.
import { writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import asc from 'assemblyscript/asc';

const folder = fileURLToPath(new URL('./assembly/', import.meta.url));

/** @returns the text of kernel.generated.ts */
export async function compileKernel() {
  let binary;
  const { error, stderr } = await asc.main(
    [
      'main.ts',
      ...['--baseDir', folder, '--outFile', 'kernel.wasm', '-O3', '--noAssert', '--converge', '--runtime', 'stub'],
      ...['--enable', 'simd', '--initialMemory', '48', '--maximumMemory', '48', '--memoryBase', '3145728'],
    ],
    {
      writeFile: (name, data) => {
        if (name.endsWith('.wasm')) binary = data;
      },
    },
  );
  if (error) throw new Error(`the kernel does not compile: ${error.message}\n${stderr.toString()}`);
  const text = Buffer.from(binary).toString('base64');
  return `/** Made by compile.mjs out of assembly/: do not edit. */\nexport const KERNEL =\n  '${text}';\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const text = await compileKernel();
  writeFileSync(new URL('./kernel.generated.ts', import.meta.url), text);
  process.stdout.write(`kernel.generated.ts: ${text.length} bytes\n`);
}
