/** Durations of named fields and of patterns: the units that are known, guessed and left out, and texts that are read or not. */
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../tools/traffic/model/model.ts';
import { lineParser } from '../../../tools/traffic/pass/line-parser.ts';
import { routeTable } from '../../../tools/traffic/templates/route-table.ts';
import { analyse, readLog } from './helpers.ts';

/** How the units of a log's durations are known; several kinds with a blank between them. */
function unitOf(log: string, format = 'auto'): string {
  const parser = lineParser({
    format,
    reader: {},
    routes: routeTable([], []),
    dropped: new Uint8Array(100),
    itemRoutes: new Set(),
  });
  const bytes = Buffer.from(`${log}\n`);
  parser.parse(bytes, 0, bytes.length);
  const { unitsGuessed, unitsGuessedMs, unitsOpen, durationsUnread } = parser.counts;
  const kinds = { guessed: unitsGuessed, 'guessed ms': unitsGuessedMs, open: unitsOpen, unread: durationsUnread };
  const found = Object.entries(kinds).filter(([, n]) => n > 0);
  return found.length === 0 ? 'sure' : found.map(([kind]) => kind).join(' ');
}

/** Durations of a log of lines. */
const durations = (log: string, format = 'auto') =>
  readLog(Buffer.from(log), { format }).records.map(({ duration }) => duration);

describe('a comma in a duration', () => {
  const table = (delimiter: string, values: readonly string[]) =>
    [
      ['timestamp', 'client_ip', 'method', 'path', 'status', 'duration_ms'],
      ...values.map((value) => ['2025-03-10T09:00:04Z', '203.0.113.7', 'GET', '/a', '200', value]),
    ]
      .map((cells) => cells.join(delimiter))
      .join('\n');

  it('marks the decimals where semicolons stand between the columns', () => {
    const log = table(';', ['12,345', '98,765', '1492,341', '0,5', '1.492,341', '7', '2.5']);
    expect(durations(log)).toEqual([12.345, 98.765, 1492.341, 0.5, 1492.341, 7, 2.5]);
    expect(unitOf(log)).toBe('sure');
  });

  it('is open elsewhere, so that none of its column is read, and that is said', async () => {
    for (const log of [
      table('\t', ['12,345', '0,019', '1492,341', '1,200 ms']),
      table(',', ['"12,345"', '"0,019"', '"1492,341"']),
      ...['12,345', '0,019', '1492,3', '0,5s'].flatMap((text) => [
        JSON.stringify({ time: 1741597204, method: 'GET', uri: '/a', status: 200, latency: text }),
        JSON.stringify({ time: 1741597204, method: 'GET', uri: '/a', status: 200, duration_ms: text }),
      ]),
    ]) {
      expect(new Set(durations(log)), log).toEqual(new Set([Number.NaN]));
      expect(unitOf(log), log).toBe('unread');
    }
    const facts = await analyse({ 'a.tsv': `${table('\t', ['12,345', '98,765'])}\n` });
    expect(buildModel(facts, { replicates: 5 }).remarks.join()).toMatch(
      /^2 durations cannot be read for sure and were left out/,
    );
  });
});

