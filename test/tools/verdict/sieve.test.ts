import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { sieveCsv } from '../../../tools/verdict/samples/sieve/sieve.ts';

const folder = mkdtempSync(join(tmpdir(), 'sieve-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const COLUMNS = ['metric_name', 'timestamp', 'metric_value', 'error', 'name', 'status'];
const HEADER = COLUMNS.join(',');
const FILTER = { without: ['http_req_waiting', 'data_sent'], floored: ['http_req_blocked'] };

/** What the sieve leaves of this text; undefined when it leaves the file to the database. */
async function left(csv: string | Buffer, columns = COLUMNS): Promise<string | undefined> {
  const [from, to] = [join(folder, 'from.csv'), join(folder, 'to.csv')];
  writeFileSync(from, csv);
  return (await sieveCsv(from, to, columns, FILTER)) ? readFileSync(to, 'utf8') : undefined;
}

describe('what nobody reads is taken out of a CSV', () => {
  test.each([
    ['a metric that is left out', 'http_req_waiting,1,5.0,,a,200'],
    ['a set-up time below the floor', 'http_req_blocked,1,0.004,,a,200'],
    ['one with a name beyond ASCII', 'http_req_waiting,1,5.0,,Zürich 東京,200'],
  ])('%s', async (_, line) => {
    expect(await left(`${HEADER}\nvus,1,2,,,\n${line}\nvus,2,2,,,\n`)).toBe(`${HEADER}\nvus,1,2,,,\nvus,2,2,,,\n`);
  });

  test.each([
    ['another metric', 'http_req_duration,1,5.0,,a,200'],
    ['one whose name begins alike', 'http_req_waiting_2,1,5.0,,a,200'],
    ['a set-up time from the floor on', 'http_req_blocked,1,0.1,,a,200'],
    ['a large set-up time', 'http_req_blocked,1,10.05,,a,200'],
    ['a set-up time without a value', 'http_req_blocked,1,,,a,200'],
    ['a line with a column too few, which is damage', 'http_req_waiting,1,5.0,,200'],
    ['a line with a column too many', 'http_req_waiting,1,5.0,,a,200,'],
    ['an empty line', ''],
    ['a second header', HEADER],
    ['quotes, for the database to read', 'http_req_waiting,1,5.0,"get ""x"": refused, twice",a,0'],
  ])('what stays: %s', async (_, line) => {
    const text = `${HEADER}\n${line}\nvus,2,2,,,\n`;
    expect(await left(text)).toBe(text);
  });

  test('a last line without an end stays', async () => {
    expect(await left(`${HEADER}\ndata_sent,1,5,,,\ndata_sent,1,5,,,`)).toBe(`${HEADER}\ndata_sent,1,5,,,`);
  });

  test.each([
    ['a line feed within quotes', `${HEADER}\nvus,1,2,"a\nb",,\n`],
    ['a stray quote', `${HEADER}\nvus,1,2,a"b,"c,\n`],
    ['text behind a closing quote', `${HEADER}\nvus,1,2,"a"b,,\n`],
    ['a carriage return', `${HEADER}\r\nvus,1,2,,,\r\n`],
    ['a zero byte', `${HEADER}\nvus,1,2,\0,,\n`],
    ['bytes that are no UTF-8', Buffer.from(`${HEADER}\nvus,1,2,\xff,,\n`, 'latin1')],
  ])('a file with %s is left to the database', async (_, text) => {
    expect(await left(text)).toBeUndefined();
  });

  test('as is one whose first columns are not those of k6', async () => {
    expect(await left(`name,${HEADER}\n`, ['name', ...COLUMNS])).toBeUndefined();
  });

  test('lines of every length across the pieces in which a file is read', async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => {
      const metric = i % 3 === 0 ? 'http_req_duration' : i % 3 === 1 ? 'http_req_waiting' : 'data_sent';
      return `${metric},${i},${i},,${'n'.repeat((i * 7) % 400)},200`;
    });
    const kept = lines.filter((line) => line.startsWith('http_req_duration'));
    expect(await left(`${HEADER}\n${lines.join('\n')}\n`)).toBe(`${HEADER}\n${kept.join('\n')}\n`);
  });

  test('a file of which nearly all stays is not copied', async () => {
    expect(await left(`${HEADER}\n${'http_req_duration,1,5.0,,a,200\n'.repeat(600_000)}`)).toBeUndefined();
  });
});

test('a large file says the same plain, which is sieved, and packed, which is not', async () => {
  const rows = Array.from({ length: 30_000 }, (_, i) => {
    const rest = i % 50 === 0 ? '"dial: ""refused""",/a b,0' : `,/books/${i % 7},${i % 9 === 0 ? 503 : 200}`;
    const of = (metric: string, value: number) => `${metric},${1_795_982_260 + (i >> 6)},${value.toFixed(6)},${rest}\n`;
    const setUp = of('http_req_blocked', i % 11 === 0 ? 3 : 0.01);
    return (
      setUp +
      ['duration', 'sending', 'waiting', 'receiving'].map((part) => of(`http_req_${part}`, (i * 7919) % 997)).join('')
    );
  });
  const [plain, packed] = [join(folder, 'large.csv'), join(folder, 'large.csv.gz')];
  const text = `${HEADER}\n${rows.join('')}${'data_sent,1795982260,1.0,,,\n'.repeat(100_000)}`;
  expect(text.length).toBeGreaterThan(8 << 20);
  writeFileSync(plain, text);
  writeFileSync(packed, gzipSync(text, { level: 1 }));
  const seen = [];
  for (const path of [plain, packed]) {
    const { facts, verdict } = await analyse({ paths: [path] });
    const { files, populations, byStatus, failures, bins } = facts;
    seen.push({
      rows: files[0]?.rows,
      lost: files[0]?.lost,
      populations,
      byStatus,
      failures,
      bins,
      state: verdict.status,
    });
  }
  // Sums are added up in the order of threads: a mean's last digits are nobody's.
  const digits = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(10)) : value);
  const [one, other] = seen.map((facts) => JSON.parse(JSON.stringify(facts, digits)) as unknown);
  expect(one).toEqual(other);
});
