import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { compilePattern } from '../../../tools/traffic/readers/pattern.ts';
import { analyse, countsAndEvents, readLog, sumOfParts } from './helpers.ts';

const LINE = '192.0.2.1 - - [04/Mar/2024:10:00:00 +0000] "GET /a?b=1 HTTP/1.1" 200 12 "-" "ua/1"';

/** Durations of combined lines that end so. */
function expectDurations(extras: readonly (readonly [extra: string, ms: number])[]): void {
  const { records } = readLog(extras.map(([extra]) => `${LINE} ${extra}`).join('\n'));
  expect(records.map(({ duration }) => duration)).toEqual(extras.map(([, duration]) => duration));
}

describe('NCSA lines', { timeout: 120_000 }, () => {
  it('are read alike with and without the kernel', () => {
    const paths = ['/', '/a/b?x=1&y=2', '/api/books/9790000000019', '/%20?', '/a#f', '*', '/caf\xe9'];
    const users = ['-', 'frank', 'a b'];
    const ends = [
      '',
      ' "-" "ua/1"',
      ' "https://x.example/?q=\\"" "Mozilla/5.0 (X; Y)"',
      ' "-" "-"',
      ' "-" "ua" 0.123',
      ' "-" "ua" 573 0.019 [shop-web-80] [] 203.0.113.9:8080 1054 0.018 200 0123456789abcdef',
      ' "-"',
    ];
    const log: string[] = [];
    for (const path of paths) {
      for (const user of users) {
        for (const end of ends) {
          log.push(`192.0.2.7 - ${user} [31/Dec/2023:23:59:59 -0130] "PATCH ${path} HTTP/2.0" 404 -${end}`);
          log.push(`2001:db8::7 - ${user} [01/Jan/2024:00:00:00 +0000] "GET ${path} HTTP/1.1" 200 5${end}\r`);
        }
      }
    }
    const text = log.join('\n');
    expect(readLog(text).lines).toMatchObject({ physical: log.length, records: log.length });
    expect(countsAndEvents(text, true)).toEqual(countsAndEvents(text, false));
  });

  it('keep methods apart on one path, also those of the same length and second letter', async () => {
    const methods = ['POST', 'LOCK', 'MOVE', 'COPY', 'HEAD', 'PUT', 'GET', 'PATCH', 'MERGE'];
    const log = methods.map((method) => `${LINE.replace('GET /a?b=1', `${method} /a`)} \n`).join('');
    const { pass, routes } = await analyse({ 'a.log': log });
    expect(
      pass.total.endpoints
        .map((n, cell) => (n > 0 ? routes.names[Math.floor(cell / 6)] : ''))
        .filter(Boolean)
        .sort(),
    ).toEqual(methods.map((method) => `${method} /a`).sort());
  });

  it('may carry a virtual host, a list of addresses, IPv6, and a request time', () => {
    const rest = '- - [04/Mar/2024:10:00:00 +0000] "GET /a HTTP/1.1" 200 1 "-" "ua"';
    const { records } = readLog(
      [
        `www.example.com:443 192.0.2.2 ${rest}`,
        `203.0.113.5, 198.51.100.7 ${rest}`,
        `2001:db8::1 ${rest}`,
        `[2001:db8::2]:9999 ${rest}`,
        `- ${rest}`,
        `host.example ${rest} 0.250`,
      ].join('\n'),
    );
    expect(records.map(({ client }) => client)).toEqual([
      '192.0.2.2',
      '203.0.113.5',
      '2001:db8::1',
      '2001:db8::2',
      '-',
      'host.example',
    ]);
    expect(records.map(({ duration }) => duration).slice(4)).toEqual([Number.NaN, 250]);
  });

  it('of ingress-nginx have their request time behind the length, and what is no such line keeps none', () => {
    const extras = [
      ['573 0.019 [shop-web-80] [] 203.0.113.9:8080 1054 0.018 200 0123456789abcdef', 19],
      ['4 12.500 [] [] - - - - x', 12_500],
      ['573 0.019', Number.NaN],
      ['573 0.019 203.0.113.9:8080', Number.NaN],
      ['a7 0.019 [shop]', Number.NaN],
      ['573 0.19 [shop]', Number.NaN],
      ['573 19 [shop] 0.019', Number.NaN],
    ] as const;
    expectDurations(extras);
  });

  it('of Traefik and morgan end with their duration, and what only looks like one is none', () => {
    const extras = [
      ['7 "web@docker" "http://198.51.100.3:80" 12ms', 12],
      ['7 "api 5ms x" "http://198.51.100.3:80" 12ms', 12],
      ['7 "12ms" ms', Number.NaN],
      ['id=5 900ms', Number.NaN],
      ['1200.038 ms', 1200.038],
      ['1709546400.840', Number.NaN],
      ['1.200', 1200],
    ] as const;
    expectDurations(extras);
  });

  it('keep their client behind what syslog and containers put in front', () => {
    const clients = ['203.0.113.5', '2001:db8:0:1:2:3:4:5', '::1', 'client.example'];
    const prefixes = [
      '',
      'Mar  4 10:00:01 web01 nginx: ',
      'Mar  4 10:00:01 web01 nginx[4711]: ',
      '<190>Mar  4 10:00:01 web01 nginx: ',
      '<190>1 2024-03-04T10:00:01.123Z web01 nginx 4711 - - ',
      '<190>1 2024-03-04T10:00:01.123Z web01 nginx 4711 ID47 [a@1 b="c"] ',
      'web_1  | ',
      'web-1 | ',
      '2024-03-04T10:00:01.123456789Z stdout F ',
      '2024-03-04T10:00:01.123456789Z ',
      '2024-03-04T10:00:01+01:00 web01 nginx[12]: ',
    ];
    const more = [
      'Mar  4 10:00:01 10.0.0.5 nginx: ',
      'Mar  4 10:00:01 web01 ',
      '<134>1 2024-03-04T10:00:01.840Z 10.0.0.5 nginx 12 access - ',
      '<134>1 2024-03-04T10:00:01.840Z web01 nginx 12 - - \xef\xbb\xbf',
      '<134>1 2024-03-04T10:00:01.840Z fe80::1 nginx 12 - - ',
      'shop.example.org:443 ',
      'localhost ',
      '10.0.0.9:80 ',
      '[2001:db8::5]:80 ',
      'Mar  4 10:00:01 web01 apache2: shop.example.org:443 ',
      '\x1b[36mweb_1  |\x1b[0m ',
    ];
    for (const client of clients) {
      for (const prefix of [...prefixes, ...more]) {
        for (const user of ['-', 'jo', 'jo doe']) {
          const { lines, records } = readLog(`${prefix}${LINE.replace('192.0.2.1 - -', `${client} - ${user}`)}`);
          expect(lines, prefix).toMatchObject({ records: 1 });
          expect(records[0], prefix).toMatchObject({ client, user: user === '-' ? '' : user, path: '/a' });
        }
      }
    }
  });

  it('keep the first of their addresses, whatever follows it', () => {
    const of = (who: string) => readLog(LINE.replace('192.0.2.1 - -', () => who)).records[0]?.client;
    const first = [
      '203.0.113.1 10.0.0.5 - -', // what the proxy passed on, then the proxy
      '203.0.113.1, 10.9.9.9 10.0.0.5 - -',
      '203.0.113.1 - 10.0.0.5 - -',
      '203.0.113.1 shop.example.org - -',
      '203.0.113.1 - 8.8.8.1 - x', // a user's name that would be a client
      '203.0.113.1 - - s1',
      '203.0.113.1 - - HIT',
      '203.0.113.1 - - -',
      '203.0.113.1:4711 - -',
      '- 203.0.113.1 - -',
      'INFO:werkzeug:203.0.113.1 - -',
    ];
    for (const who of first) expect(of(who), who).toBe('203.0.113.1');
  });

  it('are no address where a time or a user looks like one', () => {
    const odd = (who: string) => readLog(LINE.replace('192.0.2.1 - -', who)).records[0];
    expect(odd('host.example - 10.1.2.3')).toMatchObject({ client: 'host.example', user: '10.1.2.3' });
    expect(odd('10:00:01 192.0.2.2 - -')).toMatchObject({ client: '192.0.2.2' });
    expect(odd('www.example.com 192.0.2.2 - -')).toMatchObject({ client: '192.0.2.2' });
  });

  it('survive a byte-order mark, CRLF, NULs, blank lines and a missing last line end', () => {
    const { lines, records } = readLog(`\xef\xbb\xbf${LINE}\r\n\r\n   \n\0\0\0${LINE}\n\0\0\0\n${LINE}`);
    expect(records).toHaveLength(3);
    expect(lines).toMatchObject({ physical: 6, records: 3, blank: 2, malformed: 1 });
    expect(sumOfParts(lines)).toBe(6);
  });
});

