import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { field, header, LOG_COLUMNS, type LogRecord, line, openAccessLog } from '../../bookstore/access-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'bookstore-log-'));
afterAll(() => rmSync(folder, { recursive: true }));

const RECORD: LogRecord = {
  arrivedAt: Date.UTC(2026, 1, 3, 4, 5, 6, 78),
  method: 'GET',
  target: '/api/books?category=fiction&page=2',
  status: 200,
  timeTakenMs: 12.34567,
  address: '192.0.2.7',
  userAgent: 'k6/2.2 (linux; x "quoted")\tend',
  sessionId: 'session 1',
};

describe('access log', () => {
  it('writes one line with the arrival in UTC and the time taken in milliseconds', () => {
    expect(line(RECORD, [])).toBe('2026-02-03 04:05:06.078 GET /api/books category=fiction&page=2 200 12.346\n');
    expect(line(RECORD, LOG_COLUMNS)).toBe(
      '2026-02-03 04:05:06.078 GET /api/books category=fiction&page=2 200 12.346 ' +
        '192.0.2.7 k6/2.2+(linux;+x+%22quoted%22)%09end session+1\n',
    );
  });

  it('names its columns in the order of the lines', () => {
    const directives = header(['c-ip'], new Date(RECORD.arrivedAt)).split('\n');
    expect(directives).toContain('#Fields: date time cs-method cs-uri-stem cs-uri-query sc-status time-taken c-ip');
    expect(directives).toContain('#Date: 2026-02-03 04:05:06');
  });

  it('has as many columns in every line as it names, whatever the values are', () => {
    const nasty = [
      '',
      '-',
      ' ',
      'a b',
      '\n#Fields: x',
      '\0',
      'ü',
      '💥',
      '"',
      '\u2028',
      '\ud800',
      'x'.repeat(10_000),
      '\r',
    ];
    for (const value of nasty) {
      for (const target of [`/p${value}`, `/p?${value}`, `http://h/${value}`, '*', '?', '']) {
        const text = line({ ...RECORD, target, userAgent: value, sessionId: value, address: undefined }, LOG_COLUMNS);
        expect(text).toMatch(/^[\x21-\x7e]+( [\x21-\x7e]+){9}\n$/);
        expect(text).not.toContain('"');
      }
    }
  });

  it('tells an absent value from a hyphen', () => {
    expect(field(undefined)).toBe('-');
    expect(field('-')).toBe('%2D');
  });

  it('goes on with a file, keeps order, and loses nothing at close', async () => {
    const file = join(folder, 'access.log');
    for (const round of [0, 1]) {
      const log = await openAccessLog(file, [], (error) => expect.unreachable(error.message));
      for (let n = 0; n < 5_000; n++) log.write({ ...RECORD, target: `/round/${round}/${n}` });
      await log.close();
    }
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines.filter((text) => text.startsWith('#Fields:'))).toHaveLength(2);
    expect(lines.filter((text) => text.includes('/round/')).map((text) => text.split(' ')[3])).toEqual(
      [0, 1].flatMap((round) => Array.from({ length: 5_000 }, (_, n) => `/round/${round}/${n}`)),
    );
  });

  it('reads header values, which Node hands over byte by byte, as the UTF-8 that was sent', () => {
    const sent = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
    const text = line({ ...RECORD, userAgent: sent('é🙂'), sessionId: 'caf\u00e9' }, [
      'cs(User-Agent)',
      'cs(X-Session-Id)',
    ]);
    // é is C3 A9, the smiley F0 9F 99 82 (Unicode code charts); a lone latin1 byte is no UTF-8 and stays the letter it is.
    expect(text.trim().split(' ').slice(-2)).toEqual(['%C3%A9%F0%9F%99%82', 'caf%C3%A9']);
  });
});
