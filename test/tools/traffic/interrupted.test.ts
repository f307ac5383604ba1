/** Ctrl-C: what is printed then speaks of the same lines throughout, and nobody waits for a pipe that says nothing. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { buildModel } from '../../../tools/traffic/model/model.ts';
import { analyse } from './helpers.ts';
import { addressOf, jsonLog, madeRequests } from './made-sessions.ts';

const REQUESTS = madeRequests(30, 'interrupted');
const LOG = jsonLog(REQUESTS, ({ session }) => ({ id: `s${session}`, address: addressOf(session) }));
const LINES = LOG.split('\n').length - 1;
/** Soon fitted. */
const SHORT = jsonLog(
  REQUESTS.filter(({ session }) => session < 250),
  ({ session }) => ({ id: `s${session}` }),
)
  .split('\n')
  .slice(0, -1)
  .map((line) => `${line}\n`);
const LONG = Array.from({ length: 12 }, (_, i) => LOG.replaceAll('2024-03-04T10', `2024-03-04T${10 + i}`)).join('');

describe('reading that is stopped', { timeout: 120_000 }, () => {
  it.each([
    [1, 'one file', { 'a.log': LONG }],
    [1, 'two files at once', { 'a.log': LONG, 'b.log': LONG.replaceAll('"s', '"t') }],
    [2, 'one file', { 'a.log': LONG.repeat(3) }],
  ])('by %i thread in %s gives lines, endpoints, sessions and views of the same part', async (threads, _, files) => {
    const stop = new AbortController();
    const facts = await analyse(files, {
      threads,
      parallelFrom: 0,
      stop: stop.signal,
      onProgress: (bytes) => bytes > 1_000_000 && stop.abort(),
    });
    const model = buildModel(facts, { replicates: 2 });
    const all = Object.values(files).join('').split('\n').length - 1;
    expect(model.partial).toBe(true);
    expect(model.lines.records).toBeGreaterThan(1000);
    expect(model.lines.records).toBeLessThan(all);
    expect(model.endpoints.reduce((sum, { requests }) => sum + requests, 0)).toBe(model.lines.records);
    expect(facts.pass.sessions.requests).toBe(model.lines.records);
    const views = model.endpoints.find(({ name }) => name === 'GET /api/books/{isbn}')?.requests;
    expect(facts.pass.sessions.items.views).toBe(views);
    expect(facts.pass.files.reduce((sum, { counts }) => sum + counts.lines.physical, 0)).toBe(model.lines.physical);
  });

  it('of a stream that says nothing more gives all that came', async () => {
    const stop = new AbortController();
    const stdin = new Readable({ read() {} });
    stdin.push(LOG);
    setTimeout(() => stop.abort(), 300);
    const facts = await analyse({}, { input: '', stdin, stop: stop.signal });
    expect(facts.pass.partial).toBe(true);
    expect(facts.pass.total.lines.records).toBe(LINES);
    expect(facts.pass.sessions.requests).toBe(LINES);
  });
});

describe.concurrent('bookstore-load traffic', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'traffic-stop-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(['standard input', 'a named pipe'])(
    'ends on SIGINT while it waits for %s, and says that this is a part',
    async (what) => {
      const named = what === 'a named pipe';
      const fifo = join(folder, 'fifo');
      const out = join(folder, `${what}.json`);
      if (named) execFileSync('mkfifo', [fifo]);
      const child = spawn(process.execPath, ['bin/bookstore-load.mjs', 'traffic', named ? fifo : '-', '--out', out], {
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      let text = '';
      child.stdout.on('data', (some) => {
        text += some;
      });
      const writer = named
        ? spawn('sh', ['-c', `cat > '${fifo}'`], { stdio: ['pipe', 'ignore', 'ignore'] })
        : undefined;
      (writer ?? child).stdin?.on('error', () => {});
      (writer ?? child).stdin?.write(SHORT.join(''));
      await sleep(4000);
      child.kill('SIGINT');
      const code = await new Promise((done) => child.once('exit', done));
      writer?.kill();
      expect(code).toBe(0);
      expect(text).toContain(`Lines ${SHORT.length} = ${SHORT.length} records`);
      expect(text).toMatch(/stopped before the end/);
      expect(readFileSync(out, 'utf8')).toMatch(/partial: the reading was stopped/);
    },
  );

  it('ends on SIGINT when nothing has come at all', async () => {
    const child = spawn(process.execPath, ['bin/bookstore-load.mjs', 'traffic', '-'], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (some) => {
      said += some;
    });
    await sleep(4000);
    const asked = Date.now();
    child.kill('SIGINT');
    expect(await new Promise((done) => child.once('exit', done))).toBe(3);
    // A second, and more on a busy machine.
    expect(Date.now() - asked).toBeLessThan(5000);
    expect(said).toBe('bookstore-load: stopped before any request was read; let it read on\n');
  });
});
