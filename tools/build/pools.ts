/** Pools of a suite: CSV files below `data/` become one list of rows, checked by line. */
import { join } from 'node:path';
import type { ColumnType, PoolDefinition } from '../../lib/plan/pool-definition.ts';
import type { PoolFacts } from '../../lib/plan/pools.ts';
import { UserError } from '../base/user-error.ts';
import { decodeText } from '../catalogue/decode.ts';
import { readIsbn } from '../catalogue/isbn.ts';
import { parseTable } from '../catalogue/table.ts';
import { readBytes } from './files.ts';

export interface ReadPools {
  /** All rows, one pool after the other, in the form that sessions read: a value where a pool has one column, else an object. */
  readonly rows: readonly unknown[];
  readonly facts: Readonly<Record<string, PoolFacts & { readonly example: unknown }>>;
}

/**
 * @param folder of the files
 * @param instead other files by pool
 * @throws UserError naming file and line of the first thing that is wrong
 */
export function readPools(
  pools: Readonly<Record<string, PoolDefinition>>,
  folder: string,
  instead: Readonly<Record<string, string>>,
): ReadPools {
  const rows: unknown[] = [];
  const facts: Record<string, PoolFacts & { example: unknown }> = {};
  for (const name of Object.keys(instead)) {
    if (!Object.hasOwn(pools, name)) {
      throw new UserError(`--pool ${name}=…: the suite has no pool "${name}", but ${Object.keys(pools).join(', ')}`);
    }
  }
  for (const [name, pool] of Object.entries(pools)) {
    const own = readPool(pool, instead[name] ?? join(folder, pool.file));
    const columns = Object.keys(pool.columns);
    const column = columns.length === 1 ? columns[0] : undefined;
    const first = own[0] as Readonly<Record<string, unknown>>;
    facts[name] = { from: rows.length, rows: own.length, ...(column !== undefined && { column }), example: first };
    for (const row of own) rows.push(column === undefined ? row : row[column]);
  }
  return { rows, facts };
}

type Row = Readonly<Record<string, string | number>>;

function readPool({ columns, distinct }: PoolDefinition, file: string): Row[] {
  const { text } = decodeText(readBytes(file), file);
  const { header, headerLine, rows, broken } = parseTable(text, file, undefined);
  const [bad] = broken;
  if (bad !== undefined) throw new UserError(`${file}:${bad.line}: ${bad.reason}`);
  const names = header.map((cell) => cell.trim());
  const places = Object.entries(columns).map(([name, type]) => {
    const index = names.indexOf(name);
    if (index < 0)
      throw new UserError(`${file}:${headerLine}: no column "${name}"; the header has ${names.join(', ')}`);
    if (names.indexOf(name, index + 1) >= 0) {
      throw new UserError(`${file}:${headerLine}: column "${name}" stands twice in the header; rename one of them`);
    }
    return { name, type, index };
  });
  if (places.length === 0) throw new UserError(`${file}: its pool names no column, so sessions would get nothing`);
  const seen = new Map<string, number>();
  const found: Row[] = [];
  for (const { line, cells } of rows) {
    if (cells.length !== header.length) {
      const what = `${cells.length} fields where the header has ${header.length}`;
      throw new UserError(`${file}:${line}: ${what}; quote fields that hold the separator`);
    }
    const row = Object.fromEntries(
      places.map(({ name, type, index }) => [
        name,
        cellValue((cells[index] ?? '').trim(), type, `${file}:${line}`, name),
      ]),
    );
    const key = JSON.stringify(Object.values(row));
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      if (distinct === true) continue;
      throw new UserError(
        `${file}:${line}: ${Object.values(row).join(', ')} stands already on line ${earlier}; take one out`,
      );
    }
    seen.set(key, line);
    found.push(row);
  }
  if (found.length === 0) throw new UserError(`${file}: a header but no rows; at least one is needed`);
  return found;
}

function cellValue(cell: string, type: ColumnType, place: string, column: string): string | number {
  const wrong = (what: string) => new UserError(`${place}: ${column} ${what}`);
  if (cell === '') throw wrong('is empty; give it a value or take the line out');
  if (type === 'text') return cell;
  if (type === 'isbn13') {
    const reading = readIsbn(cell);
    if ('reason' in reading) throw new UserError(`${place}: ${reading.reason}`);
    return reading.isbn;
  }
  const value = Number(cell);
  if (!Number.isFinite(value) || (type === 'integer' && !Number.isInteger(value))) {
    throw wrong(`"${cell.slice(0, 40)}" is no ${type === 'integer' ? 'whole number' : 'number'}`);
  }
  return value;
}
