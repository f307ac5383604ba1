/** What a terminal gets: nothing in a name moves the cursor, breaks a table or widens it without end. */
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { shorten, visible, wrapped } from '../../../tools/base/terminal-text.ts';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { compareSides } from '../../../tools/verdict/compare/compare.ts';
import { neededLengths, printLengths } from '../../../tools/verdict/compare/needed-length.ts';
import { printComparison } from '../../../tools/verdict/compare/print.ts';
import { readSide } from '../../../tools/verdict/compare/side.ts';
import { gate, printGate } from '../../../tools/verdict/gate.ts';
import { printAnalysis } from '../../../tools/verdict/print.ts';
import { HEADER, made, requestRows } from './support.ts';

const NAMES = ['GET /red\u001b[31m', 'GET /two\nlines', `GET /${'long/'.repeat(100)}end`, 'GET /back\u202eward\t'];

describe('text', () => {
  it('of a comparison, a plan of lengths, a gate and an analysis holds no control character of a name', async () => {
    const rows = Array.from({ length: 800 }, (_, i) =>
      requestRows(1_795_982_260_000 + i * 50, 5 + (i % 40), { name: NAMES[i % NAMES.length] ?? '' }),
    );
    const path = made('samples.csv', `${HEADER}\n${rows.join('')}`);
    const rules = made('rules.json', JSON.stringify({ [`http_req_duration{name:${NAMES[0]}}`]: ['p(95)<1'] }));
    const analysis = await analyse({ paths: [path], rules });
    const side = await readSide([path]);
    const comparison = compareSides(side, side);
    const texts = [
      printAnalysis(analysis),
      printGate(gate(analysis, 'pass')),
      printComparison(comparison, true),
      printComparison(comparison, false),
      printLengths(neededLengths(side, 0.1)),
    ];
    for (const text of texts) {
      // Our own colours are none of the names'.
      const plain = stripVTControlCharacters(text);
      expect(plain).toContain('GET /red\\u001b[31m');
      expect(plain.match(/[^\P{Cc}\n]|[\u202e\u2028]/u)).toBeNull();
      if (text === texts[1]) continue;
      expect(plain).toContain('GET /two\\nlines');
      const longest = Math.max(
        ...plain
          .split('\n')
          .filter((line) => /\d$|~$/.test(line) && line.includes('GET /two'))
          .map((line) => line.length),
      );
      expect(longest).toBeLessThan(200);
      expect(plain).toMatch(/GET \/long[^\n ]*…[^\n ]*end/);
    }
  });

  it('shows characters as they are where nothing is wrong with them', () => {
    for (const name of ['GET /api/books/{isbn}', 'Bücher 書籍 📚', '']) expect(visible(name)).toBe(name);
    expect(visible('a\u0000\u009b\u2028')).toBe('a\\u0000\\u009b\\u2028');
  });

  it('is broken at blanks, and nowhere within a word', () => {
    expect(wrapped('aa bb ccccccc d', '- ', '  ', 7)).toEqual(['- aa bb', '  ccccccc', '  d']);
    expect(wrapped('', '  i ')).toEqual(['  i ']);
  });

  it('of an older or newer analysis is refused with its schema version: samples are judged anew', async () => {
    const path = made(
      'verdict.json',
      JSON.stringify({ schemaVersion: 2, verdict: { status: 'VALID' }, objectives: [] }),
    );
    await expect(analyse({ paths: [path] })).rejects.toThrow(/schema version 2, now 3\); give the samples/);
  });

  it('shortens in the middle, never within a character', () => {
    expect(shorten('x'.repeat(60))).toBe('x'.repeat(60));
    expect(shorten('abcdefghij', 7)).toBe('abcd…ij');
    expect([...shorten('📚'.repeat(100), 7)]).toHaveLength(7);
  });
});
