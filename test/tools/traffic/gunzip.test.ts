/** gzip in the shapes in which rotated logs are found; everything that can be read is delivered. */
import { Readable } from 'node:stream';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { gunzip } from '../../../tools/traffic/input/gunzip.ts';

const TEXT = Array.from({ length: 3000 }, (_, i) => `line ${i} of a log ${(i * 7919) % 1009}\n`).join('');
const PACKED = gzipSync(TEXT);

async function read(packed: Buffer, chunk = 5000): Promise<{ text: string; remarks: string[] }> {
  const remarks: string[] = [];
  const parts = Array.from({ length: Math.ceil(packed.length / chunk) }, (_, i) =>
    packed.subarray(i * chunk, (i + 1) * chunk),
  );
  const out: Buffer[] = [];
  for await (const part of gunzip(Readable.from(parts), (remark) => remarks.push(remark))) out.push(part as Buffer);
  return { text: Buffer.concat(out).toString('latin1'), remarks };
}

/** With an extra field, a name, a comment and a checksum of the header, which is not looked at. */
function fullHeader(): Buffer {
  const start = Buffer.from([0x1f, 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3, 3, 0, 1, 2, 3]);
  return Buffer.concat([start, Buffer.from('a.log\0said\0\0\0', 'latin1'), PACKED.subarray(10)]);
}

describe('gzip', { timeout: 120_000 }, () => {
  it.each<[string, Buffer, string, string[]]>([
    ['one member', PACKED, TEXT, []],
    ['several members', Buffer.concat([PACKED, gzipSync(''), PACKED]), TEXT + TEXT, []],
    ['a member with all header fields', fullHeader(), TEXT, []],
    ['padding with zeros', Buffer.concat([PACKED, Buffer.alloc(700)]), TEXT, []],
    [
      'garbage behind it',
      Buffer.concat([PACKED, Buffer.from('no gzip at all\n'.repeat(9))]),
      TEXT,
      ['bytes that are no gzip follow the gzip stream; all of it was read'],
    ],
    [
      'stored blocks',
      Buffer.concat([
        PACKED.subarray(0, 10),
        deflateRawSync(TEXT, { level: constants.Z_NO_COMPRESSION }),
        PACKED.subarray(-8),
      ]),
      TEXT,
      [],
    ],
  ])('%s', async (_what, packed, text, remarks) => {
    // Members that end with a chunk, within one, and one byte before its end.
    for (const chunk of [13, PACKED.length - 8, PACKED.length, 1 << 20]) {
      expect(await read(packed, chunk), String(chunk)).toEqual({ text, remarks });
    }
  });

  it('cut off gives what is there, and says so', async () => {
    for (const at of [4, 2000, PACKED.length - 9, PACKED.length - 3]) {
      const { text, remarks } = await read(PACKED.subarray(0, at));
      expect(TEXT.startsWith(text)).toBe(true);
      expect(remarks).toEqual(['the gzip stream is cut off; its complete lines were read']);
    }
    expect((await read(PACKED.subarray(0, PACKED.length - 3))).text).toBe(TEXT);
  });

  it('damaged is noticed, by the data or by their checksum', async () => {
    const inside = Buffer.from(PACKED);
    inside.fill(0xff, 3000, 3050);
    const sum = Buffer.from(PACKED);
    sum.writeUInt32LE(7, sum.length - 8);
    for (const packed of [inside, sum])
      expect((await read(packed)).remarks).toEqual([expect.stringMatching(/damaged/)]);
    expect((await read(sum)).text).toBe(TEXT);
  });
});
