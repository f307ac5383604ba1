/** Logs in which nothing can be read: the sentence names the file, what its lines are, why, and what helps. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../tools/traffic/model/model.ts';
import { refusalOf } from '../../../tools/traffic/present/refusal.ts';
import { analyse } from './helpers.ts';

const LINE = '203.0.113.7 - - [10/Mar/2025:09:00:04 +0000] "GET /a HTTP/1.1" 200 5 "-" "ua"\n';
const RECORD = { time: '2025-03-10T09:00:04Z', method: 'GET', path: '/a', status: 200, client_ip: '203.0.113.7' };

async function refusal(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const facts = await analyse(files);
  const others = facts.pass.files.map(({ counts }) => counts.firstOther);
  const text = refusalOf(buildModel(facts, { replicates: 2 }), 0.05, others);
  return (text ?? 'none').replaceAll(/\/\S*\/traffic-[^/]*\//g, '');
}

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

describe('a log without a request', { timeout: 120_000 }, () => {
  it('that is empty is called so', async () => {
    expect(await refusal({ 'a.log': '' })).toBe('no request was found: a.log is empty; name a log that has lines');
    expect(await refusal({ 'a.log': '', 'b.log': gzipSync('') })).toMatch(/: a\.log and b\.log are empty;/);
  });

  it('is named with what its lines are', async () => {
    const ready = '{"level":"info","msg":"ready"}\n';
    expect(await refusal({ 'a.log': `\n${ready}${ready}`, 'b.log': `${LINE.replace('GET /a', '-')}` })).toBe(
      'no request was found in a.log and b.log: of 4 lines 2 no access records, 1 answers without a request, 1 blank, first a.log:2: a message, or fields that name no request; check that this is the access log, or name its format with --format, or its fields with --map',
    );
    expect(await refusal({ 'a.log': 'rubbish\n' })).toBe(
      'no request was found in a.log: of 1 line 1 malformed, first a.log:1: no known log format; name the format with --format',
    );
    expect(await refusal({ 'a.log': `${LINE}rubbish\n` })).toBe(
      '50.0 % of the lines cannot be read (limit 5.0 %), first a.log:2: no [time] as the common log format has it; name the format with --format or raise --max-malformed',
    );
  });

  const loki = { status: 'success', data: { resultType: 'streams', result: [{ stream: {}, values: [['1', LINE]] }] } };
  const insights = { results: [[{ field: '@message', value: LINE }]] };
  const shapes: [name: string, text: string, jq: string][] = [
    ['an array', pretty([RECORD, RECORD]), "-c '.[]'"],
    ['an array in a line', JSON.stringify([RECORD, RECORD]), "-c '.[]'"],
    ['objects in a line', JSON.stringify(RECORD).repeat(3), '-c .'],
    ['objects over several lines', pretty(RECORD).repeat(3), '-c .'],
    ['Azure', pretty({ records: [RECORD, RECORD] }), "-c '.records[]'"],
    ['Azure in a line', JSON.stringify({ records: [RECORD] }), "-c '.records[]'"],
    ['CloudTrail', JSON.stringify({ Records: [RECORD] }), "-c '.Records[]'"],
    ['CloudWatch', JSON.stringify({ logEvents: [{ message: LINE }] }), "-c '.logEvents[]'"],
    ['CloudWatch Insights', JSON.stringify(insights), "-c '.results[] | map({(.field): .value}) | add'"],
    ['Loki', pretty(loki), "-r '.data.result[].values[][1]'"],
    ['Loki in a line', JSON.stringify(loki), "-r '.data.result[].values[][1]'"],
    [
      'Elasticsearch',
      pretty({ took: 3, hits: { total: 1, hits: [{ _source: RECORD }] } }),
      "-c '.hits.hits[]._source'",
    ],
    ['Elasticsearch in a line', JSON.stringify({ hits: { hits: [{ _source: RECORD }] } }), "-c '.hits.hits[]._source'"],
  ];
  it.each(shapes)('that is JSON of another shape, as %s, is told the command', async (_, text, jq) => {
    const told = await refusal({ 'my log.json': text });
    expect(told).toMatch(/ first my log\.json:[12]: /);
    expect(told).toContain(`; make one record a line, as with jq ${jq} '`);
    expect(await refusal({ 'a.gz': gzipSync(text) })).toContain(
      `; make one record a line, as with zcat a.gz | jq ${jq}`,
    );
  });

  it('tells that its compressed stream is damaged', async () => {
    const text = Array.from({ length: 3000 }, (_, i) => LINE.replace(' 5 ', ` ${i * 7919} `)).join('');
    const stored = gzipSync(text, { level: 0 });
    stored.fill('x\n', 100_000, 110_000);
    const damage =
      'the gzip stream is damaged (incorrect data check): not all of its content is what was written; get the file anew';
    expect(await refusal({ 'a.gz': stored })).toMatch(/ first a\.gz:\d+: .*, as the gzip stream is damaged/);
    expect(await refusal({ 'a.gz': stored })).toContain(damage);
    const broken = gzipSync(text).fill(255, 100, 200);
    expect(await refusal({ 'a.gz': broken })).toMatch(
      /^no request was found: a\.gz has no .*, as the gzip stream is damaged/,
    );
  });
});

describe('a JSON array with one object a line', { timeout: 120_000 }, () => {
  const object = JSON.stringify(RECORD);
  it.each([
    ['brackets apart', ['[', `${object},`, `  ${object} ,`, object, ']']],
    ['commas in front', ['[', object, `,${object}`, `, ${object}`, ']']],
    ['brackets beside', [`[${object},`, `${object},`, `${object}]`]],
  ])('is read with %s', async (_, lines) => {
    const { total } = (await analyse({ 'a.json': lines.join('\n') })).pass;
    expect(total.lines).toMatchObject({ records: 3, directive: lines.length - 3, malformed: 0 });
  });

  it('does not make a bracket of any other file a header', async () => {
    const { total } = (await analyse({ 'a.log': `${LINE}]\n${LINE}` })).pass;
    expect(total.lines).toMatchObject({ records: 2, malformed: 1 });
  });
});

describe('archives', { timeout: 120_000 }, () => {
  const tar = Buffer.concat([Buffer.alloc(257), Buffer.from('ustar\x0000'), Buffer.alloc(248), Buffer.from(LINE)]);
  it.each([
    ['a.zip', Buffer.from('PK\x03\x04\x14\0\0\0\x08\0', 'latin1'), /is a zip archive; .*unzip -p \S*a\.zip \|/],
    ['a.xz', Buffer.from('\xfd7zXZ\0\0\x04', 'latin1'), /is compressed with xz; .*xz -dc/],
    ['a.bz2', Buffer.from('BZh91AY&SY\x01', 'latin1'), /is compressed with bzip2; .*bzip2 -dc/],
    ['a.7z', Buffer.from('7z\xbc\xaf\x27\x1c\0', 'latin1'), /is a 7z archive; .*7z x/],
    ['a.tar', tar, /is a tar archive; .*tar -xOf/],
    ['a.tar.gz', gzipSync(tar), /is a tar archive; .*tar -xOf/],
  ])('%s is refused with the way to unpack it', async (name, bytes, told) => {
    await expect(analyse({ [name]: bytes })).rejects.toThrow(told);
    await expect(analyse({}, { input: bytes })).rejects.toThrow(/^standard input is .*; unpack it first/);
  });
});

describe('text that is not in single bytes with line feeds', { timeout: 120_000 }, () => {
  const text = Array.from({ length: 50 }, (_, i) => LINE.replace('/a', `/a/${i}`)).join('');
  const little = Buffer.from(text, 'utf16le');
  const big = Buffer.from(little).swap16();
  it.each([
    ['UTF-16', Buffer.concat([Buffer.from([0xff, 0xfe]), little])],
    ['UTF-16, other order', Buffer.concat([Buffer.from([0xfe, 0xff]), big])],
    ['UTF-16 without a mark', little],
    ['UTF-16 without a mark, other order', big],
    ['UTF-16 with CRLF', Buffer.from(text.replaceAll('\n', '\r\n'), 'utf16le')],
    ['UTF-16 with CR', Buffer.from(text.replaceAll('\n', '\r'), 'utf16le')],
    ['CR alone', Buffer.from(text.replaceAll('\n', '\r'))],
    ['CR alone in a long file', Buffer.from(text.repeat(100).replaceAll('\n', '\r'))],
  ])('is read: %s', async (_, bytes) => {
    const facts = await analyse({ 'a.log': bytes, 'b.gz': gzipSync(bytes) }, { input: bytes });
    const n = bytes.length > 100_000 ? 5000 : 50;
    for (const { counts } of facts.pass.files) {
      expect(counts.lines).toMatchObject({ physical: n, records: n });
    }
  });
});
