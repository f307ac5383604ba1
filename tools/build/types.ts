/** Types of a suite, checked before anything is made of it: esbuild only strips them. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { PACKAGE_NAME, packageRoot } from '../base/package.ts';
import { UserError } from '../base/user-error.ts';
import { findsLibrary } from './own-library.ts';

/**
 * Checks with the suite's own tsconfig.json where that finds the library, else as the library's would say; with the suite's own
 * TypeScript where it has one, else with this program's.
 * @throws UserError when the types do not fit; the compiler has then printed where
 */
export function checkTypes(suite: string): void {
  const own = resolve(suite, 'tsconfig.json');
  if (existsSync(own) && (findsLibrary(own) || dirname(own) === packageRoot())) {
    runCompiler(own);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'suite-types-'));
  try {
    const config = join(folder, 'tsconfig.json');
    writeFileSync(config, JSON.stringify(configFor(resolve(suite))));
    runCompiler(config, own);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** For a suite that has not installed the library: its names lead to that of this program. */
function configFor(suite: string): object {
  const library = join(packageRoot(), 'dist', 'package');
  const k6 = dirname(createRequire(join(packageRoot(), 'package.json')).resolve('@types/k6/package.json'));
  return {
    extends: join(packageRoot(), 'tsconfig.suite.json'),
    compilerOptions: {
      paths: {
        [PACKAGE_NAME]: [join(library, 'index.d.ts')],
        [`${PACKAGE_NAME}/*`]: [join(library, '*')],
        k6: [join(k6, 'index.d.ts')],
        'k6/*': [join(k6, '*')],
      },
    },
    include: [join(suite, 'scenarios'), join(suite, 'suite.ts')],
  };
}

/** @param near file beside which a TypeScript of the suite's own is looked for */
function runCompiler(config: string, near = config): void {
  const compiler = [near, join(packageRoot(), 'package.json')].map(compilerBeside).find((path) => path !== undefined);
  if (compiler === undefined) {
    throw new UserError(
      'TypeScript is missing, which checks the types: npm i -D typescript, or build with --skip-check',
    );
  }
  const { status } = spawnSync(process.execPath, [compiler, '--noEmit', '-p', config], { stdio: 'inherit' });
  if (status !== 0) throw new UserError('the types do not fit, see above', 1);
}

function compilerBeside(file: string): string | undefined {
  try {
    return join(dirname(createRequire(file).resolve('typescript/package.json')), 'bin', 'tsc');
  } catch {
    return undefined;
  }
}
