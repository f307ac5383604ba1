/** A rehearsal of a small script on the virtual clock. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SERVER_MODEL } from '../../../tools/engine/model/server-model.ts';
import { rehearse } from '../../../tools/rehearse/rehearse.ts';

const folder = mkdtempSync(join(tmpdir(), 'rehearse-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const model = SERVER_MODEL.parse({ endpoints: { '*': { latency: { law: 'exponential', mean: 100 } } } });

function script(options: string, body = ''): string {
  const file = join(folder, `${Math.abs(hash(options + body))}.js`);
  const base = `import http from 'k6/http';\nimport { sleep } from 'k6';\nexport const options = ${options};\nlet own = 0;\n`;
  const run = `http.get(__ENV.BASE_URL + '/x', { tags: { name: 'x' } });\n  sleep(1 + Math.random());\n  own++;\n  ${body}`;
  writeFileSync(file, `${base}export default function () {\n  ${run}\n}\n`);
  return file;
}
const hash = (text: string) => [...text].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) | 0, 7);

const OPEN = (vus: number, seconds = 40) =>
  `{ scenarios: { s: { executor: 'constant-arrival-rate', rate: 5, duration: '${seconds}s', preAllocatedVUs: ${vus}, maxVUs: ${vus} } } }`;

async function samples(seed: number, name: string): Promise<string> {
  const path = join(folder, name);
  await rehearse({
    script: script(OPEN(20, 15)),
    env: {},
    model,

    seed,
    outputs: [{ type: 'csv', path }],
  });
  return readFileSync(path, 'utf8');
}

describe('rehearse', () => {
  it('writes the same bytes for the same seed, and others for another', async () => {
    const first = await samples(1, 'a.csv');
    expect(await samples(1, 'b.csv')).toBe(first);
    expect(await samples(2, 'c.csv')).not.toBe(first);
  });

  it('obeys Little and counts what an open model sends', async () => {
    const { result, tally } = await rehearse({ script: script(OPEN(20)), env: {}, model, seed: 3 });
    // 5/s for 40 s and the tick at the end.
    expect(tally.finished.get('s')).toBe(201);
    expect(tally.dropped.size).toBe(0);
    const meanSeconds = (result.summary?.metrics['iteration_duration']?.values['avg'] ?? 0) / 1000;
    expect(result.vuSeconds / (201 * meanSeconds)).toBeCloseTo(1, 2);
    // Mean session: 0.1 s of server and 1.5 s of sleep; standard error 0.3 s / sqrt(201) = 0.022.
    expect(Math.abs(meanSeconds - 1.6)).toBeLessThan(4 * 0.022);
  });

  it("obeys Little's law to 1 %, the open sessions counted apart from their number and length", async () => {
    const seconds = 120;
    const rate = 100;
    const options = `{ scenarios: { s: { executor: 'constant-arrival-rate', rate: ${rate}, duration: '${seconds}s', preAllocatedVUs: 400 } } }`;
    const { result, tally } = await rehearse({ script: script(options), env: {}, model, seed: 6 });
    const busy = tally.busy.slice(10, seconds);
    // Law, not samples: 100 ms of server and 1 to 2 s of sleep, at the planned rate.
    const open = busy.reduce((a, b) => a + b, 0) / busy.length;
    expect(Math.abs(open / (rate * 1.6) - 1)).toBeLessThan(0.01);
    // Time integral of the busy VUs against number and mean length of the sessions as their samples tell them.
    const finished = tally.finished.get('s') ?? 0;
    const mean = (result.summary?.metrics['iteration_duration']?.values['avg'] ?? 0) / 1000;
    expect(Math.abs(result.vuSeconds / (finished * mean) - 1)).toBeLessThan(0.01);
    expect(finished).toBe(rate * seconds + 1);
  });

  it('drops what a VU limit cannot carry: a loss system with 4 servers offered 8 Erlang', async () => {
    const { tally } = await rehearse({ script: script(OPEN(4)), env: {}, model, seed: 4 });
    const finished = tally.finished.get('s') ?? 0;
    expect(finished + (tally.dropped.get('s') ?? 0)).toBe(201);
    // Ticks 0.2 s apart: a VU that ends waits for the next tick, so a session takes 1.7 s and 4 VUs finish 4/1.7 a second.
    expect(finished / 40).toBeGreaterThan(4 / 1.8);
    expect(finished / 40).toBeLessThan(4 / 1.6);
  });

  it('runs init code that depends on the VU in each', async () => {
    const file = join(folder, 'init.js');
    const head = "import { sleep } from 'k6';\nconst own = __VU * 10 + Math.floor(Math.random());\n";
    const options = `export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };\n`;
    writeFileSync(file, `${head}${options}export default function () { console.log(own - __VU * 10); sleep(1); }\n`);
    let log = '';
    const request = { script: file, env: {}, model, seed: 5 };
    await rehearse({
      ...request,
      log: (text) => {
        log += text;
      },
    });
    expect([...log.matchAll(/msg=(-?[0-9]+) source=console/g)].map(([, value]) => value)).toEqual(Array(6).fill('0'));
  });

  it.each([
    ['loops for ever', 'for (;;);', 'computed for more than 1 s'],
    ['loops for ever and catches everything', 'for (;;) { try { for (;;); } catch {} }', 'computed for more than 1 s'],
    [
      'calls itself for ever',
      'const f = (n) => (n < 2 ? n : f(n - 1) + f(n - 2)); f(90);',
      'computed for more than 1 s',
    ],
    ['recurses without end', 'const f = () => f() + 1; f();', 'call stack'],
    ['waits inside a recursion without end', 'const f = (n) => { sleep(n); return f(0) + 1; }; f(0.1);', 'call stack'],
    ['throws null', 'throw null;', 'null'],
  ])('survives a script that %s', async (_, body, sentence) => {
    const file = script('{ vus: 2, iterations: 6 }', `if (__ITER === 1) { ${body} }`);
    let log = '';
    const request = { script: file, env: {}, model, seed: 5, computeLimitMs: 1000 };
    const { result } = await rehearse({
      ...request,
      log: (text) => {
        log += text;
      },
    });
    expect(log.split('\n').filter((line) => line.includes('level=error'))).not.toEqual([]);
    expect(log).toContain(sentence);
    expect([result.exitCode, result.iterations]).toEqual([0, 6]);
  });

  it('keeps the state of each VU apart although VUs are copies of one image', async () => {
    const file = script(
      `{ scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } }`,
      `if (own !== __ITER + 1) throw new Error('state of another VU'); console.log(__VU);`,
    );
    let log = '';
    await rehearse({
      script: file,
      env: {},
      model,

      seed: 5,
      log: (text) => {
        log += text;
      },
    });
    expect(log).not.toContain('state of another VU');
    expect([...log.matchAll(/msg=([0-9]+) source=console/g)].map((m) => m[1]).sort()).toEqual([
      '1',
      '1',
      '2',
      '2',
      '3',
      '3',
    ]);
  });
});
