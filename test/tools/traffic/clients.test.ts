/** Who asked: behind proxies, behind the words of shippers and platforms, and in several notations of one address. */
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../tools/traffic/model/model.ts';
import { isPublic } from '../../../tools/traffic/readers/forwarded.ts';
import { analyse, countsAndEvents, readLog } from './helpers.ts';

const REQUEST = '[04/Mar/2024:10:00:00 +0000] "GET /a HTTP/1.1" 200 5';
const clientsOf = (log: string, clientField?: string): string[] =>
  readLog(log, clientField === undefined ? {} : { reader: { clientField } }).records.map(({ client }) => client);

describe('an address that a proxy has passed on', () => {
  const main = (peer: string, forwarded: string, between = ''): string =>
    `${peer} - - ${REQUEST} "-" "ua" ${between}"${forwarded}"`;

  it('is the client when the peer is no public address, in nginx’s own main format and those like it', () => {
    expect(clientsOf(main('10.0.0.4', '203.0.113.7'))).toEqual(['203.0.113.7']);
    expect(clientsOf(main('192.168.1.1', '203.0.113.7, 10.0.0.9'))).toEqual(['203.0.113.7']);
    expect(clientsOf(main('172.31.0.1', 'unknown, 2001:db8::9'))).toEqual(['2001:db8::9']);
    expect(clientsOf(main('fd00::1', '203.0.113.7', '0.012 '))).toEqual(['203.0.113.7']);
    expect(clientsOf(main('balancer.internal', '203.0.113.7'))).toEqual(['203.0.113.7']);
    expect(clientsOf(main('10.0.0.4', '-'))).toEqual(['10.0.0.4']);
  });

  it('is not taken for what else is quoted there', () => {
    for (const other of ['10.0.0.7:8080', 'HIT', 'shop.example', '', '10.0.0.7:80, 10.0.0.8:80', '1.5']) {
      expect(clientsOf(main('10.0.0.4', other)), other).toEqual(['10.0.0.4']);
    }
  });

  it('leaves a public peer the client, unless it is asked for', () => {
    const log = main('198.51.100.1', '203.0.113.7');
    expect(clientsOf(log)).toEqual(['198.51.100.1']);
    for (const name of ['forwarded', 'http_x_forwarded_for', 'X-Forwarded-For'])
      expect(clientsOf(log, name)).toEqual(['203.0.113.7']);
  });

  it('is found in JSON, logfmt and W3C too', () => {
    const json = (more: object): string =>
      JSON.stringify({ time: '2024-03-04T10:00:00Z', method: 'GET', url: '/a', status: 200, ...more });
    const forwarded = '203.0.113.7, 10.0.0.2';
    expect(clientsOf(json({ remote_addr: '10.0.0.4', http_x_forwarded_for: forwarded }))).toEqual(['203.0.113.7']);
    expect(clientsOf(json({ remote_ip: '10.0.0.4', 'x-real-ip': '203.0.113.8' }))).toEqual(['203.0.113.8']);
    const pino = { req: { method: 'GET', url: '/a', remoteAddress: '::1', headers: { 'x-forwarded-for': forwarded } } };
    expect(clientsOf(JSON.stringify({ time: 1709546400000, res: { statusCode: 200 }, ...pino }))).toEqual([
      '203.0.113.7',
    ]);
    expect(
      clientsOf(`time=2024-03-04T10:00:00Z method=GET path=/a status=200 ip=10.0.0.4 x_forwarded_for="${forwarded}"`),
    ).toEqual(['203.0.113.7']);
    const w3c =
      '#Fields: date time cs-method cs-uri-stem sc-status c-ip X-Forwarded-For\n2024-03-04 10:00:00 GET /a 200 10.0.0.4 203.0.113.7';
    expect(clientsOf(w3c)).toEqual(['203.0.113.7']);
    expect(clientsOf(w3c.replace('10.0.0.4', '198.51.100.1'))).toEqual(['198.51.100.1']);
    expect(clientsOf(w3c.replace('10.0.0.4', '198.51.100.1'), 'forwarded')).toEqual(['203.0.113.7']);
    expect(clientsOf(w3c, 'c-ip')).toEqual(['10.0.0.4']);
  });

  it('comes from Cloud Foundry’s router with its own name', () => {
    const tail =
      '"-" "ua" "10.0.4.2:5" "10.0.16.5:6" x_forwarded_for:"203.0.113.7, 10.0.4.2" x_forwarded_proto:"https" response_time:0.098123 app_id:"x"';
    const line = `shop.example.com - [2024-03-04T10:00:00.001Z] "GET /a HTTP/1.1" 200 0 512 ${tail}`;
    for (const log of [line, `   2024-03-04T10:00:00.10+0000 [RTR/1] OUT ${line}`]) {
      const [record] = readLog(log).records;
      expect(record).toMatchObject({ client: '203.0.113.7', status: 200, duration: expect.closeTo(98.123, 6) });
    }
  });

  it('is told in the remarks, whichever of the two was taken', async () => {
    const log = (peer: string): string =>
      Array.from({ length: 40 }, (_, i) =>
        main(peer, `203.0.113.${i % 9}`).replace('10:00:00', `10:00:${i + 10}`),
      ).join('\n');
    const taken = buildModel(await analyse({ 'a.log': log('10.0.0.4') }), { replicates: 5 });
    expect(taken.clients).toMatchObject({ count: 9 });
    expect(taken.remarks.join()).toContain('40 of 40 records count for the client whose address a proxy has passed on');
    const left = buildModel(await analyse({ 'a.log': log('198.51.100.1') }), { replicates: 5 });
    expect(left.clients).toMatchObject({ count: 1 });
    expect(left.remarks.join()).toContain('--client-field forwarded');
  });
});

