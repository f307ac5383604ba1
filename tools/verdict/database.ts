/**
 * A DuckDB database for one analysis: in memory, with a memory limit, spilling to a temporary folder that goes when the
 * database is closed. Results come back as plain JavaScript values.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { writeBeside } from '../base/output-file.ts';

export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };
export type Row = Record<string, Value>;

export interface Database {
  /** Runs a statement and gives its rows; 64-bit integers become numbers, lists arrays, structs objects. */
  readonly query: <T = Row>(sql: string) => Promise<T[]>;
  /** Runs a statement for its effect. */
  readonly run: (sql: string) => Promise<void>;
  readonly connection: DuckDBConnection;
  /** Folder for scratch files, removed by `close`. */
  readonly scratch: string;
  readonly close: () => void;
}

export interface DatabaseOptions {
  /** Memory limit of DuckDB itself, MB (Node comes on top). Default 512. */
  readonly memoryMb?: number;
  /** Default: all cores, at most 8. */
  readonly threads?: number;
}

export async function openDatabase(options: DatabaseOptions = {}): Promise<Database> {
  // Loaded here: it takes longer than saying that a file is not there.
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const scratch = mkdtempSync(join(tmpdir(), 'bookstore-load-'));
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: `${options.memoryMb ?? 512}MB`,
    threads: String(options.threads ?? Math.min(availableParallelism(), 8)),
    temp_directory: join(scratch, 'spill'),
    // Rows carry their time; keeping file order would cost memory and buys nothing.
    preserve_insertion_order: 'false',
    // Files decide nothing about extensions: none is fetched from the network.
    autoinstall_known_extensions: 'false',
  });
  const connection = await instance.connect();
  return {
    connection,
    scratch,
    query: async <T>(sql: string) => {
      const reader = await connection.runAndReadAll(sql);
      const names = reader.deduplicatedColumnNames();
      return reader
        .getRowsJS()
        .map((row) => Object.fromEntries(row.map((value, index) => [names[index] ?? '', plain(value)]))) as T[];
    },
    run: async (sql) => {
      await connection.run(sql);
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/**
 * Writes what a statement selects as a Parquet file of exactly this path, whatever it looks like.
 * @throws UserError that names the path and the reason
 */
export async function writeParquet(database: Database, path: string, select: string): Promise<void> {
  const copy = (beside: string) =>
    database.run(`COPY (${select}) TO ${text(beside)} (FORMAT parquet, COMPRESSION zstd)`);
  await writeBeside(path, copy, (error) =>
    error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error),
  );
}

/** A string as a SQL literal. */
export function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** A path of a file to read, as a SQL literal: exactly this file, whatever pattern or home sign its name looks like. */
export function pathText(path: string): string {
  return text(resolve(path).replace(/[[*?]/g, '[$&]'));
}

/** A name as a SQL identifier. */
export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function plain(value: unknown): Value {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date) return value.getTime();
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plain(entry)]));
  }
  return value === undefined ? null : (value as Value);
}
