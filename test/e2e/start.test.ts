/** `start` with the real bookstore and stub, and a stand-in for k6: whatever ends it, no server is left. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliResult, startCli } from '../support/cli.ts';
import { type StubBehaviour, type StubK6, stubK6 } from '../support/stub-k6.ts';

interface Started {
  readonly child: ChildProcess;
  readonly end: Promise<CliResult>;
  readonly stub: StubK6;
}

function start(behaviour: StubBehaviour): Started {
  const stub = stubK6(behaviour);
  const cwd = mkdtempSync(join(tmpdir(), 'start-'));
  const { child, end } = startCli(['start', '--duration', '5s', '--rate', '3'], {
    cwd,
    env: { K6_BIN: stub.path, DATABASE_URL: '' },
  });
  return { child, end, stub };
}

/** URLs of the bookstore and of the payment stub. */
function urlsIn(stderr: string): string[] {
  const urls = /bookstore at (\S+) \(.*payment stub at (\S+)/.exec(stderr)?.slice(1) ?? [];
  expect(urls).toHaveLength(2);
  return urls;
}

/** Waits until nobody listens any more. */
async function gone(url: string): Promise<boolean> {
  for (let tries = 0; tries < 100; tries++) {
    const answered = await fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
      () => true,
      () => false,
    );
    if (!answered) return true;
    await new Promise((done) => setTimeout(done, 100));
  }
  return false;
}

async function untilRunning(stub: StubK6, end: Promise<CliResult>): Promise<number> {
  let early: CliResult | undefined;
  void end.then((result) => {
    early = result;
  });
  const ready = join(stub.folder, 'ready');
  while (!existsSync(ready)) {
    if (early !== undefined) throw new Error(`start ended before the load: ${early.stderr}`);
    await new Promise((done) => setTimeout(done, 50));
  }
  return Number(readFileSync(ready, 'utf8'));
}

describe('start', () => {
  it('Ctrl-C reaches k6, whose end is waited for before the servers stop', { timeout: 120_000 }, async () => {
    const { child, end, stub } = start({ signals: 1 });
    await untilRunning(stub, end);
    child.kill('SIGINT');
    const { code, stderr } = await end;
    expect(code).toBe(105);
    expect(stub.signals()).toEqual(['SIGINT']);
    const argv = stub.calls().find((call) => call[0] === 'run') ?? [];
    expect(argv).toEqual(expect.arrayContaining([`BASE_URL=${urlsIn(stderr)[0]}`, 'DURATION=5s', 'RATE=3']));
    expect(argv.at(-1)).toMatch(/bookstore-mix\.js$/);
    for (const url of urlsIn(stderr)) expect(await gone(url)).toBe(true);
  });

  it('Ctrl-C before the load ends with 130 and runs nothing', { timeout: 120_000 }, async () => {
    const { child, end, stub } = start({});
    child.stderr?.once('data', () => child.kill('SIGINT'));
    const { code } = await end;
    expect(code).toBe(130);
    expect(stub.calls().some((call) => call[0] === 'run')).toBe(false);
  });

  it('even when it is killed, no server outlives it', { timeout: 120_000 }, async () => {
    const { child, end, stub } = start({ signals: 1 });
    const k6 = await untilRunning(stub, end);
    child.kill('SIGKILL');
    const { stderr } = await end;
    for (const url of urlsIn(stderr)) expect(await gone(url)).toBe(true);
    process.kill(k6, 'SIGTERM');
  });
});
