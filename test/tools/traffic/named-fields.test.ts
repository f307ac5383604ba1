/** Logs whose fields have names: JSON of clouds and shippers (with requests inside an envelope) and key=value pairs. */
import { describe, expect, it } from 'vitest';
import { countsAndEvents, readLog } from './helpers.ts';

const AT = '2024-03-04T10:00:00.250Z';
const MS = Date.parse(AT);
const CLF = '04/Mar/2024:10:00:00 +0000';
const TEXT = `203.0.113.9 - - [${CLF}] "GET /v1/items/7?page=2 HTTP/1.1" 404 12 "-" "ua/1" 0.019`;
const PLAIN = { method: 'GET', path: '/v1/items/7', query: 'page=2', status: 404, client: '203.0.113.9', duration: 19 };
const URI = '/v1/items/7?page=2';

const SERVERS: Record<string, object> = {
  'AWS API Gateway': {
    requestId: 'x',
    ip: '203.0.113.9',
    requestTime: CLF,
    httpMethod: 'GET',
    path: URI,
    status: '404',
    responseLatency: '19',
  },
  Cloudflare: {
    ClientIP: '203.0.113.9',
    ClientRequestMethod: 'GET',
    ClientRequestURI: URI,
    EdgeStartTimestamp: MS * 1e6,
    EdgeResponseStatus: 404,
  },
  'Azure front door': {
    time: AT,
    category: 'FrontDoorAccessLog',
    properties: {
      httpMethod: 'GET',
      requestUri: `https://h.example:443${URI}`,
      clientIp: '203.0.113.9',
      httpStatusCode: '404',
      timeTaken: '0.019',
    },
  },
  'Azure app service': {
    time: AT,
    properties: {
      CsMethod: 'GET',
      CsUriStem: '/v1/items/7',
      CsUriQuery: 'page=2',
      CIp: '203.0.113.9',
      ScStatus: 404,
      TimeTaken: 19,
    },
  },
  Datadog: {
    timestamp: AT,
    status: 'info',
    http: { method: 'GET', url: URI, status_code: 404 },
    network: { client: { ip: '203.0.113.9' } },
    duration_ms: 19,
  },
  'names in snake case': {
    time: AT,
    http_method: 'GET',
    request_uri: URI,
    status_code: 404,
    remote_ip: '203.0.113.9',
    duration_ms: 19,
  },
};

const ENVELOPES: Record<string, (line: string) => object> = {
  'Docker json-file': (line) => ({ log: `${line}\n`, stream: 'stdout', time: AT }),
  Loki: (line) => ({ line, timestamp: AT, fields: {} }),
  journald: (line) => ({ __REALTIME_TIMESTAMP: String(MS * 1000), MESSAGE: line, PRIORITY: '6' }),
  'GCP with text': (line) => ({
    textPayload: line,
    timestamp: AT,
    severity: 'INFO',
    resource: { labels: { zone: 'a' } },
  }),
  CloudWatch: (line) => ({ timestamp: MS, message: line, ingestionTime: MS }),
  'a syslog line': (line) => ({
    message: line.startsWith('{') ? line : `<190>Mar  4 10:00:00 web01 nginx: ${line}`,
    host: 'a',
  }),
  Elasticsearch: (line) => ({ _index: 'a', _source: { message: line, '@timestamp': AT } }),
  'two deep': (line) => ({ '@timestamp': AT, kubernetes: { pod: { name: 'web' } }, event: { message: line } }),
};

