/** Values for the pools of a skeleton, until the user puts real ones there. */

/** Distinct texts of the shape that made segments of a log placeholders of this name, the first for rank 1. */
const SHAPES: Readonly<Record<string, (rank: number) => string>> = {
  isbn: (rank) => `979${String(rank).padStart(10, '0')}`,
  hash: (rank) => `0123456789abcdef${(rank + 0x10000000).toString(16)}`,
  date: (rank) => new Date(Date.UTC(2024, 0, 1) - (rank - 1) * 86_400_000).toISOString().slice(0, 10),
  slug: (rank) => `item-number-${rank}`,
  name: (rank) => `item${rank}`,
  email: (rank) => `user${rank}@example.com`,
  phone: (rank) => `+49301${String(rank).padStart(6, '0')}`,
  place: (rank) => (rank / 1000).toFixed(3),
  ip: (rank) => `10.${(rank >> 16) & 255}.${(rank >> 8) & 255}.${rank & 255}`,
  lang: (rank) => String.fromCharCode(97 + (Math.floor((rank - 1) / 26) % 26), 97 + ((rank - 1) % 26)),
};
/** Two letters give no more. */
const LANGUAGES = 26 * 26;

/** A CSV file with one column of so many values, or of as many as there can be. */
export function madeUpRows(placeholder: string, rows: number): string {
  const shape = SHAPES[placeholder] ?? String;
  const n = placeholder === 'lang' ? Math.min(rows, LANGUAGES) : rows;
  return `${[placeholder, ...Array.from({ length: n }, (_, i) => shape(i + 1))].join('\n')}\n`;
}
