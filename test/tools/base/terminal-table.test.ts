import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { numberTable, terminalTable } from '../../../tools/base/terminal-table.ts';

it('names are left, shown as they are and of bounded length, the numbers beside them right', () => {
  const lines = terminalTable([
    ['endpoint', 'n', 'at'],
    ['a\nb', '10', '1 s'],
    ['x'.repeat(99), '7', '12 s'],
  ]).map(stripVTControlCharacters);
  const width = 60;
  expect(lines).toEqual([
    `  ${'endpoint'.padEnd(width)}   n  at`,
    `  ${'a\\nb'.padEnd(width)}  10  1 s`,
    `  ${'x'.repeat(40)}…${'x'.repeat(19)}   7  12 s`,
  ]);
});

it('what begins with a digit goes right, but in the first column', () => {
  expect(
    numberTable([
      ['2xx', 'n', 'law'],
      ['none', '12', 'uniform'],
      ['5xx', '~1,200', '-'],
    ]),
  ).toBe(['  2xx   n       law', '  none      12  uniform', '  5xx   ~1,200  -'].join('\n'));
});
