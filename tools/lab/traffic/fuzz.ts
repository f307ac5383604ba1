/** Mutated log lines: whatever comes, the reader must not stop, the parts must add up, memory must stay bounded. */
import type { Random } from '../../../lib/model/random.ts';
import { giveBack, takeKernel } from '../../traffic/kernel/kernel.ts';
import type { LineCounts } from '../../traffic/pass/accounting.ts';
import { lineParser } from '../../traffic/pass/line-parser.ts';
import { droppedTable } from '../../traffic/pass/noise.ts';
import { routeTable } from '../../traffic/templates/route-table.ts';

/** A good line of each format; headers come first. */
export const SEEDS: Readonly<Record<string, readonly string[]>> = {
  ncsa: [
    '192.0.2.1 - frank [04/Mar/2024:10:00:00 +0000] "GET /a/b?c=1 HTTP/1.1" 200 2326 "https://x.example/" "Mozilla/5.0 (X11) A/1"',
    '2001:db8::1 - - [04/Mar/2024:10:00:01 -0130] "POST /caf\\xc3\\xa9 HTTP/1.1" 201 - "-" "a\\"b"',
    '<190>Mar  4 10:00:02 web01 nginx[12]: 192.0.2.4 - - [04/Mar/2024:10:00:02 +0000] "GET /i HTTP/1.1" 200 7 "-" "ua" 573 0.019 [shop-80] [] - 12ms',
    'web_1  | host.example - - [04/Mar/2024 10:00:03] "GET /c HTTP/1.1" 200 -',
  ],
  w3c: [
    '#Fields: date time cs-method cs-uri-stem cs-uri-query sc-status time-taken c-ip cs(User-Agent)',
    '2024-03-04 10:00:00.123 GET /a q=1 200 12 192.0.2.1 Mozilla/5.0+(X11)',
    '#Date: 2024-03-05 00:00:00',
  ],
  json: [
    '{"ts":1709546400.25,"request":{"remote_ip":"192.0.2.1","method":"GET","uri":"/f?g=1","headers":{"User-Agent":["ua"]}},"duration":0.01,"status":200}',
    '{"time":"2024-03-04T10:00:00Z","method":"PUT","path":"/x","status":"204","latency":"1.5ms"}',
    '{"log":"192.0.2.5 - - [04/Mar/2024:10:00:02 +0000] \\"GET /d HTTP/1.1\\" 200 1 \\"-\\" \\"ua\\"\\n","stream":"stdout","time":"2024-03-04T10:00:02Z"}',
    '{"level":30,"time":1709546400000,"pid":1,"hostname":"h","reqId":"req-1","req":{"method":"GET","url":"/k?l=1","remoteAddress":"192.0.2.6"},"msg":"incoming request"}',
    '{"level":30,"time":1709546400009,"pid":1,"hostname":"h","reqId":"req-1","res":{"statusCode":200},"responseTime":9.1,"msg":"request completed"}',
    '{"time":"2024-03-04T10:00:02Z","properties":{"httpMethod":"GET","requestUri":"https://h.example/e","clientIp":"192.0.2.6","httpStatusCode":"200","timeTaken":"0.019"}}',
  ],
  logfmt: [
    '2024-03-04T10:00:00.25+00:00 heroku[router]: at=info method=GET path="/h?y=1" host=h.example fwd="192.0.2.7" connect=1ms service=19ms status=200 bytes=13',
    'time=2024-03-04T10:00:01Z level=INFO msg="done \\"x\\"" method=POST path=/o status=201 duration=3ms remote_addr=192.0.2.8:4711',
  ],
  console: [
    'INFO:     192.0.2.7:50000 - "GET /m?n=1 HTTP/1.1" 200 OK',
    '[2024-03-04 10:00:00 +0000] [12] [INFO] 192.0.2.7:50000 - "GET /m HTTP/1.1" 404',
    '[04/Mar/2024 10:00:00] "POST /m/ HTTP/1.1" 201 12',
  ],
  alb: [
    'h2 2024-03-04T10:00:00.000000Z app/x/1 192.0.2.7:50 198.51.100.1:80 0.001 0.002 0.000 200 200 1 2 "GET https://e.com:443/c?z=1 HTTP/2.0" "ua" - - - "Root=1"',
  ],
  cloudfront: [
    '#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type time-taken',
    '2024-03-04\t10:00:00\tFRA2-C1\t1045\t192.0.2.9\tGET\td1.example\t/img/a.png\t200\t-\tMozilla/5.0%20(X11)\tq=1\t-\tHit\t0.001',
  ],
  pattern: ['192.0.2.3 [04/Mar/2024:10:00:00 +0000] "GET /p/1?q=2 HTTP/1.1" 200 0.012'],
  csv: ['timestamp,method,path,status,client_ip', '2024-03-04T10:00:00Z,GET,"/a,b",200,192.0.2.8'],
};

