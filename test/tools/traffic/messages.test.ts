/** Lines beside the access records, whatever stands in front of them, and records within an application's own line. */
import { describe, expect, it } from 'vitest';
import { readLog } from './helpers.ts';

const RECORD = '203.0.113.7 - - [10/Mar/2025:09:00:04 +0000] "GET /a HTTP/1.1" 200 5 "-" "ua"';

const PREFIXES = [
  '',
  '2025-03-10T09:00:04.2Z stderr F ',
  '2025-03-10T09:00:04.200000000+01:00 stdout F ',
  '2025-03-10T09:00:04.2Z ',
  'web-1  | ',
  'web_1 | ',
  '\x1b[36mweb-1  |\x1b[0m ',
  'web-1  | 2025-03-10T09:00:04.2Z ',
  '<187>Mar 10 09:00:04 web01 nginx: ',
  'Mar  1 09:00:04 web01 nginx[12]: ',
  '<187>1 2025-03-10T09:00:04Z web01 nginx 12 - - ',
  '2025-03-10T09:00:04+01:00 web01 nginx[12]: ',
];

describe('messages', () => {
  it.each([
    '2025/03/10 09:00:04 [error] 31#31: *1 connect() failed (111: Connection refused), request: "GET / HTTP/1.1"',
    '[Mon Mar 10 09:00:04.123456 2025] [core:error] [pid 12] AH00126: Invalid URI in request GET',
    '2025-03-10 09:00:04,123 ERROR in app: no such book',
    '[Mon Mar 10 09:00:04 2025] [error] x',
    'INFO started',
    'INFO started port=80 host=h',
  ])('are none of the records behind any prefix: %s', (message) => {
    for (const prefix of PREFIXES) {
      for (const before of ['', `${prefix}${RECORD}\n`]) {
        const { lines } = readLog(`${before}${prefix}${message}\n`);
        expect(lines, prefix).toMatchObject({ other: 1, records: before === '' ? 0 : 1, malformed: 0 });
      }
    }
  });
});

describe('a request in named fields behind a prefix', () => {
  it.each(['INFO done method=GET path=/a status=200', 'INFO done {"method":"GET","path":"/a","status":200}'])(
    'is a record behind a level too: %s',
    (line) => {
      for (const prefix of PREFIXES.filter((one) => !/^$|Z $/.test(one))) {
        expect(readLog(`${prefix}${line}\n`).lines, prefix).toMatchObject({ records: 1 });
      }
    },
  );
});

describe('a levelled line that ends in a record', () => {
  it.each([
    '2025-03-10 09:00:04,123 INFO access ',
    '2025-03-10 09:00:04,123 - access - INFO - ',
    '2025-03-10 09:00:04,123 [INFO] ',
    '2025-03-10T09:00:04.123Z info: ',
    '2025-03-10T09:00:04.123Z [info]: ',
    '2025-03-10 09:00:04.123  INFO 1 --- [nio-8080-exec-1] access : ',
    '2025-03-10 09:00:04 [http-nio-8080-exec-1] INFO  access - ',
    'INFO:werkzeug:',
    'web-1  | 2025-03-10 09:00:04,123 INFO access ',
  ])('is read alike whatever came before: %s', (head) => {
    for (const before of ['', `${RECORD}\n`, '{"level":"info","msg":"x"}\n']) {
      const { records, lines } = readLog(`${before}${head}${RECORD}\n`);
      expect(lines, before).toMatchObject({ malformed: 0, records: before === `${RECORD}\n` ? 2 : 1 });
      expect(records.at(-1)).toMatchObject({ client: '203.0.113.7', path: '/a', status: 200, user: '' });
    }
    const envelope = readLog(JSON.stringify({ message: `${head}${RECORD}` }));
    expect(envelope.records, 'in an envelope').toMatchObject([{ client: '203.0.113.7', path: '/a' }]);
  });

  it('is a message where the record is not whole', () => {
    for (const rest of [RECORD.slice(0, 60), RECORD.replace(/ - - .*\]/, ''), 'asked "GET /a HTTP/1.1" 200']) {
      expect(readLog(`2025-03-10 09:00:04,123 INFO access ${rest}\n`).lines, rest).toMatchObject({ other: 1 });
    }
  });
});
