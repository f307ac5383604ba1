/** What the `data` command does with files: write, check, import. */
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolders } from '../base/folders.ts';
import { UserError } from '../base/user-error.ts';
import { type Catalogue, type ReadOptions, readCatalogue, requireCatalogue, requireCategories } from './read.ts';
import { type CatalogueRow, catalogueCsv, searchTermsCsv } from './write.ts';

/** Bad rows that are listed for a person; all are in the JSON form. */
const SHOWN = 20;

export interface WriteResult {
  readonly books: number;
  readonly files: readonly string[];
  readonly lines: readonly string[];
}

/**
 * Writes `books.csv` and `search-terms.csv` into `folder`.
 * @throws UserError when another file of that name is there (a user's own catalogue, perhaps) and `force` is not set
 */
export async function writeCatalogue(
  folder: string,
  rows: readonly CatalogueRow[],
  terms: readonly string[],
  force: boolean,
): Promise<WriteResult> {
  const files = [join(folder, 'books.csv'), join(folder, 'search-terms.csv')] as const;
  const texts = [catalogueCsv(rows), searchTermsCsv(terms)] as const;
  for (const [i, file] of files.entries()) {
    if (!force && (await exists(file)) && (await readFile(file, 'utf8')) !== texts[i]) {
      throw new UserError(`${file} is already there with another content; overwrite it with --force`);
    }
  }
  for (const [i, file] of files.entries()) await writeWhole(file, texts[i] ?? '');
  return { books: rows.length, files, lines: [`wrote ${files[0]} (${rows.length} books) and ${files[1]}`] };
}

export interface CheckResult {
  readonly file: string;
  readonly books: number;
  readonly bad: number;
  readonly badRows: Catalogue['bad'];
  readonly notes: readonly string[];
  readonly lines: readonly string[];
}

/** Reads the file and reports; nothing is written. */
export async function checkCatalogue(file: string, options: ReadOptions): Promise<CheckResult> {
  const catalogue = readCatalogue(await readBytes(file), file, withSeparator(options));
  const { bad, notes, rows, keys } = catalogue;
  requireCategories(catalogue, file);
  const lines = [
    ...bad.slice(0, SHOWN).map(({ line, reason }) => `${file}:${line}: ${reason}`),
    ...(bad.length > SHOWN ? [`… and ${bad.length - SHOWN} more bad rows`] : []),
    `${file}: ${rows.length} ${thingsOf(keys)} can be used, ${bad.length} rows cannot`,
    ...notes.map((note) => `note: ${note}`),
  ];
  return { file, books: rows.length, bad: bad.length, badRows: bad, notes, lines };
}

export interface ImportResult {
  readonly file: string;
  readonly out: string;
  readonly books: number;
  readonly skipped: number;
  readonly notes: readonly string[];
  readonly lines: readonly string[];
}

/** Reads a user's file and writes it in the suite's form; refuses before it writes. */
export async function importCatalogue(
  file: string,
  options: ReadOptions & { readonly out: string; readonly skipBad: boolean; readonly force: boolean },
): Promise<ImportResult> {
  const { out, skipBad, force } = options;
  const read = skipBad ? readCatalogue : requireCatalogue;
  const { rows, bad, notes, keys } = read(await readBytes(file), file, withSeparator(options));
  requireCategories({ rows, keys }, file);
  if (!force && (await exists(out))) throw new UserError(`${out} is already there; overwrite it with --force`);
  await writeWhole(out, catalogueCsv(rows, keys));
  const skipped = bad.length > 0 ? `, ${bad.length} bad rows left out` : '';
  const lines = [
    `wrote ${out}: ${rows.length} ${thingsOf(keys)} from ${file}${skipped}`,
    ...notes.map((note) => `note: ${note}`),
  ];
  return { file, out, books: rows.length, skipped: bad.length, notes, lines };
}

const thingsOf = (keys: Catalogue['keys']): string => (keys === 'id' ? 'items' : 'books');

function withSeparator(options: ReadOptions): ReadOptions {
  if (options.separator === undefined) return options;
  const separator = /^(?:tab|\\t)$/i.test(options.separator) ? '\t' : options.separator;
  if (separator.length !== 1 || /["\r\n]/.test(separator)) {
    throw new UserError(`--separator ${JSON.stringify(options.separator)}: one character or "tab" is needed`);
  }
  return { ...options, separator };
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw fileError(file, 'read', error);
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/** Writes beside the target and renames, so that a full disk leaves no half file behind. */
async function writeWhole(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    makeFolders(dirname(file));
    await writeFile(temporary, text);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw fileError(file, 'write', error);
  }
}

function fileError(file: string, verb: 'read' | 'write', error: unknown): UserError {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  const known: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file; check the path',
    EISDIR: 'it is a folder; name a file in it',
    ENOTDIR: 'a part of the path is a file, not a folder; check the path',
    EACCES: 'permission denied; check the rights of the file and its folder',
    EROFS: 'the file system is read-only; choose another folder',
    ENOSPC: 'the disk is full; make room or choose another folder',
  };
  return new UserError(`cannot ${verb} ${file}: ${known[code] ?? code}`);
}
