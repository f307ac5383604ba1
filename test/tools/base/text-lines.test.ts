import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chunksOf, linesOf } from '../../../tools/base/text-lines.ts';

const file = join(mkdtempSync(join(tmpdir(), 'lines-')), 'text');
const reading = (text: string) => {
  writeFileSync(file, text);
  return { chunks: [...chunksOf(file)], lines: [...linesOf(file)] };
};

it('gives the lines of a text of several pieces, whole', () => {
  // 300,000 lines of at least 6 bytes: more than one piece of a megabyte.
  const lines = Array.from({ length: 300_000 }, (_, i) => `zeil€${i}`);
  const read = reading(`${lines.join('\n')}\n`);
  expect(read.chunks.length).toBeGreaterThan(2);
  expect(read.chunks.every((chunk) => chunk.endsWith('\n'))).toBe(true);
  expect(read.lines).toEqual(lines);
});

it('gives a last line without an end, and a very long one in pieces', () => {
  expect(reading('a\nb').lines).toEqual(['a', 'b']);
  expect(reading('').lines).toEqual([]);
  const long = 'x'.repeat(5_000_000);
  const { lines } = reading(long);
  expect(lines.join('')).toBe(long);
  expect(lines.every((line) => line.length <= 2 << 20)).toBe(true);
});