describe('server format strings', { timeout: 120_000 }, () => {
  const nginx = `log_format main '$remote_addr - $remote_user [$time_local] "$request" '
      '$status $body_bytes_sent "$http_referer" "$http_user_agent" rt=$request_time sid=$cookie_sid';`;

  it('of nginx are taken as they stand', () => {
    const { records, lines } = readLog(
      '192.0.2.3 - jo doe [04/Mar/2024:10:00:00 +0000] "GET /x?y=2 HTTP/1.1" 200 5 "-" "u \\"q\\" a" rt=0.031 sid=abc\n192.0.2.3 nonsense\n',
      { format: nginx },
    );
    expect(records).toMatchObject([
      { client: '192.0.2.3', user: 'jo doe', path: '/x', query: 'y=2', status: 200, agent: 'u "q" a', session: 'abc' },
    ]);
    expect(records[0]?.duration).toBeCloseTo(31, 9);
    expect(lines).toMatchObject({ records: 1, malformed: 1 });
  });

  it('of Apache are taken as they stand', () => {
    const { records } = readLog('198.51.100.9 GET /p ?a=b 201 1500 [04/Mar/2024:10:00:00 +0100] "A \\"B\\""\n', {
      format: String.raw`LogFormat "%a %m %U %q %>s %D %t \"%{User-Agent}i\"" mine`,
    });
    expect(records).toMatchObject([
      {
        client: '198.51.100.9',
        method: 'GET',
        path: '/p',
        query: 'a=b',
        status: 201,
        duration: 1.5,
        time: '2024-03-04T09:00:00.000Z',
        agent: 'A "B"',
      },
    ]);
  });

  it("describe other servers' lines by nginx's names, in the unit that is given", () => {
    const envoy =
      '[2024-03-04T10:00:00.500Z] "GET /a?b=1 HTTP/1.1" 200 - via_upstream - "-" 0 12 31 30 "192.0.2.7" "ua/1" "id"';
    const format =
      '[$time_iso8601] "$request" $status $flags $details $end "$reason" $received $sent $request_time $upstream "$remote_addr" "$http_user_agent" $rest';
    const { records } = readLog(envoy, { format, reader: { durationUnit: 'ms' } });
    expect(records).toMatchObject([
      { time: '2024-03-04T10:00:00.500Z', path: '/a', status: 200, client: '192.0.2.7', duration: 31 },
    ]);
    expect(readLog(envoy, { format }).records[0]?.duration).toBe(31_000);
  });

  it('that are JSON name their keys', () => {
    const { records } = readLog(
      '{"when":"2024-03-04T10:00:00+00:00","what":"GET /j HTTP/1.1","st":"204","took":"0.5"}\n',
      {
        format: `log_format j escape=json '{"when":"$time_iso8601","what":"$request","st":"$status","took":"$request_time"}';`,
      },
    );
    expect(records).toMatchObject([{ path: '/j', status: 204, duration: 500 }]);
  });

  it('are refused in one sentence when nothing can be read by them', () => {
    expect(() => compilePattern('hello')).toThrow(/no \$variable/);
    expect(() => compilePattern('$status$request')).toThrow(/touch/);
  });
});

