/** What code that got out of a script's realm would find in the engine's process: nothing of the environment, no programs, no other files to write. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { confined } from '../../../tools/engine/confinement.ts';
import { cli } from '../../support/cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'confinement-'));
const outside = mkdtempSync(join(tmpdir(), 'outside-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(outside, { recursive: true, force: true });
});

const ATTEMPTS: Readonly<Record<string, string>> = {
  environment: 'if (JSON.stringify(process.env).includes("hunter2")) "found"',
  'own environment in /proc': 'fs.readFileSync("/proc/self/environ")',
  "the parent's environment in /proc": 'fs.readFileSync("/proc/" + process.ppid + "/environ")',
  'by another path': 'fs.readFileSync(process.cwd() + "/../../../../proc/self/environ")',
  'a file elsewhere': `fs.writeFileSync(${JSON.stringify(join(outside, 'x'))}, "")`,
  'removing elsewhere': `fs.rmSync(${JSON.stringify(outside)}, { recursive: true })`,
  'a link to elsewhere': 'fs.symlinkSync("/proc/self", "link")',
  program: 'process.getBuiltinModule("child_process").execFileSync("id")',
  thread: 'new (process.getBuiltinModule("worker_threads").Worker)("1", { eval: true })',
  'native code': 'process.dlopen({ exports: {} }, "/x.node")',
};

it.each(Object.entries(ATTEMPTS))('%s', (_, code) => {
  const program = join(folder, 'attempt.mjs');
  writeFileSync(
    program,
    `const fs = process.getBuiltinModule('fs'); try { const got = eval(${JSON.stringify(code)}); console.log(got === undefined ? 'nothing' : 'FOUND'); } catch (error) { console.log(error.code); }`,
  );
  const { settings, env, input } = confined([folder], { ...process.env, SECRET: 'hunter2' });
  const { stdout } = spawnSync(process.execPath, [...settings, program], { cwd: folder, env, input, encoding: 'utf8' });
  expect(stdout.trim()).toMatch(/^(nothing|ERR_ACCESS_DENIED|ERR_DLOPEN_DISABLED)$/);
});

it('paths that are named twice, lie in one another or do not exist yet are given once', () => {
  const { settings } = confined([folder, join(folder, 'a.csv'), folder, join(outside, 'new')], {});
  const writable = settings.filter((setting) => setting.startsWith('--allow-fs-write='));
  expect(writable.map((setting) => setting.slice('--allow-fs-write='.length))).toEqual([
    folder,
    join(outside, 'new'),
    join(outside, 'new/*'),
  ]);
});

it('a script gets the environment as data, and writes its summary only below the working directory', async () => {
  const script = join(folder, 'script.js');
  writeFileSync(
    script,
    `export default function () { console.log('SECRET ' + __ENV.SECRET); }
     export function handleSummary() { return { 'inside.txt': 'x', ${JSON.stringify(join(outside, 'x.txt'))}: 'x' }; }`,
  );
  const { code, stderr } = await cli(['embedded', 'run', script], { cwd: folder, env: { SECRET: 'hunter2' } });
  expect(stderr).toContain('SECRET hunter2');
  expect(stderr).toContain('is not below the working directory');
  expect(stderr).toContain('embedded engine: k6 was not used');
  expect(code).toBe(104);
});
