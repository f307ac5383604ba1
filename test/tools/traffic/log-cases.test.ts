import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { analyse, readLog, sumOfParts } from './helpers.ts';

/** Twelve ways in which access-log readers have failed in public. */
describe('public failures of access-log readers', { timeout: 120_000 }, () => {
  it('1: counts answers without a usable request apart, with their status', () => {
    const { lines, statusClasses } = readLog(
      [
        '192.0.2.10 - - [04/Mar/2024:10:00:00 +0000] "-" 408 0 "-" "-"',
        '192.0.2.11 - - [04/Mar/2024:10:00:01 +0000] "" 400 150 "-" "-"',
        '192.0.2.12 - - [04/Mar/2024:10:00:02 +0000] "Foo Bar" 400 150 "-" "-"',
        '192.0.2.13 - - [04/Mar/2024:10:00:03 +0000] "<X>T</X> / HTTP/1.1" 400 150 "-" "-"',
        '192.0.2.14 - - [04/Mar/2024:10:00:03 +0000] "\\x16\\x03\\x01\\x02" 400 150 "-" "-"',
        '192.0.2.15 - - [04/Mar/2024:10:00:04 +0000] "OPTIONS * HTTP/1.0" 200 1 "-" "-"',
        '192.0.2.16 - - [04/Mar/2024:10:00:04 +0000] "CONNECT shop.example.com:443 HTTP/1.1" 405 1 "-" "-"',
        '192.0.2.17 - - [04/Mar/2024:10:00:04 +0000] "GET http://shop.example.com/x?y=1 HTTP/1.1" 200 1 "-" "-"',
      ].join('\n'),
    );
    expect(lines).toMatchObject({ physical: 8, withoutRequest: 5, records: 3, malformed: 0 });
    expect(statusClasses).toEqual([0, 0, 2, 0, 6, 0]);
  });

  it('2: reads over escapes, keeps \\xNN and undoes \\"', () => {
    const { records } = readLog(
      String.raw`192.0.2.20 - - [04/Mar/2024:10:00:00 +0000] "GET /caf\xc3\xa9?q=1 HTTP/1.1" 200 10 "-" "a\"b c"` +
        '\n' +
        String.raw`192.0.2.20 - - [04/Mar/2024:10:00:00 +0000] "GET /a\"b HTTP/1.1" 200 10 "http://x/\"" "back\\slash"` +
        '\n192.0.2.20 - - [04/Mar/2024:10:00:00 +0000] "GET /bare"quote HTTP/1.1" 404 10 "-" "x"',
    );
    expect(records.map(({ path, query, agent }) => [path, query, agent])).toEqual([
      ['/caf\\xc3\\xa9', 'q=1', 'a"b c'],
      ['/a\\"b', '', 'back\\slash'],
      ['/bare"quote', '', 'x'],
    ]);
  });

  it('3: takes W3C columns from #Fields, and the client from another field when asked for', () => {
    const log =
      '#Fields: date time s-sitename cs-method cs-uri-stem sc-status X-Forwarded-For c-ip\n' +
      '2024-03-04 10:00:00 W3SVC1 GET /a 200 203.0.113.9 192.0.2.40\n' +
      '#Fields: date time sc-status cs-uri-stem cs-method c-ip\n' +
      '2024-03-04 10:00:01 201 /b POST 192.0.2.41\n';
    expect(readLog(log).records).toMatchObject([
      { client: '192.0.2.40', path: '/a', status: 200 },
      { client: '192.0.2.41', path: '/b', status: 201, method: 'POST' },
    ]);
    expect(readLog(log, { reader: { clientField: 'X-Forwarded-For' } }).records[0]?.client).toBe('203.0.113.9');
  });

  it('4: keeps the values of unknown columns in their place and refuses rows of another width', () => {
    const { records, lines, reasons } = readLog(
      '#Fields: date time x-new-thing c-ip cs-method cs-uri-stem sc-status\n' +
        '2024-03-04\t10:00:00\tzz\t192.0.2.50\tGET\t/b\t200\n' +
        '2024-03-04\t10:00:00\t192.0.2.50\tGET\t/b\t200\n',
    );
    expect(records).toMatchObject([{ client: '192.0.2.50', path: '/b', status: 200 }]);
    expect(lines).toMatchObject({ directive: 1, records: 1, malformed: 1 });
    expect(Object.keys(reasons)[0]).toMatch(/columns/);
  });

  it('5: takes the day from #Date and rolls it over at midnight, whatever the order of header lines', () => {
    const { records } = readLog(
      '#Date: 2024-03-04 23:59:59\n#Fields: time c-ip cs-method cs-uri-stem sc-status\n' +
        '23:59:59 192.0.2.60 GET /late 200\n00:00:01 192.0.2.60 GET /early 200\n23:59:59 192.0.2.60 GET /straggler 200\n00:00:02 192.0.2.60 GET /on 200\n',
    );
    expect(records.map(({ time }) => time)).toEqual([
      '2024-03-04T23:59:59.000Z',
      '2024-03-05T00:00:01.000Z',
      '2024-03-04T23:59:59.000Z',
      '2024-03-05T00:00:02.000Z',
    ]);
  });

  it('6: ignores columns that a load balancer has gained, and reads lines from before', () => {
    const line =
      'h2 2024-03-04T10:00:00.000000Z app/x/1 192.0.2.70:5000 198.51.100.1:80 0.001 0.002 0.000 200 200 1 2 "GET https://example.com:443/c?z=1 HTTP/2.0" "ua" - - - "Root=1" "example.com" "-" 0 2024-03-04T09:59:59.900000Z "forward" "-" "-" "-" "200" "-" "-" TID_0 "-" "-" "-" "one-more"';
    const older =
      'https 2024-03-04T10:00:01.000000Z app/x/1 192.0.2.71:5000 - -1 -1 -1 502 - 1 2 "GET https://example.com:443/d HTTP/1.1" "ua"';
    expect(readLog(`${line}\n${older}\n`).records).toMatchObject([
      { method: 'GET', path: '/c', query: 'z=1', status: 200, client: '192.0.2.70', duration: 3 },
      // What has not come to its end is not told.
      { path: '/d', status: 502, duration: Number.NaN },
    ]);
  });

  it('7: goes on after bytes that are no UTF-8 and keeps them apart', () => {
    const { records } = readLog(
      Buffer.from(
        '192.0.2.80 - - [04/Mar/2024:10:00:00 +0000] "GET /\xd0x HTTP/1.1" 200 1 "-" "-"\n192.0.2.80 - - [04/Mar/2024:10:00:01 +0000] "GET /ok HTTP/1.1" 200 1 "-" "-"\n',
        'latin1',
      ),
    );
    expect(records.map(({ path }) => path)).toEqual(['/\xd0x', '/ok']);
  });

  it('8: subtracts the zone offset, so that a change to winter time is two seconds', async () => {
    const facts = await analyse({
      'a.log':
        '192.0.2.90 - - [27/Oct/2024:02:59:59 +0200] "GET /p HTTP/1.1" 200 1\n192.0.2.90 - - [27/Oct/2024:02:00:01 +0100] "GET /q HTTP/1.1" 200 1\n',
    });
    expect(facts.pass.sessions.sessions).toBe(1);
    expect(facts.pass.sessions.transitions[0]?.gaps.values).toEqual(Float64Array.of(2));
  });

  it('9: puts lines in time order before it counts sessions', async () => {
    const line = (time: string, path: string): string =>
      `192.0.2.91 - - [04/Mar/2024:${time} +0000] "GET ${path} HTTP/1.1" 200 1\n`;
    const facts = await analyse({ 'a.log': line('10:40:00', '/2') + line('10:00:00', '/0') + line('10:20:00', '/1') });
    const { sessions } = facts.pass;
    expect(sessions.sessions).toBe(1);
    expect(sessions.transitions.flatMap(({ gaps }) => [...gaps.values])).toEqual([1200, 1200]);
  });

  it('10: finds gzip by its bytes, reads all members, and keeps the complete lines of a cut stream', async () => {
    const line = (i: number): string =>
      `192.0.2.92 - - [04/Mar/2024:10:00:${String(i % 60).padStart(2, '0')} +0000] "GET /g/${i * 7919} HTTP/1.1" 200 1\n`;
    const text = Array.from({ length: 5000 }, (_, i) => line(i)).join('');
    const whole = gzipSync(text);
    const facts = await analyse({
      'access.log.gz.2': Buffer.concat([gzipSync(line(0)), gzipSync(line(1) + line(2))]),
      'cut.txt': whole.subarray(0, Math.floor(whole.length / 2)),
    });
    const [both, cut] = facts.pass.files;
    expect(both?.counts.lines).toMatchObject({ physical: 3, records: 3 });
    const read = cut?.counts.lines.records ?? 0;
    expect(read).toBeGreaterThan(1000);
    expect(read).toBeLessThan(5000);
    expect(cut?.counts.lines.malformed).toBeLessThanOrEqual(1);
    expect(cut?.counts.remarks.join()).toMatch(/cut off/);
    if (cut !== undefined) expect(sumOfParts(cut.counts.lines)).toBe(cut.counts.lines.physical);
  });

  it('11: knows the keys of old and new Caddy, its console lines, and messages that are no requests', () => {
    const request = '"request":{"remote_ip":"192.0.2.94","client_ip":"203.0.113.94","method":"GET","uri":"/f"}';
    const { records, lines } = readLog(
      [
        '{"ts":1709546400.25,"logger":"http.log.access","msg":"handled request","request":{"remote_addr":"192.0.2.94:5000","method":"GET","uri":"/f"},"duration":0.01,"status":200}',
        `{"ts":1709546401.25,"logger":"http.log.access","msg":"handled request",${request},"duration":0.01,"status":200}`,
        `2024/03/04 10:00:02.250\tINFO\thttp.log.access\thandled request\t{${request},"duration":0.01,"status":200}`,
        '{"level":"info","ts":1709546400,"msg":"serving initial configuration"}',
      ].join('\n'),
    );
    expect(records).toMatchObject([
      { client: '192.0.2.94', time: '2024-03-04T10:00:00.250Z', duration: 10 },
      { client: '203.0.113.94', time: '2024-03-04T10:00:01.250Z' },
      { client: '203.0.113.94', time: '2024-03-04T10:00:02.250Z' },
    ]);
    expect(lines).toMatchObject({ records: 3, other: 1, malformed: 0 });
  });

  it('12: takes a user name with blanks and an @ for what it is', () => {
    const { records } = readLog(
      '192.0.2.96 - jo an.doe@example.com [04/Mar/2024:10:00:00 +0000] "GET /h HTTP/1.1" 200 1 "-" "ua"\n' +
        '192.0.2.97 - [bracket] [04/Mar/2024:10:00:00 +0000] "GET /i HTTP/1.1" 200 1 "-" "ua"\n',
    );
    expect(records).toMatchObject([
      { client: '192.0.2.96', user: 'jo an.doe@example.com', path: '/h' },
      { client: '192.0.2.97', user: '[bracket]', path: '/i' },
    ]);
  });
});
