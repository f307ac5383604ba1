/** Code that waits behind every kind of function, as people write it who leave semicolons out. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SERVER_MODEL } from '../../../tools/engine/model/server-model.ts';
import { rehearse } from '../../../tools/rehearse/rehearse.ts';

it('gives what it would give without waiting', async () => {
  let log = '';
  const { result } = await rehearse({
    script: join(import.meta.dirname, 'scripts', 'syntax.js'),
    env: { BASE: 'http://127.0.0.1' },
    model: SERVER_MODEL.parse({ endpoints: { '*': { latency: { law: 'fixed', ms: 10 } } } }),
    seed: 7,
    log: (text) => {
      log += text;
    },
  });
  expect(result.exitCode).toBe(0);
  const lines = log.split('\n').filter((line) => line.includes('source=console'));
  expect(lines).toHaveLength(9);
  for (const line of lines) {
    expect(line).toMatch(/200,200,200,400,410|\[0,2,3\]/);
    expect(line).not.toContain('level=error');
  }
});
