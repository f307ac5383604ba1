/** Ways out of a script, and ways to take all stack, memory or time: each is contained, and other VUs go on. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { servedFolder } from '../../conformance/served-folder.ts';
import { cli } from '../../support/cli.ts';

const { folder, server } = servedFolder('attacks');

it('ways to the process: none finds one, and another VU is unharmed', async () => {
  const csv = join(folder, 'ways.csv');
  const script = join(import.meta.dirname, 'scripts', 'attacks.js');
  const words = ['embedded', 'run', script, '-e', `BASE=${server.url}`, '--out', `csv=${csv}`, '-q'];
  const { code, stderr } = await cli(words, { cwd: folder });
  const ways = stderr.split('\n').filter((line) => /msg="way \d+:/.test(line));
  expect(ways.length, stderr).toBeGreaterThanOrEqual(33);
  for (const way of ways) expect(way).not.toMatch(/v\d+\.\d+\.\d+|pid \d+/);
  expect(ways.join('\n')).toContain('undefined,function,undefined,undefined,undefined,undefined,undefined,undefined');
  const checks = readFileSync(csv, 'utf8')
    .split('\n')
    .filter((row) => row.startsWith('checks,') && row.includes(',fine,'));
  expect(checks).toHaveLength(40);
  for (const row of checks) expect(row.split(',')[2]).toBe('1.000000');
  expect(code).toBe(0);
}, 60_000);

describe('code that Node itself would refuse is refused with its place', () => {
  it.concurrent.each([
    ['eval', "export default function () { eval('1'); }", /:1: eval/],
    ['import()', "export default async function () { await import('fs'); }", /:1: import\(\)/],
    [
      'a module of Node',
      "import fs from 'node:fs'; export default function () {}",
      /not offered by the embedded engine/,
    ],
    [
      'import.meta',
      'export default function () { console.log(import.meta.url); }',
      /:1: import\.meta: this is not offered/,
    ],
    ['CommonJS', 'module.exports.default = function () {};', /: CommonJS modules \(module\): this is not offered/],
  ])('%s', async (title, code, sentence) => {
    const script = join(folder, `${title.replace(/\W/g, '-')}.js`);
    writeFileSync(script, code);
    const { code: exitCode, stderr } = await cli(['embedded', 'run', script, '-q'], { cwd: folder });
    expect(stderr).toMatch(sentence);
    expect(exitCode).toBe(107);
  });
});

describe('what would take all', () => {
  const body = (attack: string) => `import http from 'k6/http'; import { sleep } from 'k6';
export const options = { scenarios: {
  attacker: { executor: 'per-vu-iterations', vus: 1, iterations: 1, exec: 'attack' },
  worker: { executor: 'per-vu-iterations', vus: 1, iterations: 3, exec: 'work', startTime: '0s' } } };
export ${attack}
export function work() { http.get(__ENV.BASE + '/ok', { tags: { name: 'worker' } }); }`;
  it.each([
    ['stack', 'function attack() { const f = () => f() + 1; f(); }', 'call stack'],
    ['stack, through waits', 'function attack() { const f = () => { sleep(0); return f() + 1; }; f(); }', 'call stack'],
    ['patterns', "function attack() { /^(a+)+$/.test('a'.repeat(40) + 'b'); throw new Error('matched'); }", 'matched'],
    ['toString', 'function attack() { const o = { toString() { return String(o); } }; String(o); }', 'call stack'],
    [
      'a proxy without end',
      'function attack() { let p = {}; for (let i = 0; i < 100000; i++) p = new Proxy(p, {}); p.x; }',
      'call stack',
    ],
  ])(
    '%s',
    async (_, attack, sentence) => {
      const script = join(folder, 'takes.js');
      const csv = join(folder, 'takes.csv');
      writeFileSync(script, body(attack));
      const words = ['embedded', 'run', script, '-e', `BASE=${server.url}`, '--out', `csv=${csv}`, '-q'];
      const { code, stderr } = await cli(words, { cwd: folder });
      expect(stderr).toContain(sentence);
      const rows = readFileSync(csv, 'utf8').split('\n');
      expect(rows.filter((row) => row.startsWith('http_reqs,') && row.includes(',worker,'))).toHaveLength(3);
      expect(rows.filter((row) => row.startsWith('iterations,'))).toHaveLength(4);
      expect(code).toBe(0);
    },
    60_000,
  );
});
