/** The registry of log formats: what a new entry brings, and what is made from the entries. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatTable, withTables } from '../../../tools/lab/docs/tables.ts';
import { lineParser } from '../../../tools/traffic/pass/line-parser.ts';
import { droppedTable } from '../../../tools/traffic/pass/noise.ts';
import { setSpan } from '../../../tools/traffic/readers/bytes.ts';
import { dispatcher } from '../../../tools/traffic/readers/dispatch.ts';
import { LOG_FORMATS } from '../../../tools/traffic/readers/formats/registry.ts';
import { formatLines, formatNamed, formatNames, type LogFormat } from '../../../tools/traffic/readers/log-format.ts';
import {
  LINE,
  type LineReader,
  latin1,
  malformed,
  newRawRecord,
  resetRecord,
  textOf,
} from '../../../tools/traffic/readers/raw-record.ts';
import { routeTable } from '../../../tools/traffic/templates/route-table.ts';
import { ROOT } from '../../support/cli.ts';

/** `200 GET /a at 1709546400 from 192.0.2.1`, which no program writes. */
function madeUpReader(): LineReader {
  return {
    read(buf, start, end, out) {
      resetRecord(out, buf);
      const found = /^(\d{3}) ([A-Z]+) (\S+) at (\d+) from (\S+)$/.exec(latin1(buf, start, end));
      if (found === null) return malformed(out, 'no made-up line');
      const [, status = '', method = '', path = '', time, client = ''] = found;
      const methodAt = start + status.length + 1;
      const pathAt = methodAt + method.length + 1;
      out.status = Number(status);
      out.time = 1000 * Number(time);
      setSpan(out.method, methodAt, methodAt + method.length);
      setSpan(out.path, pathAt, pathAt + path.length);
      setSpan(out.client, end - client.length, end);
      return LINE.record;
    },
  };
}

const MADE_UP: LogFormat = {
  name: 'made-up',
  aliases: ['invented'],
  lines: 'made-up lines',
  writers: 'nobody',
  reader: madeUpReader,
};
const WITH_IT: readonly LogFormat[] = [...LOG_FORMATS, MADE_UP];

function parse(log: readonly string[], format: string, formats?: readonly LogFormat[]) {
  const requests: string[] = [];
  const parser = lineParser({
    format,
    formats,
    reader: {},
    routes: routeTable([], []),
    dropped: droppedTable([], []),
    itemRoutes: new Set(),
    onRecord: (raw, method) =>
      requests.push([raw.time, method, textOf(raw.buf, raw.path), raw.status, textOf(raw.buf, raw.client)].join(' ')),
  });
  const bytes = Buffer.from(`${log.join('\n')}\n`, 'latin1');
  parser.parse(bytes, 0, bytes.length);
  return { requests, counts: parser.counts };
}

const COMBINED = '192.0.2.9 - - [04/Mar/2024:10:00:01 +0000] "GET /b HTTP/1.1" 200 1 "-" "ua"';
const LOG = ['200 GET /a at 1709546400 from 192.0.2.1', COMBINED, '201 POST /c at 1709546402 from 192.0.2.1'];
const REQUESTS = [
  '1709546400000 GET /a 200 192.0.2.1',
  '1709546401000 GET /b 200 192.0.2.9',
  '1709546402000 POST /c 201 192.0.2.1',
];