describe('public addresses', () => {
  it('are those outside the private networks', () => {
    const of = (text: string): boolean => isPublic(Buffer.from(text), 0, text.length);
    for (const one of ['8.8.8.8', '203.0.113.7:80', '172.32.0.1', '100.128.0.1', '2001:db8::1', '[2a00::1]:443'])
      expect(of(one), one).toBe(true);
    for (const one of ['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1', '127.0.0.1', '::1'])
      expect(of(one), one).toBe(false);
    for (const one of ['fd00::1', 'fe80::1', 'unix:', '-', '', 'host.example', '2024-03-04T10:00:00'])
      expect(of(one), one).toBe(false);
  });
});

describe('what stands before the client', () => {
  it('is no part of it', () => {
    const heads = [
      '7:',
      'access.log:7:',
      '     7\t',
      'web-6d4cf56db6-x8k2p nginx ',
      'web-1 › nginx ',
      '[pod/web-1/nginx] 2024-03-04T10:00:00.1Z ',
      '2024-03-04T10:00:00Z app[148e21] fra [info]',
      'INFO 2024-03-04 10:00:00,123 _internal 12 140 ',
      '"shop.example" ',
    ];
    for (const head of heads) {
      for (const client of ['203.0.113.7', '2001:db8::7'].slice(0, head.endsWith(':') ? 1 : 2)) {
        const line = Buffer.from(`${head}${client} - - ${REQUEST} "-" "ua"`).toString('latin1');
        expect(clientsOf(`203.0.113.1 - - ${REQUEST}\n${line}`)[1], head).toBe(client);
      }
    }
  });

  it('may be the client itself in quotes or parentheses, with the balancer behind it', () => {
    expect(clientsOf(`"203.0.113.7" 10.0.0.5 - - ${REQUEST}`)).toEqual(['203.0.113.7']);
    expect(clientsOf(`(203.0.113.7) 10.0.0.5 - - ${REQUEST}`)).toEqual(['203.0.113.7']);
    expect(clientsOf(`"203.0.113.7, 10.3.3.3" 10.0.0.5 - - ${REQUEST}`)).toEqual(['203.0.113.7']);
    expect(clientsOf(`"unknown, 203.0.113.7" 10.0.0.5 - - ${REQUEST}`)).toEqual(['203.0.113.7']);
    expect(clientsOf(`"-" 198.51.100.7 - - ${REQUEST}`)).toEqual(['198.51.100.7']);
  });

  it('does not make a user’s name the client', () => {
    expect(clientsOf(`203.0.113.7 - 10.0.0.1 x ${REQUEST}`)).toEqual(['203.0.113.7']);
    expect(clientsOf(`host.example - 10.0.0.1 x y ${REQUEST}`)).toEqual(['host.example']);
    expect(clientsOf(`shop.example host.example - 10.0.0.1 x y ${REQUEST}`)).toEqual(['host.example']);
  });
});

