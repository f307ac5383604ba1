/** Tables as text, for the summary inside k6 and for the tools. */

/** Whether a cell goes to the right edge of its column; `columns` is how many the table has. */
export type GoesRight = (column: number, cell: string, columns: number) => boolean;

/**
 * Lines of a table: each column as wide as its longest cell, two spaces between columns, none at the end of a line.
 * @param rows the heading is a row like any other
 * @param goesRight default: all cells to the left
 */
export function textTable(
  rows: readonly (readonly string[])[],
  { goesRight = () => false, indent = '  ' }: { readonly goesRight?: GoesRight; readonly indent?: string } = {},
): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return goesRight(column, cell, widths.length) ? cell.padStart(width) : cell.padEnd(width);
    });
    return `${indent}${cells.join('  ')}`.trimEnd();
  });
}
