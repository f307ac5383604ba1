/** gzip in the shapes in which rotated logs are found; everything that can be read is delivered. */
import { Readable } from 'node:stream';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gunzip } from '../../../tools/base/gunzip.ts';

const TEXT = Array.from({ length: 3000 }, (_, i) => `line ${i} of a log ${(i * 7919) % 1009}\n`).join('');
const PACKED = gzipSync(TEXT);

async function read(packed: Buffer, chunk = 5000): Promise<{ text: string; fault: string | undefined }> {
  const parts = Array.from({ length: Math.ceil(packed.length / chunk) }, (_, i) =>
    packed.subarray(i * chunk, (i + 1) * chunk),
  );
  const out: Buffer[] = [];
  const content = gunzip(Readable.from(parts));
  for (;;) {
    const { done, value } = await content.next();
    if (done === true) return { text: Buffer.concat(out).toString('latin1'), fault: value?.kind };
    out.push(value);
  }
}

/** With an extra field, a name, a comment and a checksum of the header, which is not looked at. */
function fullHeader(): Buffer {
  const start = Buffer.from([0x1f, 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3, 3, 0, 1, 2, 3]);
  return Buffer.concat([start, Buffer.from('a.log\0said\0\0\0', 'latin1'), PACKED.subarray(10)]);
}

describe('gzip', { timeout: 120_000 }, () => {
  it.each<[string, Buffer, string, string | undefined]>([
    ['one member', PACKED, TEXT, undefined],
    ['several members', Buffer.concat([PACKED, gzipSync(''), PACKED]), TEXT + TEXT, undefined],
    ['a member with all header fields', fullHeader(), TEXT, undefined],
    ['padding with zeros', Buffer.concat([PACKED, Buffer.alloc(700)]), TEXT, undefined],
    ['garbage behind it', Buffer.concat([PACKED, Buffer.from('no gzip at all\n'.repeat(9))]), TEXT, 'trailing'],
    [
      'stored blocks',
      Buffer.concat([
        PACKED.subarray(0, 10),
        deflateRawSync(TEXT, { level: constants.Z_NO_COMPRESSION }),
        PACKED.subarray(-8),
      ]),
      TEXT,
      undefined,
    ],
  ])('%s', async (_what, packed, text, fault) => {
    // Members that end with a chunk, within one, and one byte before its end.
    for (const chunk of [13, PACKED.length - 8, PACKED.length, 1 << 20]) {
      expect(await read(packed, chunk), String(chunk)).toEqual({ text, fault });
    }
  });

  it('cut off gives what is there, and says so', async () => {
    for (const at of [4, 2000, PACKED.length - 9, PACKED.length - 3]) {
      const { text, fault } = await read(PACKED.subarray(0, at));
      expect(TEXT.startsWith(text)).toBe(true);
      expect(fault).toBe('cut');
    }
    expect((await read(PACKED.subarray(0, PACKED.length - 3))).text).toBe(TEXT);
  });

  it('damaged is noticed by the data', async () => {
    const inside = Buffer.from(PACKED);
    inside.fill(0xff, 3000, 3050);
    const { text, fault } = await read(inside);
    expect(fault).toBe('damaged');
    expect(TEXT.startsWith(text.slice(0, 5000))).toBe(true);
    expect((await read(Buffer.from('no gzip'))).fault).toBe('damaged');
  });

  it.each([
    ['checksum', 8],
    ['length', 4],
  ])('a wrong %s is noticed, and the next member read', async (_what, place) => {
    const wrong = Buffer.from(PACKED);
    wrong.writeUInt32LE(7, wrong.length - place);
    expect(await read(wrong)).toEqual({ text: TEXT, fault: 'checksum' });
    expect(await read(Buffer.concat([wrong, PACKED]))).toEqual({ text: TEXT + TEXT, fault: 'checksum' });
    // Where it cannot be read to its end, that is said.
    expect((await read(Buffer.concat([wrong, PACKED.subarray(0, 2000)]))).fault).toBe('cut');
  });
});
