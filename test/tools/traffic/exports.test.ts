/** Logs that a store has exported: the servers' own lines in a column of a table. */
import { describe, expect, it } from 'vitest';
import { readLog, sumOfParts } from './helpers.ts';

const TEXT =
  '203.0.113.7 - - [10/Mar/2025:09:00:04 +0000] "GET /a?b=1 HTTP/1.1" 200 512 "-" "Mozilla/5.0 (X11, like Gecko)"';
const JSON_LINE = '{"method":"GET","uri":"/a?b=1","status":200,"remote_addr":"203.0.113.7"}';
const ISO = '2025-03-10T09:00:04.000+0000';
const AT = '2025-03-10T09:00:04.000Z';

const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Header and row of an export around a line. */
const EXPORTS: Record<string, readonly [header: string, row: (line: string) => string]> = {
  Splunk: ['"_raw","_time","host","sourcetype"', (line) => `${quote(line)},"${ISO}","web01","access_combined"`],
  'CloudWatch Insights': ['@timestamp,@message', (line) => `2025-03-10 09:00:04.000,${quote(line)}`],
  CloudWatch: ['timestamp,message', (line) => `1741597204000,${quote(line)}`],
  'CloudWatch without quotes': ['timestamp,message', (line) => `1741597204000,${line}`],
  'Grafana Loki': [
    '"labels","Time","Line","tsNs"',
    (line) => `"{""app"":""web""}","${AT}",${quote(line)},"1741597204000000000"`,
  ],
  Datadog: ['"Date","Host","Service","Status","Message"', (line) => `"${AT}","web01","nginx","info",${quote(line)}`],
  Kibana: ['"@timestamp","event.original","log.file.path"', (line) => `"${AT}",${quote(line)},"/var/log/a.log"`],
  'one column': ['"_raw"', (line) => quote(line)],
  semicolons: ['time;line', (line) => `${AT};${quote(line)}`],
};

describe("the server's own line in a column", () => {
  it.each(Object.entries(EXPORTS))('of %s is read', (name, [header, row]) => {
    const rows = [TEXT, JSON_LINE, 'started, and listening', '{"level":"info","msg":"ready"}'].map(row);
    const { records, lines } = readLog(`${[header, ...rows].join('\n')}\n`);
    expect(lines).toMatchObject({ physical: 5, directive: 1, records: 2, other: 2, malformed: 0 });
    const request = { method: 'GET', path: '/a', query: 'b=1', status: 200, client: '203.0.113.7' };
    expect(records[0]).toMatchObject({ ...request, time: AT, agent: 'Mozilla/5.0 (X11, like Gecko)' });
    // The time of the row stands in for the one that the line lacks.
    expect(records[1]).toMatchObject({ ...request, time: name === 'one column' ? 'none' : AT });
  });

  it('is read with the format named', () => {
    const [header, row] = EXPORTS['Splunk'] as (typeof EXPORTS)[string];
    expect(readLog(`${header}\n${row(TEXT)}\n`, { format: 'csv' }).lines).toMatchObject({ directive: 1, records: 1 });
  });

  it('may go on in further lines', () => {
    const log = [
      '"_time","_raw","host"',
      `"${ISO}","Exception, at`,
      '  com.example ""Main"", line 5',
      '  the end","web01"',
      `"${ISO}","${TEXT.replaceAll('"', '""')}`,
      '","web01"',
      `"${ISO}","cut off`,
      `"${ISO}",${quote(TEXT)},"web01"`,
    ];
    const { lines } = readLog(log.join('\n'));
    expect(lines).toMatchObject({ physical: 8, directive: 1, records: 2, other: 5, malformed: 0 });
    expect(sumOfParts(lines)).toBe(8);
  });

  it('is not taken for an answer without a request when the header is missing', () => {
    const { lines, reasons } = readLog(`${quote(TEXT)},"${ISO}"\n`);
    expect(lines).toMatchObject({ withoutRequest: 0, malformed: 1 });
    expect(Object.keys(reasons)).toEqual(['a row of a CSV export without its header line']);
  });

  it('is not looked for below the words of a message', () => {
    for (const message of ['error, message', 'order placed, event', 'message', 'line; event']) {
      expect(readLog(`${message}\n${TEXT}\n`).lines, message).toMatchObject({ records: 1, malformed: 1 });
    }
  });
});

describe('the bytes of a line that journald has put into numbers', () => {
  const bytes = (text: string): string =>
    JSON.stringify({
      __REALTIME_TIMESTAMP: '1741597204000000',
      MESSAGE: [...Buffer.from(text, 'latin1')],
      PRIORITY: '6',
    });

  it('are read', () => {
    const odd = TEXT.replace('/a?', '/caf\xe9?');
    const coloured = `\x1b[32m${TEXT.replace('/a?', '\x1b[1m/a\x1b[0m?')}\x1b[0m`;
    const log = [odd, coloured, JSON_LINE.replace('/a?', '/ä?'), '\x1b[32mstarted\x1b[0m'].map(bytes);
    const { records, lines } = readLog(log.join('\n'));
    expect(lines).toMatchObject({ physical: 4, records: 3, other: 1 });
    expect(records.map(({ path, client }) => [path, client])).toEqual(
      ['/caf\xe9', '/a', '/\ufffd'].map((path) => [
        Buffer.from(path, path === '/\ufffd' ? 'utf8' : 'latin1').toString('latin1'),
        '203.0.113.7',
      ]),
    );
  });

  it('are no bytes when they are other numbers', () => {
    for (const MESSAGE of [[], [1, 2.5], [300], ['a'], null]) {
      expect(readLog(JSON.stringify({ MESSAGE })).lines).toMatchObject({ other: 1 });
    }
  });
});
