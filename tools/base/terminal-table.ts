/** Tables on a terminal. */
import pc from 'picocolors';
import { textTable } from '../../lib/model/text-table.ts';
import { shorten, visible } from './terminal-text.ts';

/** The first column, names, left and of bounded length, the last one left too, numbers between them right. The heading is dim. */
export function terminalTable(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.map(([name, ...cells]) => (name === undefined ? cells : [shorten(visible(name)), ...cells]));
  const lines = textTable(shown, { goesRight: (column, _, columns) => column > 0 && column < columns - 1, indent: '' });
  return lines.map((line, index) => `  ${index === 0 ? pc.dim(line) : line}`);
}

/** Cells that begin with a digit go right, but in the first column. One text. */
export function numberTable(rows: readonly (readonly string[])[], indent = '  '): string {
  return textTable(rows, { goesRight: (column, cell) => column > 0 && /^[-~]?[0-9]/.test(cell), indent }).join('\n');
}