describe('tables with a header', { timeout: 120_000 }, () => {
  it('are read by column name, quotes included, in any delimiter', () => {
    const csv =
      'timestamp,method,path,status,client_ip,user_agent\n2024-03-04T10:00:00Z,GET,"/a,b",200,192.0.2.8,"x ""y"""\n';
    const tsv = 'time\tverb\turl\tstatus_code\n1709546400\tPUT\t/c?d=1\t"204"\nbroken\trow\n';
    expect(readLog(csv).records).toMatchObject([
      { path: '/a,b', agent: 'x "y"', client: '192.0.2.8', time: '2024-03-04T10:00:00.000Z' },
    ]);
    const second = readLog(tsv);
    expect(second.records).toMatchObject([{ method: 'PUT', path: '/c', query: 'd=1', status: 204 }]);
    expect(second.lines).toMatchObject({ directive: 1, records: 1, malformed: 1 });
  });

  it('leave nothing of one row in the next', () => {
    const rows = ['2024-03-04T10:00:00Z,GET,/a,200,192.0.2.8,12,HIT,ua,s1', ',GET,/b,200,,,,,'];
    const csv = `timestamp,method,path,status,client_ip,duration_ms,cache_status,user_agent,session_id\n${rows.join('\n')}\n`;
    const { counts } = countsAndEvents(csv, false) as {
      counts: { cacheKnown: number; timeless: number; nobody: number };
    };
    expect(counts).toMatchObject({ cacheKnown: 1, timeless: 1, nobody: 1 });
    expect(readLog(csv).records[1]).toMatchObject({ duration: Number.NaN, client: '', agent: '', session: '' });
  });
});

