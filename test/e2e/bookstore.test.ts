/** The bookstore and the payment stub as processes of their own, as people start them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isbnOf } from '../../bookstore/catalogue/books.ts';
import { EMBEDDED_START_MS, POLL, TEST_BOOKS } from '../support/bookstore.ts';
import { client } from '../support/http.ts';

const CLI = join(import.meta.dirname, '../../bin/bookstore-load.mjs');
const folder = mkdtempSync(join(tmpdir(), 'bookstore-e2e-'));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(() => {
  if (!existsSync(join(import.meta.dirname, '../../dist/cli.mjs'))) throw new Error('run `npm run build` first');
});

interface Started {
  readonly child: ChildProcess;
  readonly ready: { url: string; pid: number };
  readonly ended: Promise<{ code: number | null; lines: string[] }>;
}

function start(...args: string[]): Promise<Started> {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  const ended = new Promise<{ code: number | null; lines: string[] }>((resolve) => {
    child.once('close', (code) => resolve({ code, lines: text.trim().split('\n') }));
  });
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (data) => {
      const first = !text.includes('\n');
      text += data;
      if (first && text.includes('\n')) resolve({ child, ended, ready: JSON.parse(text.split('\n')[0] ?? '') });
    });
    void ended.then(({ code }) => reject(new Error(`ended with ${code} before it was ready`)));
  });
}

describe('bookstore process', () => {
  it(
    'loses no line of its access log on SIGTERM, requests under way included',
    async () => {
      const file = join(folder, 'made', 'for', 'it', 'access.log');
      const { child, ended, ready } = await start(
        ...[
          'bookstore',
          '--json',
          '--books',
          String(TEST_BOOKS),
          '--admin',
          '--access-log',
          file,
          '--stop-after',
          '120',
        ],
        ...['--log-columns', 'c-ip,cs(User-Agent)', '--log-session'],
      );
      const api = client(ready.url);
      const headers = (session: number) => ({ 'user-agent': 'test agent', 'x-session-id': `s ${session}` });
      const answered = await Promise.all(
        Array.from({ length: 300 }, (_, n) => api.get(`/api/books/${isbnOf(n)}?n=${n}`, headers(n))),
      );
      expect(answered.every((answer) => answer.status === 200)).toBe(true);
      await api.send('PUT', '/admin/faults', { faults: [{ kind: 'latency', endpoint: 'list', delay: 60_000 }] });
      const underWay = Array.from({ length: 5 }, (_, n) => api.get(`/api/books?page=${n + 1}`, headers(1_000 + n)));
      // The five are under way once the server has them all.
      await expect.poll(async () => (await api.get('/admin/stats')).body.requestsUnderWay, POLL).toBe(5);
      child.kill('SIGTERM');
      expect((await Promise.all(underWay)).map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
      await api.close();
      expect((await ended).code).toBe(0);

      const lines = readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('#'));
      const rows = lines.map((line) => line.split(' '));
      expect(rows.every((row) => row.length === 10)).toBe(true);
      const details = rows.filter((row) => row[3]?.startsWith('/api/books/'));
      expect(details.map((row) => row[4]).sort()).toEqual(Array.from({ length: 300 }, (_, n) => `n=${n}`).sort());
      expect(details.find((row) => row[4] === 'n=7')?.slice(7)).toEqual(['127.0.0.1', 'test+agent', 's+7']);
      const pages = rows.filter((row) => row[3] === '/api/books');
      expect(pages.map((row) => row[5])).toEqual(['200', '200', '200', '200', '200']);
    },
    EMBEDDED_START_MS,
  );

  it.each([
    ['admin on a public address', ['--admin', '--host', '0.0.0.0'], /Admin and fault routes are for loopback only/],
    [
      'a log column that does not exist',
      ['--access-log', 'x.log', '--log-columns', 'cookie'],
      /"cookie" is none of c-ip/,
    ],
    ['columns without a log', ['--log-session'], /need --access-log FILE/],
    ['a port that is no number', ['--port', 'http'], /whole number from 0 to 65535/],
    ['a payment URL that is none', ['--payment-url', 'stub'], /http or https URL/],
    ['a payment URL with a query', ['--payment-url', 'http://127.0.0.1:8081?x=1'], /without \? and #/],
    ['a hexadecimal rate limit', ['--rate-limit', '0x10'], /a number from 0.001/],
    [
      'a database that is not there',
      ['--database-url', 'postgres://127.0.0.1:1/x', '--database-wait', '0'],
      /cannot be used: .*ECONNREFUSED/,
    ],
  ])('refuses %s with exit 2, one sentence and no stack trace', async (_, args, reason) => {
    const child = spawn(process.execPath, [CLI, 'bookstore', ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: folder,
    });
    let text = '';
    child.stderr.on('data', (data) => {
      text += data;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(text).toMatch(reason);
    expect(text).not.toMatch(/\n\s+at /);
    expect(code).toBe(2);
  });
});

describe('payment-stub process', () => {
  it('answers, stops on SIGTERM and prints its counts', async () => {
    const { child, ended, ready } = await start('payment-stub', '--json', '--error-share', '1', '--stop-after', '60');
    const api = client(ready.url);
    const charge = { orderId: 1, amount: 1, currency: 'EUR' };
    expect((await api.send('POST', '/v1/charges', charge)).status).toBe(500);
    await api.close();
    child.kill('SIGTERM');
    const { code, lines } = await ended;
    expect(code).toBe(0);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ received: 1, failed: 1, charged: 0 });
  });
});