/** One to three random changes: cut, doubled part, swapped bytes, wrong quotes, NULs, other bytes, another format's line. */
export function mutate(line: Buffer, random: Random, others: readonly Buffer[]): Buffer {
  let bytes = Buffer.from(line);
  const at = (): number => Math.floor(random() * (bytes.length + 1));
  for (let n = 1 + Math.floor(random() * 3); n > 0; n--) {
    const i = at();
    const k = at();
    const [from, to] = [Math.min(i, k), Math.max(i, k)];
    switch (Math.floor(random() * 9)) {
      case 0:
        bytes = bytes.subarray(0, i);
        break;
      case 1:
        bytes = bytes.subarray(i);
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
        break;
      case 3:
        if (bytes.length > 1)
          [bytes[from % bytes.length], bytes[to % bytes.length]] = [
            bytes[to % bytes.length] ?? 0,
            bytes[from % bytes.length] ?? 0,
          ];
        break;
      case 4:
        bytes = Buffer.concat([
          bytes.subarray(0, i),
          Buffer.from('"\\\'[]{} ,\t'[Math.floor(random() * 10)] ?? '"'),
          bytes.subarray(i),
        ]);
        break;
      case 5:
        bytes = Buffer.concat([bytes.subarray(0, i), Buffer.alloc(1 + Math.floor(random() * 20)), bytes.subarray(i)]);
        break;
      case 6:
        if (bytes.length > 0) bytes[from % bytes.length] = Math.floor(random() * 256);
        break;
      case 7:
        bytes = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
        break;
      default:
        bytes = Buffer.from(others[Math.floor(random() * others.length)] ?? bytes);
    }
  }
  return bytes;
}

/** Formats that are not found from the content. */
const GIVEN: Readonly<Record<string, string>> = {
  pattern: '$remote_addr [$time_local] "$request" $status $request_time',
};

export interface FuzzResult {
  readonly format: string;
  readonly lines: LineCounts;
  /** Lines fed in, counted by their newlines. */
  readonly fed: number;
  readonly adds: boolean;
  readonly longest: number;
  readonly megabytes: number;
}

/** Feeds `n` mutated lines of a format, now and then one of a megabyte. */
export function fuzz(format: string, n: number, random: Random): FuzzResult {
  const seeds = (SEEDS[format] ?? []).map((line) => Buffer.from(line, 'latin1'));
  const others = Object.values(SEEDS)
    .flat()
    .map((line) => Buffer.from(line, 'latin1'));
  const kernel = takeKernel();
  const parser = lineParser({
    format: GIVEN[format] ?? 'auto',
    reader: {},
    routes: routeTable([], ['q']),
    dropped: droppedTable([], []),
    itemRoutes: new Set(),
    kernel,
  });
  let fed = 0;
  let longest = 0;
  const feed = (bytes: Buffer): void => {
    const ended = Buffer.concat([bytes, Buffer.from('\n')]);
    for (const byte of ended) if (byte === 10) fed++;
    longest = Math.max(longest, ended.length);
    parser.parse(ended, 0, ended.length);
    parser.events.lend();
  };
  for (const seed of seeds) feed(seed);
  for (let i = 0; i < n; i++) {
    const seed = seeds[Math.floor(random() * seeds.length)] as Buffer;
    // Most lines stay whole, so that the reader comes back to its format.
    if (random() < 0.3) feed(seed);
    else if (random() < 0.0002) feed(Buffer.concat([seed, Buffer.alloc(1 << 20, 65 + Math.floor(random() * 60))]));
    else feed(mutate(seed, random, others));
  }
  if (kernel !== undefined) giveBack(kernel);
  const { lines } = parser.counts;
  const parts = lines.blank + lines.directive + lines.other + lines.records + lines.withoutRequest + lines.malformed;
  return {
    format,
    lines,
    fed,
    adds: parts === lines.physical && lines.physical === fed,
    longest,
    megabytes: process.memoryUsage().rss / 1e6,
  };
}