describe('a duration in named fields', () => {
  const request = { time: '2024-03-04T10:00:00.250Z', method: 'GET', uri: '/a', status: 200 };
  const counted = (fields: object) => {
    const line = JSON.stringify({ ...request, ...fields });
    return [durations(line)[0], unitOf(line)];
  };

  it.each([
    ['Envoy', { duration: 1200, response_flags: '-', upstream_cluster: 'a' }, 1200],
    ['Traefik with few fields', { Duration: 1_200_000_000, OriginStatus: 200 }, 1200],
    ['Datadog', { duration: 1_200_000_000, http: { status_code: 200 }, network: { client: { ip: '::1' } } }, 1200],
    ['nginx in whole seconds', { request_time: 60, body_bytes_sent: 1 }, 60_000],
    ['Azure in ms', { timeTaken: '1200.038' }, 1200.038],
    ['Echo', { latency: 1_200_000_000, latency_human: '1.2s' }, 1200],
    ['pino', { responseTime: 12.5, req: { method: 'GET' } }, 12.5],
    ['nginx', { request_time: '1.200' }, 1200],
    ['two names', { response_time: 1.2, response_time_ms: 1200 }, 1200],
    ['a unit in the text', { latency: '1.2ms' }, 1.2],
    ['nothing', { duration: 0 }, 0],
  ])('of %s has a unit that is known', (_, fields, ms) => {
    const [duration, unit] = counted(fields);
    expect(duration).toBeCloseTo(ms, 9);
    expect(unit).toBe('sure');
  });

  it('whose unit only its places tell is taken as seconds, and that is said', () => {
    const opentelemetry = { 'http.status_code': 200, duration: 1.25 };
    for (const fields of [
      opentelemetry,
      { duration: 1.25, upstream_host: 'a' },
      { duration: 1.25 },
      { response_time: '1.250' },
      { elapsed: 1.25 },
    ])
      expect(counted(fields)).toEqual([1250, 'guessed']);
  });

  it('that is a whole number of anything is left out, and that is said', () => {
    for (const fields of [
      { duration: 1200 },
      { latency: 1200 },
      { requestTime: 1200 },
      { elapsed: '1200' },
      { time_taken: 1_200_038 },
    ])
      expect(counted(fields)).toEqual([Number.NaN, 'open']);
    const given = readLog(JSON.stringify({ ...request, duration: 1200 }), { reader: { durationUnit: 'us' } });
    expect(given.records[0]?.duration).toBeCloseTo(1.2, 9);
  });

  const caddy = { logger: 'http.log.access', msg: 'handled request', request: { method: 'GET', uri: '/a' } };
  const elk = { '@timestamp': '2025-03-10T09:00:04Z', clientip: '203.0.113.7', upstreamtime: '0.120', http_host: 'h' };

  it.each([
    ['Caddy in seconds', { ...caddy, duration: 0.012 }, 12, 'sure'],
    ['Caddy in ns', { ...caddy, duration: 12_345_678 }, 12.345678, 'sure'],
    ['Caddy in ms or ns', { ...caddy, duration: 12 }, Number.NaN, 'open'],
    ['Caddy, none', { ...caddy, duration: 0 }, 0, 'sure'],
    ['nginx as a number', { ...elk, responsetime: 0.126 }, 126, 'sure'],
    ['nginx as a whole number', { ...elk, responsetime: 2 }, 2000, 'sure'],
    ['nginx as text', { ...elk, responsetime: '0.126' }, 126, 'sure'],
    ['no nginx, by its places', { ...elk, responsetime: 0.1264 }, Number.NaN, 'open'],
    ['no nginx, by its size', { ...elk, responsetime: 126.4 }, Number.NaN, 'open'],
    ['Fastify', { reqId: 'a', res: { statusCode: 200 }, responseTime: 126 }, 126, 'sure'],
    ['any Node logger', { responseTime: 12.5 }, 12.5, 'guessed ms'],
    ['a whole number', { response_time: 126_000 }, Number.NaN, 'open'],
    ['a whole number as text', { response_time: '126000' }, Number.NaN, 'open'],
    ['a whole request time', { request_time: 126 }, Number.NaN, 'open'],
    ['places of no front door', { time_taken: '12.5' }, 12_500, 'guessed'],
    ['a sure name after an open one', { duration: 1200, 'event.duration': 1_200_000 }, 1.2, 'sure'],
  ])('of %s is decided by what stands beside it', (_, fields, ms, unit) => {
    const [duration, known] = counted(fields);
    if (Number.isNaN(ms)) expect(duration).toBeNaN();
    else expect(duration).toBeCloseTo(ms, 9);
    expect(known).toBe(unit);
  });

  it.each([
    ['1m2.5s', 62_500],
    ['1h0m3s', 3_603_000],
    ['1h2m3.5s', 3_723_500],
    ['2m', 120_000],
    ['850µs', 0.85],
    ['850μs', 0.85],
    ['1.5ms', 1.5],
    ['126ns', 0.000126],
    ['0s', 0],
    ['12 msec', 12],
    ['PT1M2.5S', 62_500],
  ])('written as %s is read', (text, ms) => {
    expect(counted({ duration: text })).toEqual([expect.closeTo(ms, 9), 'sure']);
    const pairs = `time=2025-03-10T09:00:04Z level=info method=GET path=/a status=200 duration="${text}"`;
    expect(durations(pairs)).toEqual([expect.closeTo(ms, 9)]);
  });

  it('that is a number in no known form is left out, and that is said', () => {
    for (const text of ['12 parsecs', '1.2.3', '00:00:01.25', "1'200"]) {
      expect(counted({ latency: text }), text).toEqual([Number.NaN, 'unread']);
    }
    for (const text of ['fast', '-', '', '203.0.113.7:80', 'shop-api']) {
      expect(counted({ service: text }), text).toEqual([Number.NaN, 'sure']);
    }
  });

  it.each(['latency_s', 'request_time_sec', 'duration (s)', 'elapsed[s]', 'responseTimeSeconds', 'latency_in_seconds'])(
    'named %s is in seconds',
    (name) => {
      expect(counted({ [name]: 0.25 })).toEqual([250, 'sure']);
      expect(counted({ [name]: 2 })).toEqual([2000, 'sure']);
      expect(durations(`timestamp,method,path,status,${name}\n2025-03-10T09:00:04Z,GET,/a,200,0.25`)).toEqual([250]);
    },
  );

  it('named with other units is in these, and the finest counts', () => {
    expect(counted({ 'latency(ms)': 12 })).toEqual([12, 'sure']);
    expect(counted({ latency_millis: 12 })).toEqual([12, 'sure']);
    expect(counted({ durationMicros: 12_500 })).toEqual([12.5, 'sure']);
    expect(counted({ duration_s: 1, duration_ms: 1234 })).toEqual([1234, 'sure']);
    expect(counted({ duration_s: '12ms' })).toEqual([12, 'sure']);
    expect(counted({ services: 5, latency_min: 5 })).toEqual([Number.NaN, 'sure']);
  });
});