describe('one address in two notations', () => {
  it('is one client, with the kernel and without', async () => {
    const line = (client: string, second: number): string =>
      `${client} - - ${REQUEST.replace('10:00:00', `10:00:${second}`)} "-" "ua"`;
    const log = [line('203.0.113.7', 10), line('::ffff:203.0.113.7', 20), line('[::FFFF:203.0.113.7]:80', 30)].join(
      '\n',
    );
    expect(clientsOf(log)).toEqual(['203.0.113.7', '203.0.113.7', '203.0.113.7']);
    expect(countsAndEvents(log, true)).toEqual(countsAndEvents(log, false));
    const model = buildModel(await analyse({ 'a.log': log }), { replicates: 5 });
    expect(model.clients).toMatchObject({ count: 1 });
  });
});

describe('colours', () => {
  const ESC = '\x1b';
  it('of Werkzeug, uvicorn and Django do not hide answers', () => {
    const werkzeug = [
      '203.0.113.7 - - [04/Mar/2024 10:00:00] "GET /a HTTP/1.1" 200 -',
      `203.0.113.7 - - [04/Mar/2024 10:00:01] "${ESC}[33mGET /b HTTP/1.1${ESC}[0m" 404 -`,
      `203.0.113.7 - - [04/Mar/2024 10:00:02] "${ESC}[35m${ESC}[1mPOST /c HTTP/1.1${ESC}[0m" 500 -`,
    ].join('\n');
    const read = readLog(werkzeug);
    expect(read.records.map(({ method, path, status }) => [method, path, status])).toEqual([
      ['GET', '/a', 200],
      ['GET', '/b', 404],
      ['POST', '/c', 500],
    ]);
    const uvicorn = `${ESC}[32mINFO${ESC}[0m:     203.0.113.7:50000 - "${ESC}[1mGET /x HTTP/1.1${ESC}[0m" ${ESC}[32m200 OK${ESC}[0m`;
    expect(readLog(uvicorn).records).toMatchObject([{ client: '203.0.113.7', path: '/x', status: 200 }]);
    const django = `${ESC}[33m[04/Mar/2024 10:00:00] "GET /x HTTP/1.1" 404 2221${ESC}[0m\n${ESC}[33mNot Found: /x${ESC}[0m`;
    expect(readLog(django)).toMatchObject({
      records: [{ path: '/x', status: 404 }],
      lines: { other: 1, malformed: 0 },
    });
  });
});

describe('a balancer’s time that has not come to its end', () => {
  const line = (times: string, created: string): string =>
    `https 2024-03-04T10:01:00.000000Z app/shop/50 203.0.113.7:5000 10.0.1.5:8080 ${times} 504 - 300 200 "GET https://shop.example.com:443/a HTTP/2.0" "ua" T V arn "Root=1" "shop" "arn" 0 ${created} "forward" "-" "-"`;

  it('is counted from the request’s arrival, or not at all', () => {
    expect(readLog(line('0.001 -1 -1', '2024-03-04T10:00:00.000000Z')).records[0]?.duration).toBe(60_000);
    expect(readLog(line('-1 -1 -1', '-')).records[0]?.duration).toBeNaN();
    expect(readLog(line('0.001 0.120 0.002', '-')).records[0]?.duration).toBeCloseTo(123, 6);
  });
});

describe('parameters of a path', () => {
  it('are no part of what it names', () => {
    const paths = (target: string): string[] =>
      readLog(`203.0.113.7 - - [04/Mar/2024:10:00:00 +0000] "GET ${target} HTTP/1.1" 200 5`).records.map(
        ({ path, query }) => `${path}?${query}`,
      );
    expect(paths('/products;jsessionid=1A53')).toEqual(['/products?']);
    expect(paths('/products;jsessionid=1A53?q=1;2')).toEqual(['/products?q=1;2']);
    expect(paths('/;jsessionid=1A53')).toEqual(['/?']);
    expect(paths('/a;v=1/b;w=2;x')).toEqual(['/a;v=1/b?']);
  });
});
