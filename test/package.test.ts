/** What `npm pack` would publish is enough to run. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './support/cli.ts';

interface Pack {
  readonly files: readonly { readonly path: string }[];
}

describe('the package', () => {
  it('holds the program with all its chunks, the bundles, their data, and what one adapts', () => {
    const [pack] = JSON.parse(
      execFileSync('npm', ['pack', '--dry-run', '--json', '--offline', '--ignore-scripts'], {
        cwd: ROOT,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ) as [Pack];
    const files = new Set(pack.files.map(({ path }) => path));
    for (const file of [
      'bin/bookstore-load.mjs',
      'dist/cli.mjs',
      'dist/bookstore-mix.js',
      'dist/data/rows.json',
      'dist/package/index.js',
      'dist/package/index.d.ts',
      'tsconfig.suite.json',
      'examples/ticket-tracker/scenarios/tracker/suite.ts',
      'thresholds/default.json',
      'data/books.csv',
      'LICENSE',
      'README.md',
    ]) {
      expect(files).toContain(file);
    }
    for (const chunk of readdirSync(join(ROOT, 'dist/tools'))) expect(files).toContain(`dist/tools/${chunk}`);
    for (const file of files)
      expect(file).not.toMatch(/^(?:test|tools|lib|scenarios|results|node_modules|dist\/lab|examples\/[^/]*\/dist)\//);
    // Where the benches and proofs lie that the package is without.
    expect(existsSync(join(ROOT, 'dist/lab/main.mjs'))).toBe(true);
  });

  it('the program imports only packages that are dependencies', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const built = ['cli.mjs', ...readdirSync(join(ROOT, 'dist/tools')).map((file) => join('tools', file))].filter(
      (file) => !file.endsWith('build.mjs'),
    );
    const foreign = new Set<string>();
    for (const file of built) {
      const text = readFileSync(join(ROOT, 'dist', file), 'utf8');
      for (const [, specifier] of text.matchAll(/^(?:import|export)[^'"\n]*["']([^."'][^"']*)["'];?$/gm)) {
        // Modules of k6 stand in the text of those that scripts are given.
        if (!/^(node:|k6[:/]|k6$)/.test(specifier ?? ''))
          foreign.add((/^(?:@[^/]+\/)?[^/]+/.exec(specifier ?? '') ?? [''])[0]);
      }
    }
    // Inside the suite that `traffic --skeleton` writes.
    foreign.delete('bookstore-load');
    expect(foreign.size).toBeGreaterThan(0);
    for (const name of foreign) expect(Object.keys(dependencies)).toContain(name);
  });
});
