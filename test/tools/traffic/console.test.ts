/** What application servers write to the console: no common log format, but access lines all the same. */
import { describe, expect, it } from 'vitest';
import { readLog } from './helpers.ts';

describe('console lines', () => {
  it.each([
    ['uvicorn', 'INFO:     192.0.2.7:50000 - "GET /a/1?b=2 HTTP/1.1" 404 Not Found', 'none', '192.0.2.7'],
    [
      'uvicorn over IPv6',
      'INFO:     [2001:db8::7]:50000 - "GET /a/1?b=2 HTTP/1.1" 404 Not Found',
      'none',
      '2001:db8::7',
    ],
    [
      'uvicorn with a logger of its own',
      '2024-03-04 10:00:01,250 INFO:     192.0.2.7:50000 - "GET /a/1?b=2 HTTP/1.1" 404 Not Found',
      '2024-03-04T10:00:01.250Z',
      '192.0.2.7',
    ],
    [
      'uvicorn under gunicorn',
      '[2024-03-04 11:00:01 +0100] [12] [INFO] 192.0.2.7:50000 - "GET /a/1?b=2 HTTP/1.1" 404',
      '2024-03-04T10:00:01.000Z',
      '192.0.2.7',
    ],
    ['Django', '[04/Mar/2024 10:00:01] "GET /a/1?b=2 HTTP/1.1" 404 179', '2024-03-04T10:00:01.000Z', ''],
    [
      'Django with a level',
      'WARNING [04/Mar/2024 10:00:01] "GET /a/1?b=2 HTTP/1.1" 404 179',
      '2024-03-04T10:00:01.000Z',
      '',
    ],
  ])('of %s', (_, line, time, client) => {
    const { records, lines } = readLog(line);
    expect(lines).toMatchObject({ records: 1, malformed: 0 });
    expect(records).toMatchObject([{ method: 'GET', path: '/a/1', query: 'b=2', status: 404, time, client }]);
  });

  it('that say something else are no requests', () => {
    const words = [
      'INFO:     Started server process [28720]',
      'INFO:     192.0.2.7:50000 - "WebSocket /ws" [accepted]',
      'INFO:     connection open',
      'INFO:     192.0.2.7:50000 - said "GET /a HTTP/1.1" 200 times',
      'INFO:     127.0.0.1:8000 - "quoted words" 200',
      'ERROR:    Exception in ASGI application',
      '2024-03-04 10:00:01,250 INFO retry of 192.0.2.7 - "GET /a HTTP/1.1" 200',
    ];
    const { records, lines } = readLog(words.join('\n'));
    expect(records).toEqual([]);
    expect(lines).toMatchObject({ physical: 7, records: 0 });
    expect(lines.other + lines.malformed + lines.withoutRequest).toBe(7);
  });

  it('do not stand in the way of the common log format in the same file', () => {
    const { lines, records } = readLog(
      [
        'INFO:     192.0.2.7:50000 - "GET /a HTTP/1.1" 200 OK',
        '192.0.2.8 - - [04/Mar/2024:10:00:00 +0000] "GET /b HTTP/1.1" 200 5 "-" "ua"',
        'INFO:     192.0.2.7:50000 - "GET /c HTTP/1.1" 200 OK',
      ].join('\n'),
    );
    expect(lines).toMatchObject({ records: 3, malformed: 0 });
    expect(records.map(({ path }) => path)).toEqual(['/a', '/b', '/c']);
    expect(records.map(({ client }) => client)).toEqual(['192.0.2.7', '192.0.2.8', '192.0.2.7']);
    // One damaged line of a common log must not make console lines of all that follow.
    const common = (n: number) =>
      `192.0.2.${n} - - [04/Mar/2024:10:00:0${n} +0000] "GET /b HTTP/1.1" 200 5 "-" "ua" 0.019`;
    const after = readLog(
      ['[04/Mar/2024:10:00:00 +0000] "GET /b HTTP/1.1" 200 5 "-" "ua"', common(1), common(2)].join('\n'),
    );
    expect(after.lines).toMatchObject({ records: 2, malformed: 1 });
    expect(after.records).toMatchObject([
      { client: '192.0.2.1', agent: 'ua', duration: 19 },
      { client: '192.0.2.2', agent: 'ua', duration: 19 },
    ]);
  });
});

describe('objects of gateways and loggers', () => {
  it('of Kong', () => {
    const line = JSON.stringify({
      request: { method: 'GET', uri: '/a/1?b=2', headers: { 'user-agent': 'ua' } },
      response: { status: 404 },
      latencies: { request: 12, proxy: 3, kong: 1 },
      client_ip: '192.0.2.7',
      started_at: 1_709_546_401_250,
    });
    expect(readLog(line).records).toMatchObject([
      { path: '/a/1', query: 'b=2', status: 404, duration: 12, client: '192.0.2.7', time: '2024-03-04T10:00:01.250Z' },
    ]);
  });

  it('of express-winston', () => {
    const meta = { req: { url: '/a/1?b=2', method: 'GET', headers: {} }, res: { statusCode: 404 }, responseTime: 12 };
    const line = JSON.stringify({
      level: 'info',
      message: 'HTTP GET /a/1',
      meta,
      timestamp: '2024-03-04T10:00:01.250Z',
    });
    expect(readLog(line).records).toMatchObject([
      { method: 'GET', path: '/a/1', query: 'b=2', status: 404, duration: 12, time: '2024-03-04T10:00:01.250Z' },
    ]);
  });
});
