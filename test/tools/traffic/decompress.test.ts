/** What is told of a gzip stream that is not whole; test/tools/base/gunzip.test.ts has what is read of it. */
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { decompressed } from '../../../tools/traffic/input/decompress.ts';

const TEXT = Array.from({ length: 3000 }, (_, i) => `line ${i} of a log ${(i * 7919) % 1009}\n`).join('');
const PACKED = gzipSync(TEXT);
const WRONG_SUM = Buffer.from(PACKED).fill(0, PACKED.length - 8, PACKED.length - 4);

it.each<[string, Buffer | Error, string[]]>([
  ['whole', PACKED, []],
  ['cut', PACKED.subarray(0, -3), ['the gzip stream is cut off; its complete lines were read']],
  [
    'damaged',
    Buffer.from(PACKED).fill(0xff, 3000, 3050),
    [expect.stringMatching(/^the gzip stream is damaged \(.+\); the lines before were read$/)],
  ],
  [
    'of a wrong checksum',
    WRONG_SUM,
    ['the gzip stream is damaged (incorrect data check): not all of its content is what was written'],
  ],
  [
    'with garbage behind it',
    Buffer.concat([PACKED, Buffer.from('no gzip')]),
    ['bytes that are no gzip follow the gzip stream; all of it was read'],
  ],
  ['that cannot be read on', new Error('gone'), ['reading stopped: gone']],
])('a gzip stream %s', async (_what, content, told) => {
  const remarks: string[] = [];
  const input = Readable.from(
    (async function* () {
      if (content instanceof Error) throw content;
      yield content;
    })(),
  );
  const out: Buffer[] = [];
  for await (const part of decompressed(input, 'gzip', (remark) => remarks.push(remark))) out.push(part as Buffer);
  expect(TEXT.startsWith(Buffer.concat(out).toString('latin1').slice(0, 5000))).toBe(true);
  expect(remarks).toEqual(told);
});
