import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { followLog, readableLine } from '../../../tools/run/log-follower.ts';

describe('a followed log', () => {
  it('comes in whole lines, in order, each once, whatever pieces it was written in', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'log-')), 'k6.log');
    writeFileSync(file, '');
    const shown: string[] = [];
    const follower = followLog(file, (text) => shown.push(text));
    const text = Array.from({ length: 500 }, (_, n) => `line ${n} with Grüße\n`).join('');
    const bytes = Buffer.from(`${text}no newline`);
    for (let at = 0; at < bytes.length; at += 997) {
      appendFileSync(file, bytes.subarray(at, at + 997));
      if (at % 5 === 0) await new Promise((done) => setTimeout(done, 40));
    }
    follower.end();
    expect(shown.join('')).toBe(`${text}no newline\n`);
    for (const piece of shown) expect(piece.endsWith('\n')).toBe(true);
  });

  it('a file that goes away ends nothing', () => {
    const follower = followLog('/no/such/log', () => {
      throw new Error('nothing to show');
    });
    expect(() => follower.end()).not.toThrow();
  });
});

describe('a line for people', () => {
  const plain = (line: string) => stripVTControlCharacters(readableLine(line));

  it.each([
    ['time="2026-01-01T00:00:00Z" level=warning msg="no \\"VUs\\" left" executor=x', 'WARN no "VUs" left executor=x'],
    ['time="2026-01-01T00:00:00Z" level=error msg=short', 'ERRO short'],
    ['something else', 'something else'],
  ])('%s', (line, expected) => {
    expect(plain(line)).toBe(expected);
  });
});
