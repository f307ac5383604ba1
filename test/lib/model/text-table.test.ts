import { expect, it } from 'vitest';
import { textTable } from '../../../lib/model/text-table.ts';

const ROWS = [
  ['', 'n', 'mean'],
  ['browse', '7', '12.5'],
  ['pay', '1200', '3', 'slow'],
];

it('has columns as wide as their longest cell, and no space at the end of a line', () => {
  expect(textTable(ROWS)).toEqual(['          n     mean', '  browse  7     12.5', '  pay     1200  3     slow']);
});

it('takes cells to the right where it is told', () => {
  const goesRight = (column: number, _: string, columns: number) => column > 0 && column < columns - 1;
  expect(textTable(ROWS, { goesRight, indent: '' })).toEqual([
    '           n  mean',
    'browse     7  12.5',
    'pay     1200     3  slow',
  ]);
  expect(textTable([])).toEqual([]);
});
