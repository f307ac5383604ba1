/**
 * The seeded embedded database kept as a file, so that later starts skip the seed. Safe to share: an image is only ever
 * read after it was complete (written under another name, then renamed), each start works on its own copy in memory,
 * and the name holds everything that the content follows from.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { bookOf } from '../catalogue/books.ts';
import { INDEX_STATEMENTS, SCHEMA_STATEMENTS } from './schema.ts';
import { DEFAULT_STOCK } from './seed.ts';

/** Images kept; an older schema's or version's are of no use to anybody. */
const KEEP = 3;

/** `$XDG_CACHE_HOME/bookstore-load`, `~/.cache/bookstore-load`, or a folder of one's own in the temp folder. */
export function defaultCacheFolder(): string {
  const home = homedir();
  const base = process.env['XDG_CACHE_HOME'] || (home === '' ? tmpdir() : join(home, '.cache'));
  return join(base, 'bookstore-load');
}

export interface Image {
  readonly file: string;
  readonly exists: boolean;
  discard(): void;
}

/** The image for a catalogue of `books`, whether or not it is there yet. */
export function imageFile(folder: string, books: number): Image {
  const content = [SCHEMA_STATEMENTS, INDEX_STATEMENTS, DEFAULT_STOCK, pgliteVersion(), bookOf(0), bookOf(books - 1)];
  const key = createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 16);
  const file = join(folder, `catalogue-${books}-${key}.tar`);
  return { file, exists: existsSync(file), discard: () => rmSync(file, { force: true }) };
}

/** Writes the image; a folder that cannot be written only means that the next start is slow again. */
export async function storeImage(file: string, dump: (file: string) => Promise<void>): Promise<void> {
  const folder = dirname(file);
  const partial = `${file}.${process.pid}.${Date.now()}.partial`;
  try {
    // No further up: Node's recursive way never returns where the system answers ENOENT (below /proc, for one).
    for (const one of [dirname(folder), folder]) if (!existsSync(one)) mkdirSync(one, 0o700);
    await dump(partial);
    renameSync(partial, file);
    prune(folder);
  } catch {
    rmSync(partial, { force: true });
  }
}

/** A dump takes seconds; a partial file this old belongs to a process that was killed. */
const PARTIAL_MS = 3_600_000;

function prune(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.partial'))) {
    if (Date.now() - statSync(join(folder, name)).mtimeMs > PARTIAL_MS) rmSync(join(folder, name), { force: true });
  }
  const images = readdirSync(folder)
    .filter((name) => /^catalogue-.*\.tar$/.test(name))
    .map((name) => ({ name, time: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.time - a.time);
  for (const { name } of images.slice(KEEP)) rmSync(join(folder, name), { force: true });
}

function pgliteVersion(): string {
  const require = createRequire(import.meta.url);
  // The package does not export its package.json; the path of its entry holds no version, so read the file beside it.
  const entry = require.resolve('@electric-sql/pglite');
  return (require(join(entry, '..', '..', 'package.json')) as { version: string }).version;
}
