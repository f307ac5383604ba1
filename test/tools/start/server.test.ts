import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../../tools/start/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'server-'));
let count = 0;
function program(text: string, readyMs = 20_000) {
  const file = join(folder, `server-${count++}.cjs`);
  writeFileSync(file, text);
  return { name: 'test server', program: process.execPath, args: [file], readyMs };
}
const LISTEN = "console.log('noise'); console.log('{}'); console.log(JSON.stringify({ url: 'http://x:1' }));";
const STAY = 'setInterval(() => {}, 1000);';
const free = new AbortController().signal;

describe('startServer', () => {
  it('waits for the line with the URL, and stop is a SIGTERM that is waited for', async () => {
    const server = await startServer(program(`process.on('SIGTERM', () => process.exit(7));${LISTEN}${STAY}`), free);
    expect(server.url).toBe('http://x:1');
    expect(server.gone()).toBeUndefined();
    await server.stop();
    expect(server.gone()).toBe('exit code 7');
  });

  it('notices that the server has gone by itself', async () => {
    const server = await startServer(program(`${LISTEN}setTimeout(() => process.exit(3), 50);`), free);
    while (server.gone() === undefined) await new Promise((done) => setTimeout(done, 10));
    expect(server.gone()).toBe('exit code 3');
    await server.stop();
  });

  it('says when it ends instead of listening', async () => {
    await expect(startServer(program('process.exit(4)'), free)).rejects.toThrow(
      'the test server could not be started (exit code 4); its message stands above',
    );
  });

  it('says when it stays silent, and ends it', async () => {
    await expect(startServer(program(STAY, 300), free)).rejects.toThrow('the test server was not ready within 0.3 s');
  });

  it('says when there is no such program', async () => {
    const nothing = { name: 'test server', program: join(folder, 'nothing'), args: [], readyMs: 5_000 };
    await expect(startServer(nothing, free)).rejects.toThrow(/could not be started \(spawn .* ENOENT\)/);
  });

  it('an abort ends the waiting', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    await expect(startServer(program(STAY), controller.signal)).rejects.toThrow();
  });
});