describe('JSON lines', () => {
  it.each(Object.entries(SERVERS))('of %s are read by their own names', (_, object) => {
    const { records, lines } = readLog(JSON.stringify(object));
    expect(lines).toMatchObject({ records: 1 });
    const { duration, ...rest } = PLAIN;
    expect(records[0]).toMatchObject(rest);
    // Nanoseconds do not fit into a number: a millisecond may be cut off.
    const off = Date.parse(records[0]?.time ?? '') - ('requestTime' in object ? MS - 250 : MS);
    expect(off === 0 || (off === -1 && 'ClientIP' in object)).toBe(true);
    if (!('ClientIP' in object)) expect(records[0]?.duration).toBeCloseTo(duration, 9);
  });

  it.each(Object.entries(ENVELOPES))('of %s give the line that they carry', (_, envelope) => {
    const json = JSON.stringify({
      time: AT,
      method: 'GET',
      uri: URI,
      status: 404,
      client_ip: '203.0.113.9',
      duration_ms: 19,
    });
    for (const inner of [TEXT, json]) {
      const { records, lines } = readLog(JSON.stringify(envelope(inner)));
      expect(lines).toMatchObject({ records: 1 });
      expect(records[0]).toMatchObject({ ...PLAIN, time: inner === TEXT ? AT.replace('.250', '.000') : AT });
    }
  });

  it('give the time of their envelope to a request that has none', () => {
    const inner = { request: { method: 'GET', uri: '/a' }, status: 200 };
    const { records } = readLog(JSON.stringify({ timestamp: AT, jsonPayload: inner }));
    expect(records).toMatchObject([{ time: AT, path: '/a', status: 200 }]);
  });

  it('that are messages of an application stay what they are', () => {
    const messages = [
      { level: 'info', msg: 'configuration loaded', path: '/etc/app.toml', time: AT },
      { level: 'debug', msg: 'called', method: 'computeTotals', time: AT },
      {
        level: 50,
        err: { config: { method: 'post', url: 'http://payments/charge' }, code: 'ECONNABORTED' },
        msg: 'failed',
      },
      { message: { path: '/books', httpMethod: 'GET' }, level: 'INFO' },
      { outgoing: { method: 'GET', url: 'http://inv/items/1', status: 200 }, msg: 'asked' },
      { message: 'order placed', extra: { url: '/login', http_method: 'POST', ip: '203.0.113.9' } },
      { message: `blocked: ${TEXT}` },
      { Message: 'Request starting', State: { Method: 'GET', Path: '/books' } },
      { event: 'request_started', method: 'GET', path: '/books', ip: '203.0.113.9' },
      { logger: 'http.log.error', msg: 'x', status: 502, request: { method: 'GET', uri: '/books' }, duration: 0.1 },
      { level: 'error', message: 'no route', status: 'failed', context: { file: 'a.ts', line: 7 } },
      { log: 'listening on [::]:8080\n', stream: 'stderr', time: AT },
      { log: '{"level":"info","msg":"ready"}\n', stream: 'stdout', time: AT },
      { message: '{ not JSON', timestamp: AT },
    ];
    const { lines } = readLog(messages.map((one) => JSON.stringify(one)).join('\n'));
    expect(lines).toMatchObject({ physical: 14, other: 14, records: 0, malformed: 0 });
  });
});

describe('the line or record within an object', () => {
  it('counts whatever stands beside it', () => {
    for (const beside of [
      { status: 200 },
      { code: 100 },
      { meta: { code: 200 } },
      { labels: { status: '200', method: 'GET' } },
    ]) {
      const { records } = readLog(JSON.stringify({ ...beside, message: TEXT }));
      expect(records, JSON.stringify(beside)).toMatchObject([PLAIN]);
    }
    const state = { Method: 'GET', Path: '/v1/items/7', StatusCode: 404, ElapsedMilliseconds: 19 };
    expect(readLog(JSON.stringify({ Timestamp: AT, Message: 'Request finished', State: state })).records).toMatchObject(
      [{ status: 404, duration: 19 }],
    );
  });
});

