/** What one VU changes, no other VU sees. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { SERVER_MODEL } from '../../../tools/engine/model/server-model.ts';
import { rehearse } from '../../../tools/rehearse/rehearse.ts';
import { servedBookstore } from '../../support/served-bookstore.ts';

const folder = mkdtempSync(join(tmpdir(), 'isolation-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const model = SERVER_MODEL.parse({ endpoints: { '*': { latency: { law: 'exponential', mean: 100 } } } });

/** What a script logs in a rehearsal. */
async function logOf(script: string): Promise<string> {
  let log = '';
  const add = (text: string) => {
    log += text;
  };
  await rehearse({ script, env: { BASE: 'http://127.0.0.1' }, model, suite: servedBookstore(), seed: 7, log: add });
  return log;
}

it('of what the modules of k6 give it', async () => {
  const log = await logOf(join(import.meta.dirname, 'scripts', 'isolation.js'));
  const seen = log.split('\n').filter((line) => line.includes(' sees '));
  expect(seen).toHaveLength(3 * 2 * 5);
  for (const line of seen) expect(line).toContain('sees undefined');
  // `http` itself is each VU's own, and keeps what the VU made of it.
  for (const vu of [1, 2, 3]) {
    expect(log).toContain(`${vu} 0 http undefined`);
    expect(log).toContain(`${vu} 1 http ${vu}`);
  }
});

it('of the built-ins of the language and the global object', async () => {
  const script = join(folder, 'builtins.js');
  writeFileSync(
    script,
    `import { sleep } from 'k6';
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };
Array.prototype.last = function () { return this[this.length - 1]; };
export default function () {
  console.log(__VU, __ITER, 'before', Object.prototype.mark, String.mark, globalThis.mark, typeof mark, [1, 2].last());
  Object.prototype.mark = __VU;
  String.mark = __VU;
  globalThis.mark = __VU;
  sleep(1);
  console.log(__VU, __ITER, 'after', {}.mark, String.mark, mark, typeof mark);
}`,
  );
  const log = await logOf(script);
  for (const vu of [1, 2, 3]) {
    expect(log).toContain(`${vu} 0 before undefined undefined undefined undefined 2`);
    expect(log).toContain(`${vu} 1 before ${vu} ${vu} ${vu} number 2`);
    for (const iteration of [0, 1]) expect(log).toContain(`${vu} ${iteration} after ${vu} ${vu} ${vu} number`);
  }
});