describe('a format with an entry in the registry', () => {
  it('is found from the content, also among lines of other formats, and counted by its name', () => {
    const { requests, counts } = parse(LOG, 'auto', WITH_IT);
    expect(requests).toEqual(REQUESTS);
    expect(counts.formats).toEqual({ 'made-up': 2, ncsa: 1 });
    expect(counts.lines).toMatchObject({ physical: 3, records: 3, malformed: 0 });
  });

  it('is unknown without its entry: nothing is remembered beside the registry', () => {
    const { requests, counts } = parse(LOG, 'auto');
    expect(requests).toEqual([REQUESTS[1]]);
    expect(counts.formats).toEqual({ ncsa: 1 });
    expect(counts.lines.malformed).toBe(2);
  });

  it.each(['made-up', 'invented'])('is what --format %s means, which then reads nothing else', (name) => {
    const { requests, counts } = parse(LOG, name, WITH_IT);
    expect(requests).toEqual([REQUESTS[0], REQUESTS[2]]);
    expect(counts.reasons).toEqual({ 'no made-up line': 1 });
  });

  it('is offered in the help, the table and the refusal of a wrong name', () => {
    expect(formatNames(WITH_IT).at(-1)).toBe('made-up');
    expect(formatLines(WITH_IT)).toMatch(/, made-up lines$/);
    expect(formatTable(WITH_IT)).toMatch(
      /\n\| `made-up`, `invented` \| made-up lines \| each line by itself \| nobody \|$/,
    );
    expect(() => dispatcher('word', {}, WITH_IT)).toThrow(
      '--format "word" is no format; choose one of auto, ncsa, w3c, json, alb, logfmt, console, tsv, csv, made-up or give a log_format or LogFormat string',
    );
  });

  it('is tried only below its header line when it has one, and no longer when another header has come', () => {
    const columns = (name: string, head: string): LogFormat => ({
      ...MADE_UP,
      name,
      header: { kind: 'columns', readerFrom: (line) => (line === head ? withHead(head) : undefined) },
    });
    const withHead = (head: string): LineReader => {
      const rows = madeUpReader();
      return {
        read: (buf, start, end, out) =>
          latin1(buf, start, end) === head ? LINE.directive : rows.read(buf, start, end, out),
      };
    };
    const formats = [...LOG_FORMATS, columns('one', '== one'), columns('two', '== two')];
    const row = LOG[0] as string;
    const { counts } = parse([row, '== one', row, COMBINED, row, '== two', row], 'auto', formats);
    expect(counts.formats).toEqual({ ncsa: 1, one: 2, two: 1 });
    expect(counts.lines).toMatchObject({ directive: 2, malformed: 1 });
    expect(counts.firstMalformed[0]?.line).toBe(1);
  });

  it('whose lines the kernel reads is the one that it may be tried on', () => {
    const withKernel: readonly LogFormat[] = [{ ...MADE_UP, kernel: true }];
    expect(dispatcher('auto', {}, withKernel).kernelFormat?.name).toBe('made-up');
    expect(dispatcher('auto', {}, [MADE_UP]).kernelFormat).toBeUndefined();
    const auto = dispatcher('auto', {}, LOG_FORMATS);
    expect(auto.kernelFormat?.name).toBe('ncsa');
    expect(auto.kernelNext).toBe(true);
    const bytes = Buffer.from('{"time":"2024-03-04T10:00:00Z","method":"GET","path":"/","status":200}');
    auto.read(bytes, 0, bytes.length, newRawRecord());
    expect([auto.current?.name, auto.kernelNext]).toEqual(['json', false]);
  });
});

describe('the registry', () => {
  it('has each name once', () => {
    const names = LOG_FORMATS.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
    for (const { name, aliases = [] } of LOG_FORMATS)
      for (const word of [name, ...aliases]) expect(formatNamed(LOG_FORMATS, word)?.name).toBe(name);
  });

  it('says how every format is made: by name, by a string, or both', () => {
    for (const { reader, fromString } of LOG_FORMATS) expect(reader ?? fromString).toBeDefined();
    for (const name of formatNames(LOG_FORMATS)) expect(dispatcher(name, {}, LOG_FORMATS).current?.name).toBe(name);
    expect(dispatcher('$remote_addr "$request" $status', {}, LOG_FORMATS).current?.name).toBe('pattern');
    expect(dispatcher('{"m":"$request_method"}', {}, LOG_FORMATS).current?.name).toBe('json');
  });

  it('is the table of docs/traffic.md; renew it with `npx vitest run test/tools/traffic/formats.test.ts --update`', async () => {
    const file = join(ROOT, 'docs/traffic.md');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('<!-- log-formats:start -->');
    await expect(withTables(text)).toMatchFileSnapshot(file);
  });
});