describe('a request that an object has twice', () => {
  const attributes = {
    http: { method: 'GET', url: URI, status_code: 404, useragent: 'ua/1' },
    network: { client: { ip: '203.0.113.9' } },
    duration: 19_000_000,
  };
  const combined = TEXT.replace(/ 0\.019$/, '');
  const read = (object: object) => readLog(JSON.stringify(object)).records;

  it('is read from what says more of it, in whatever order', () => {
    const fine = { ...PLAIN, time: AT, agent: 'ua/1' };
    const rest = { service: 'nginx', status: 'info', host: 'web-1' };
    expect(read({ ...rest, date: AT, message: combined, attributes })).toMatchObject([fine]);
    expect(read({ ...rest, date: AT, attributes, message: combined })).toMatchObject([fine]);
    const event = { ...rest, timestamp: AT, message: combined, attributes };
    expect(read({ id: 'A', type: 'log', attributes: event })).toMatchObject([fine]);
    const nobody = { http: attributes.http, duration_ms: 7 };
    expect(read({ ...rest, date: AT, attributes: nobody, message: TEXT })).toMatchObject([PLAIN]);
  });

  it('is the first when the second tells of another answer', () => {
    const other = { ...attributes, http: { ...attributes.http, status_code: 200 } };
    expect(read({ date: AT, message: combined, attributes: other })).toMatchObject([{ status: 404 }]);
  });

  it('has its duration from the other part where the richer one has none', () => {
    const poor = { http: attributes.http, duration_ms: 7 };
    const whole = { client: '203.0.113.9', duration: 7, agent: 'ua/1' };
    expect(read({ date: AT, attributes: poor, message: combined })).toMatchObject([whole]);
    expect(read({ date: AT, message: combined, attributes: poor })).toMatchObject([whole]);
  });

  it('keeps no client of a part that is not taken', () => {
    const unanswered = { method: 'GET', url: URI, client_ip: '203.0.113.9' };
    const answered = { method: 'GET', url: URI, status: 404 };
    expect(read({ data: unanswered, record: answered })).toMatchObject([{ client: '', status: 404 }]);
  });
});

describe('a request without an answer', () => {
  it.each([
    ['pino', { req: { method: 'GET', url: '/a' }, res: { statusCode: null }, msg: 'request aborted' }],
    ['Caddy', { logger: 'http.log.access', msg: 'handled request', request: { method: 'GET', uri: '/a' }, status: 0 }],
    ['Envoy', { method: 'GET', path: '/a', response_code: 0, response_flags: 'DC' }],
    ['Traefik with few fields', { RequestMethod: 'GET', RequestPath: '/a', msg: '' }],
  ])('is a record with no status, of %s', (_, object) => {
    expect(readLog(JSON.stringify(object)).records).toMatchObject([{ path: '/a', status: 0 }]);
  });
});

describe('the time of named fields', () => {
  const timeOf = (line: string) => readLog(line).records[0]?.time;

  it('may stand in two fields, and a date alone is none', () => {
    const rest = { method: 'GET', uri: '/a', status: 200 };
    expect(timeOf(JSON.stringify({ date: '2024-03-04', time: '10:00:00', ...rest }))).toBe('2024-03-04T10:00:00.000Z');
    const both = { timestamp: AT, date: '2024-03-04', time: '11:00:00', ...rest };
    expect(timeOf(JSON.stringify(both))).toBe(AT);
    expect(timeOf(JSON.stringify({ date: AT, time: '10:00:00', ...rest }))).toBe(AT);
    expect(timeOf(JSON.stringify({ date: '2024-03-04', eventTime: 'x', ...rest }))).toBe('none');
  });

  it('may stand before key=value pairs with blanks in it', () => {
    for (const head of [
      '2024-03-04 10:00:00.250',
      '2024-03-04 10:00:00,250',
      '[2024-03-04 10:00:00.250]',
      '2024/03/04 10:00:00.250 x',
      '2024-03-04 12:00:00.250 +0200',
    ])
      expect(timeOf(`${head} method=GET path=/a status=200`), head).toBe(AT);
    expect(timeOf('2024-03-04 method=GET path=/a status=200')).toBe('none');
  });

  it('in a zone of its own name is not taken for UTC', () => {
    const at = (time: string) => timeOf(JSON.stringify({ time, method: 'GET', uri: '/a', status: 200 }));
    expect(at('2024-03-04 10:00:00 UTC')).toBe('2024-03-04T10:00:00.000Z');
    expect(at('2024-03-04 10:00:00 utc')).toBe('2024-03-04T10:00:00.000Z');
    expect(at('2024-03-04 10:00:00 EST')).toBe('none');
  });
});