describe('files', { timeout: 120_000 }, () => {
  it('may change their format in the middle', () => {
    const { lines, formats } = readLog(
      `${LINE}\n{"time":"2024-03-04T10:00:01Z","method":"GET","path":"/j","status":200}\n#Fields: date time cs-method cs-uri-stem sc-status\n2024-03-04 10:00:02 GET /w 200\n${LINE}\n2024/03/04 10:00:03 [error] 7#7: *1 upstream timed out\nrubbish\n`,
    );
    expect(lines).toMatchObject({ physical: 7, records: 4, directive: 1, other: 1, malformed: 1 });
    expect(formats).toMatchObject({ ncsa: 2, json: 1, w3c: 1 });
  });

  it('say where the first unreadable lines are', () => {
    const { places, reasons } = readLog(`${LINE}\nrubbish\n${LINE}\nmore rubbish\n`);
    expect(places).toEqual([2, 4]);
    expect(Object.values(reasons)).toEqual([2]);
  });

  it('in zstd, brotli and UTF-16, from standard input, and of rotated sets come out the same', async () => {
    const lines = (from: number): string =>
      Array.from(
        { length: 50 },
        (_, i) =>
          `192.0.2.1 - - [04/Mar/2024:10:${String(from + Math.floor(i / 10)).padStart(2, '0')}:0${i % 10} +0000] "GET /a/${i} HTTP/1.1" 200 12\n`,
      ).join('');
    const facts = await analyse(
      {
        'b.br': brotliCompressSync(lines(10)),
        'a.utf16': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(lines(5), 'utf16le')]),
      },
      { input: lines(15) },
    );
    expect(facts.pass.files.map(({ counts }) => counts.lines.records)).toEqual([50, 50, 50]);
    // One client, never silent for long: one session over all files, and no step back in time between them.
    expect(facts.pass.sessions.sessions).toBe(1);
    expect(facts.pass.sessions.late).toBe(0);
    expect(facts.sources.map(({ compression }) => compression)).toEqual(['brotli', 'none', 'none']);
  });

  it('in zstd are read', async () => {
    // A frame by hand (RFC 8878): magic, single segment with one size byte, one last raw block.
    const body = Buffer.from(`${LINE}\n`);
    const block = (body.length << 3) | 1;
    const head = [0x28, 0xb5, 0x2f, 0xfd, 0x20, body.length, block & 255, (block >> 8) & 255, block >> 16];
    const facts = await analyse({ 'a.log': Buffer.concat([Buffer.from(head), body]) });
    expect(facts.pass.total.lines).toMatchObject({ physical: 1, records: 1 });
    expect(facts.sources[0]?.compression).toBe('zstd');
  });

  it('keep to their memory on a line without an end', async () => {
    const facts = await analyse({
      'a.log': Buffer.concat([Buffer.from(`${LINE}\n`), Buffer.alloc(20 << 20, 120), Buffer.from(`\n${LINE}\n`)]),
    });
    expect(facts.pass.total.lines).toMatchObject({ physical: 3, records: 2, malformed: 1 });
  });
});
