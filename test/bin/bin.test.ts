/** The program before its tools: what it says of a `dist/` that is missing or half built. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/cli.ts';

function runWith(cli: string | undefined): { readonly status: number | null; readonly stderr: string } {
  const folder = mkdtempSync(join(tmpdir(), 'bin-'));
  cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
  mkdirSync(join(folder, 'dist'));
  if (cli !== undefined) writeFileSync(join(folder, 'dist', 'cli.mjs'), cli);
  return spawnSync(process.execPath, [join(folder, 'bin', 'bookstore-load.mjs')], { encoding: 'utf8' });
}

it.each([
  ['no dist', undefined, /dist\/cli\.mjs is missing; run `npm run build` first/],
  ['a missing chunk', "import './tools/gone.mjs';", /dist\/ is incomplete.*npm run build/],
  ['a missing chunk of a command', "import('./tools/gone.mjs');", /dist\/ is incomplete.*npm run build/],
])('%s is one sentence', (_, cli, message) => {
  const { status, stderr } = runWith(cli);
  expect(stderr).toMatch(message);
  expect([status, stderr.trim().split('\n').length]).toEqual([2, 1]);
});

it('any other error stays as it is', () => {
  const { status, stderr } = runWith("throw new Error('a fault of ours');");
  expect(stderr).toContain('Error: a fault of ours');
  expect(status).toBe(1);
});

it('a package that is not installed is not taken for an unfinished build', () => {
  const { status, stderr } = runWith("import 'no-such-package-here';");
  expect(stderr).toContain("Cannot find package 'no-such-package-here'");
  expect(status).toBe(1);
});
