/** The kernel must not change anything but the speed. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { mutate } from '../../../tools/lab/traffic/fuzz.ts';
import { syntheticLog } from '../../../tools/lab/traffic/synthetic-log.ts';
import { parseWorkload } from '../../../tools/schemas/workload.ts';
import { countsAndEvents } from './helpers.ts';

const random = sessionRandom(hashSeed('kernel'), 0);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const digits = (n: number): string => Array.from({ length: n }, () => Math.floor(random() * 10)).join('');
const hex = (n: number): string => Array.from({ length: n }, () => pick([...'0123456789abcdef'])).join('');
const guid = (): string => [8, 4, 4, 4, 12].map(hex).join('-');

/** Everyday lines in every variety that the kernel has a rule for, and some that it must leave alone. */
function everyday(): string {
  const client = pick([
    () => `192.0.2.${digits(1)}`,
    () => '2001:db8::7',
    () => 'host-1.example',
    () => '192.0.2.1:5000',
    () => '256.1.1.1',
    () => '1.2.3',
    () => '0001.2.3.4',
    () => 'unknown',
    () => '[2001:db8::2]:9999',
    () => '203.0.113.5, 198.51.100.7',
    () => `::ffff:192.0.2.${digits(1)}`,
    () => `access.log:${digits(2)}:192.0.2.7`,
    () => `${digits(2)}:192.0.2.8`,
    () => '"203.0.113.9" 10.0.0.1',
  ])();
  const segment = (): string =>
    pick([
      () => digits(1 + Math.floor(random() * 18)),
      () => `979${digits(10)}`,
      guid,
      () => 'books',
      () => 'a.css',
      () => `cart;jsessionid=${digits(4)}`,
      () => 'm;v=1',
      () => 'health',
      () => 'cart',
      () => '',
      () => 'caf\xe9',
      () => `-${digits(3)}`,
      () => '2024-03-04',
      () => hex(32),
      () => 'wp-login.php',
      () => '12.pdf',
      () => 'bill.pdf',
      () => '%7e',
    ])();
  const path = pick([
    () => `/api/books/${pick(['979000000001', '979'])}${digits(1)}`,
    () => '/api/books',
    () => `/${Array.from({ length: 1 + Math.floor(random() * 4) }, segment).join('/')}`,
    () => `/api/carts/${guid()}/items/979${digits(10)}`,
    () => '*',
    () => '/a#f',
    () => `/${'x/'.repeat(70)}`,
    () => 'http://x.example/y/1',
  ])();
  const query = pick([
    '',
    '',
    '?',
    '?search=a',
    '?q',
    '?page=2&search=',
    '?page=2',
    '?searches=1',
    '?a=1&q=&b',
    '?x="',
  ]);
  const request = `${pick(['GET', 'GET', 'GET', 'POST', 'OPTIONS', 'HEAD', 'get', 'PROPFIND'])} ${path}${query} HTTP/${pick(['1.1', '2.0', '1.0'])}`;
  const second = digits(1);
  const time = pick([
    `04/Mar/2024:10:00:0${second} +0000`,
    `04/Mar/2024:10:00:5${second} +0000`,
    `04/Mar/2024:10:0${second}:00 +0000`,
    `04/Mar/2024:10:00:00 -0130`,
    '04/Mar/2024:10:00:60 +0000',
    '2024-03-04T10:00:00.000+00',
  ]);
  const agent = pick([
    'ua/1',
    '-',
    '',
    'Mozilla/5.0 (X11; Linux x86_64) Chrome/1',
    'a\\"b',
    'Googlebot/2.1',
    'kube-probe/1',
    'x'.repeat(47),
  ]);
  const rest = pick([
    ` "-" "${agent}"`,
    ` "https://x.example/?a=%22" "${agent}"`,
    ` "-" "${agent}"\r`,
    '',
    ' "-"',
    ` "-" "${agent}" 0.123`,
    ` "a"b" "${agent}"`,
  ]);
  const status = pick(['200', '200', '204', '301', '303', '308', '404', '503', '600', '099', '-']);
  return `${client} ${pick(['-', '-', 'id'])} ${pick(['-', '-', 'frank', 'a b', 'a[b'])} [${time}] "${request}" ${status} ${pick(['5', '-', ''])}${rest}`;
}

const TEMPLATES = [
  'GET /api/books',
  'GET /api/books?search=',
  'GET /api/books/{isbn}',
  'PUT /api/carts/{id}/items/{isbn}',
];

describe('the kernel', { timeout: 120_000 }, () => {
  it('is what its sources compile to', async () => {
    const run = promisify(execFile);
    await expect(run(process.execPath, ['tools/base/wasm/compile.mjs', '--check'])).resolves.toMatchObject({
      stderr: '',
    });
  });

  it('reads a log of the bookstore as the general reader does', () => {
    const workload = parseWorkload(readFileSync('data/workload.json', 'utf8'), 'data/workload.json');
    const log = syntheticLog(workload, { seconds: 200, seed: 'kernel', format: 'combined' }).join('\n');
    const fast = countsAndEvents(log, true, TEMPLATES);
    expect(fast).toEqual(countsAndEvents(log, false, TEMPLATES));
    expect(fast).toMatchObject({ counts: { lines: { malformed: 0 } } });
  });

  it.each([[TEMPLATES], [[...TEMPLATES, 'GET /books/2024/{id}']], [[]]])(
    'reads lines of every variety alike (%#)',
    (templates) => {
      for (let round = 0; round < 4; round++) {
        const log = Array.from({ length: 1500 }, everyday).join('\n');
        expect(countsAndEvents(log, true, templates)).toEqual(countsAndEvents(log, false, templates));
      }
    },
  );

  it.each(['+0\n00', '+000\n', '+0000\n', '+00 0', '+00]0', '\n+000'])(
    'does not take a stamp that ends with %j for one',
    (zone) => {
      const line = (stamp: string): string =>
        `192.0.2.1 - - [04/Mar/2024:10:00:00 ${stamp}] "GET /a HTTP/1.1" 200 1 "-" "ua"`;
      const log = [line('+0000'), line(zone), line(zone), line('+0000')].join('\n');
      expect(countsAndEvents(log, true)).toEqual(countsAndEvents(log, false));
    },
  );

  it('reads mutated lines alike', () => {
    const good = Array.from({ length: 60 }, () => Buffer.from(everyday(), 'latin1'));
    for (let round = 0; round < 4; round++) {
      const lines = Array.from({ length: 1500 }, () =>
        random() < 0.6 ? pick(good) : mutate(pick(good), random, good),
      );
      const log = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
      expect(countsAndEvents(log, true, TEMPLATES)).toEqual(countsAndEvents(log, false, TEMPLATES));
    }
  });
});