describe("W3C's time-taken", () => {
  const rows = (head: readonly string[], fields: string, values: readonly string[]) =>
    [...head, `#Fields: ${fields}`, ...values.map((value) => `2025-03-10 09:00:04 GET /a 200 ${value}`)].join('\n');
  const COMMON = 'date time cs-method cs-uri-stem sc-status time-taken';

  it.each([
    ['a whole number', ['#Version: 1.0'], ['12'], [12], 'sure'],
    ['a fraction', ['#Version: 1.0'], ['0.126', '1.5'], [126, 1500], 'guessed'],
    ["WebLogic's", ['#Version: 1.0', '#Software: WebLogic'], ['0.126', '2'], [126, 2000], 'sure'],
    ["IIS's", ['#Software: Microsoft Internet Information Services 10.0'], ['12', '0.5'], [12, 0.5], 'sure'],
    [
      "W3CLogger's",
      ['#Version: 1.0', '#Start-Date: 2025-03-10 09:00:00'],
      ['0.18', '59.9171'],
      [0.18, 59.9171],
      'sure',
    ],
    ["W3CLogger's by its places", ['#Version: 1.0'], ['59.9171', '0.18'], [59.9171, 0.18], 'sure'],
    ['a comma', ['#Version: 1.0'], ['12,345', '0,1'], [Number.NaN, Number.NaN], 'unread'],
  ])('%s has a unit that is known, or is said to be guessed', (_, head, values, ms, unit) => {
    const log = rows(head, COMMON, values);
    expect(durations(log)).toEqual(ms);
    expect(unitOf(log)).toBe(unit);
  });

  it('is what a remark in the header says', () => {
    const log = (unit: string) =>
      rows([`#Software: shop`, `#Remark: date and time: arrival, UTC; time-taken: ${unit}; blanks are +`], COMMON, [
        '1.25',
      ]);
    expect([durations(log('milliseconds')), unitOf(log('milliseconds'))]).toEqual([[1.25], 'sure']);
    expect([durations(log('seconds')), unitOf(log('seconds'))]).toEqual([[1250], 'sure']);
    expect(unitOf(log('as always'))).toBe('guessed');
  });

  it('with headers that were added to W3CLogger is known too', () => {
    const log = rows([], `${COMMON} cs(X-Forwarded-For)`, ['59.9171 -', '1.25 -']);
    expect(durations(log)).toEqual([59.9171, 1.25]);
  });

  it('with four places among columns of another server is guessed', () => {
    const log = rows([], 'date time cs-method cs-uri-stem x-code time-taken', ['59.9171']);
    expect(unitOf(log)).toBe('guessed');
  });
});

describe('the duration of a pattern', () => {
  const apache = (end: string) => `203.0.113.7 - - [10/Mar/2025:09:00:04 +0000] "GET /a HTTP/1.1" 200 12 ${end}`;
  const format = (end: string) => `%h %l %u %t "%r" %>s %b ${end}`;

  it('is the finest, in whatever order', () => {
    expect(durations(apache('126000/0'), format('%D/%T'))).toEqual([126]);
    expect(durations(apache('0/126000'), format('%T/%D'))).toEqual([126]);
    expect(durations(apache('1/1260'), format('%T/%{ms}T'))).toEqual([1260]);
    expect(durations(apache('-/1'), format('%D/%T'))).toEqual([1000]);
  });

  it('may name its unit, and is said to be left out when it cannot be read', () => {
    const nginx = '$remote_addr [$time_iso8601] "$request" $status $request_time';
    const line = (text: string) => `203.0.113.7 [2025-03-10T09:00:04Z] "GET /a HTTP/1.1" 200 ${text}`;
    const texts = { '12.5ms': 12.5, '1.2s': 1200, '850µs': 0.85, '1m2.5s': 62_500, '0.126': 126, '-': Number.NaN };
    for (const [text, ms] of Object.entries(texts)) {
      expect(durations(line(text), nginx), text).toEqual([Number.isNaN(ms) ? ms : expect.closeTo(ms, 9)]);
      expect(unitOf(line(text), nginx), text).toBe('sure');
    }
    for (const text of ['12,345', '0,126', 'fast', '1.2.3']) {
      expect(durations(line(text), nginx), text).toEqual([Number.NaN]);
      expect(unitOf(line(text), nginx), text).toBe('unread');
    }
  });
});
