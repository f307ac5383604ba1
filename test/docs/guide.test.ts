/** The guide "Your own API, step by step": its code is put together as it stands there and checked by the compiler. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parseObjectives } from '../../tools/schemas/objectives.ts';

const root = resolve(import.meta.dirname, '../..');
// Below node_modules, where the compiler finds the packages' types and no other tool looks.
const folder = mkdtempSync(join(root, 'node_modules', '.guide-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const guide = readFileSync(join(root, 'docs/scenarios.md'), 'utf8');
/** Code blocks of the guide in order, without their indent. */
const blocks = (language: string): string[] =>
  [...guide.slice(guide.indexOf('## Your own API')).matchAll(/ {3}```(\w+)\n([\s\S]*?) {3}```/g)]
    .filter((match) => match[1] === language)
    .map((match) => (match[2] as string).replace(/^ {3}/gm, ''));

it('the endpoint table grows, and the steps, flows and scenario of the guide have the right types', () => {
  for (const part of ['lib', 'scenarios', 'tsconfig.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  const [endpoint = '', steps = '', flows = '', scenario = ''] = blocks('ts');
  const table = join(folder, 'scenarios/bookstore/endpoints.ts');
  const grown = readFileSync(table, 'utf8').replace('export const ENDPOINTS = {\n', (start) => start + endpoint);
  writeFileSync(table, grown);
  expect(grown).toContain("product: { name: 'GET /v2/products/{sku}'");
  writeFileSync(join(folder, 'lib/shop-steps.ts'), steps);
  writeFileSync(join(folder, 'lib/shop-flows.ts'), flows);
  writeFileSync(join(folder, 'scenarios/shop-mix.ts'), scenario);
  writeFileSync(
    join(folder, 'guide.json'),
    JSON.stringify({ extends: './tsconfig.json', include: ['lib', 'scenarios'] }),
  );
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  const { stdout, status } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', join(folder, 'guide.json')], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  expect(status).toBe(0);
}, 60_000);

it('the thresholds file of the guide is a right one', () => {
  const [objectives = ''] = blocks('json');
  // Its endpoint is the guide's own; the rest must pass as it stands.
  const known = objectives.replace('GET /v2/products/{sku}', 'GET /api/books');
  expect(Object.keys(parseObjectives(known, 'shop.json', ['look']).endpoints)).toEqual(['GET /api/books']);
});
