/** Scripts that misbehave end their iteration or their run with one sentence; the process and the results survive. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runEmbedded } from '../../../tools/engine/run.ts';
import { servedFolder } from '../../conformance/served-folder.ts';

const { folder, server } = servedFolder('robustness');

/** Runs a script; the first iteration misbehaves, a second one follows. */
async function run(body: string, head = '') {
  const file = join(folder, 'script.js');
  const csv = join(folder, 'samples.csv');
  writeFileSync(
    file,
    `import crypto from 'k6/crypto';\nimport http from 'k6/http';\n${head}\nexport const options = { vus: 1, iterations: 2 };\nexport default function () {\n  if (__ITER === 0) {\n    ${body}\n  }\n  http.get(__ENV.BASE + '/ok', { tags: { name: 'after' } });\n}\n`,
  );
  let log = '';
  const result = await runEmbedded({
    script: file,
    env: { BASE: server.url },
    outputs: [{ type: 'csv', path: csv }],
    stdout: () => undefined,
    stderr: (text) => {
      log += text;
    },
    memoryLimit: 64 * 2 ** 20,
    computeLimitMs: 800,
  });
  const errors = log.split('\n').filter((line) => / level=error /.test(line));
  return { result, errors, rows: readFileSync(csv, 'utf8') };
}

describe('a script that misbehaves', () => {
  it.each([
    ['loops for ever', 'for (;;);', 'computed for more than 0.8 s'],
    [
      'loops for ever and catches everything',
      'for (;;) { try { for (;;); } catch {} }',
      'computed for more than 0.8 s',
    ],
    [
      'calls a slow built-in for ever',
      "let n = 0; for (;;) n += 'x'.repeat(1 << 20).length;",
      'computed for more than 0.8 s',
    ],
    [
      'sorts for ever',
      'const a = Array.from({ length: 3000 }, (_, i) => (i * 7919) % 3001); for (;;) a.slice().sort();',
      'computed for more than 0.8 s',
    ],
    [
      'parses for ever',
      'const t = JSON.stringify(Array.from({ length: 20000 }, (_, i) => i)); for (;;) JSON.parse(t);',
      'computed for more than 0.8 s',
    ],
    ['matches for ever', "for (;;) /^(a+)+$/.test('a'.repeat(40) + 'b');", 'computed for more than 0.8 s'],
    ['allocates without end', 'const all = []; for (;;) all.push(new Uint8Array(4 << 20));', 'took nearly all memory'],
    ['recurses without end', 'const f = () => f() + 1; f();', 'call stack'],
    ['throws text', "throw 'boom';", 'boom'],
    ['throws null', 'throw null;', 'null'],
    ['throws an object', 'throw { a: 1 };', '[object Object]'],
  ])('that %s: one sentence, and the next iteration runs', async (_, body, sentence) => {
    const { result, errors, rows } = await run(body);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(sentence);
    expect(result.exitCode).toBe(0);
    expect(result.iterations).toBe(2);
    expect(rows.split('\n').filter((row) => row.startsWith('http_reqs,') && row.includes('after'))).toHaveLength(1);
  });

  it.each([
    ['calls what is not offered', 'randomSeed(1);', 'randomSeed'],
    [
      'asks for NTLM',
      "http.get('http://u:p@127.0.0.1/', { auth: 'ntlm' });",
      `the request parameter \\"auth: 'ntlm'\\"`,
    ],
    ['compresses with zstd', "http.post('http://127.0.0.1/', 'x', { compression: 'zstd' });", 'compression: '],
    [
      'modifies what it selects',
      "http.get(__ENV.BASE + '/ok').json('@reverse');",
      'json() with the selector \\"@reverse\\"',
    ],
    ['selects several values', "http.get(__ENV.BASE + '/ok').json('{a,b}');", 'json() with the selector \\"{a,b}\\"'],
    ['takes an MD4 sum', "crypto.createHash('md4').digest('hex');", 'the hash md4'],
    ['encrypts', 'globalThis.crypto.subtle.encrypt({}, {}, new Uint8Array(1));', 'crypto.subtle.encrypt()'],
    ['chooses as jQuery does', "http.get(__ENV.BASE + '/ok').html('p:first');", 'the selector \\":first\\"'],
  ])('that %s, caught or not: the run ends with 104 and one sentence', async (_, body, what) => {
    for (const text of [body, `try { ${body} } catch {}`]) {
      const { result, errors } = await run(text, "import { randomSeed } from 'k6';");
      expect(result.exitCode).toBe(104);
      expect(result.iterations).toBe(0);
      expect(
        errors.filter((line) => line.includes(`${what}`) && line.includes('not offered by the embedded engine')),
      ).not.toHaveLength(0);
    }
  });

  it.each([
    ['loops for ever in init', 'for (;;);', 'computed for more than 0.8 s'],
    [
      'imports what is not offered',
      "import ws from 'k6/ws';",
      'the module \\"k6/ws\\" is not offered by the embedded engine',
    ],
    [
      'imports an unknown name',
      "import { nosuch } from 'k6/metrics';",
      '\\"nosuch\\" of k6/metrics: this is not offered',
    ],
    ['is no script', 'const a = ;', /SyntaxError: \S*init\.js: Unexpected token \(1:10\)"/],
    [
      'imports a file that is not there',
      "import a from './nowhere.js';",
      /nowhere\.js\\" could not be found on local disk"/,
    ],
    ['imports what its own file lacks', "import { a } from './init.js';", /imports in a circle/],
    ['imports from the network', "import x from 'https://example.org/x.js';", 'is not offered by the embedded engine'],
    ['imports the engine itself', "import { ask } from 'k6:core';", 'is internal to the embedded engine'],
  ])('that %s: exit 107 before any load', async (_, head, sentence) => {
    const file = join(folder, 'init.js');
    writeFileSync(file, `${head}\nexport default function () {}\n`);
    let log = '';
    const result = await runEmbedded({
      script: file,
      env: {},
      stdout: () => undefined,
      stderr: (text) => {
        log += text;
      },
      computeLimitMs: 800,
    });
    expect(log).toMatch(sentence);
    expect([result.exitCode, result.iterations]).toEqual([107, 0]);
  });
});