describe('lines of key=value pairs', () => {
  const pairs: Record<string, string> = {
    'Heroku router': `2024-03-04T10:00:00.250000+00:00 heroku[router]: at=info method=GET path="${URI}" host=h.example request_id=8601b555 fwd="203.0.113.9" dyno=web.1 connect=1ms service=19ms status=404 bytes=13 protocol=https`,
    'Rails lograge': `I, [2024-03-04T10:00:00.250000 #42]  INFO -- : method=GET path=${URI} format=json controller=Items action=show status=404 duration=19.00 view=9.1 remote_ip=203.0.113.9`,
    'a service in Go': `time=${AT} level=INFO msg="request done" method=GET path=${URI} status=404 duration=19ms remote_addr=203.0.113.9:4711`,
    'a level before': `${AT} INFO method=GET path=${URI} status=404 request_time=0.019 client_ip=203.0.113.9`,
  };

  it.each(Object.entries(pairs))('of %s are read', (_, line) => {
    const { records, lines } = readLog(line);
    expect(lines).toMatchObject({ records: 1 });
    expect(records[0]).toMatchObject({ ...PLAIN, time: AT });
  });

  it('quote what holds blanks and quotes', () => {
    const { records } = readLog(`ts=${AT} method=GET path="/a b" status=200 user_agent="x \\"y\\" z=1"`);
    expect(records).toMatchObject([{ path: '/a b', agent: 'x "y" z=1' }]);
  });

  it('say whether their time names a zone, wherever it stands', () => {
    const rest = 'method=GET path=/a status=200';
    const zoneless = (line: string) => {
      const counts = countsAndEvents(line, false) as { counts: { zoneless: number } };
      return counts.counts.zoneless;
    };
    expect(zoneless(`I, [2024-03-04T10:00:00.25 #42] ${rest}`)).toBe(1);
    expect(zoneless(`I, [2024-03-04T10:00:00.25 #42] ts=1709546400.25 ${rest}`)).toBe(0);
    expect(zoneless(`${AT} host ${rest}`)).toBe(0);
    expect(zoneless(`${AT} host time="2024-03-04 10:00:00" ${rest}`)).toBe(1);
  });

  it("leave the rest of a Heroku application's log alone", () => {
    const log = [
      '2024-03-04T10:00:00.250000+00:00 app[web.1]: Started GET "/books" for 203.0.113.9',
      '2024-03-04T10:00:00.250000+00:00 heroku[web.1]: source=web.1 dyno=heroku.1 sample#memory_total=21.2MB',
      pairs['Heroku router'],
      '2024-03-04T10:00:00.250000+00:00 heroku[web.1]: State changed from up to down',
    ];
    expect(readLog(log.join('\n')).lines).toMatchObject({ records: 1, other: 3, malformed: 0 });
    const inner = readLog(`2024-03-04T10:00:00.250000+00:00 app[web.1]: ${TEXT}`).records;
    expect(inner).toMatchObject([PLAIN]);
  });

  it('in the message of a log in another format are none of its records', () => {
    const message =
      '2024-03-04 10:00:00.1 INFO PaymentClient - call done method=POST path=/charge status=200 duration=12ms';
    expect(readLog(`${TEXT}\n${message}\n${TEXT}`).lines).toMatchObject({ records: 2, other: 1 });
  });

  it('that are messages of an application are told from lines that cannot be read', () => {
    const { lines } = readLog(`time=${AT} level=INFO msg=ready port=80\nfoo=1 bar=2 baz=3\nfoo=1 a b\n`);
    expect(lines).toMatchObject({ physical: 3, other: 1, malformed: 2 });
  });
});
