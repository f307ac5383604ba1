/** Checks everything that a bundle or a run reads, and writes it in the form that VUs read: flat JSON in `dist/data/`. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Papa from 'papaparse';
import { DEFAULT_WORKLOAD, type Workload, workloadFile } from '../../lib/model/workload.ts';
import type { Objectives } from '../../lib/plan/objectives.ts';
import { makeFolders } from '../base/folders.ts';
import { makingReason } from '../base/output-file.ts';
import { UserError } from '../base/user-error.ts';
import { requireCatalogue, requireCategories } from '../catalogue/read.ts';
import { parseObjectives } from '../schemas/objectives.ts';
import { parseWorkload } from '../schemas/workload.ts';

export interface Sources {
  readonly books: string;
  readonly searchTerms: string;
  readonly workload: string;
  /** Folder of thresholds files. */
  readonly thresholds: string;
}

/** Where the sources of this repository lie. */
export const SOURCES: Sources = {
  books: 'data/books.csv',
  searchTerms: 'data/search-terms.csv',
  workload: 'data/workload.json',
  thresholds: 'thresholds',
};

export interface Prepared {
  readonly books: number;
  /** Checked workloads by name, see `Spec.workload`. */
  readonly workloads: Readonly<Record<string, Workload>>;
  readonly thresholds: Readonly<Record<string, Objectives>>;
  /** What bundles read, by name without `.json`. */
  readonly documents: Readonly<Record<string, unknown>>;
}

/** @throws UserError for the first thing that is wrong */
export function readData(sources: Sources): Prepared {
  const { rows, keys } = requireCatalogue(bytes(sources.books), sources.books, { keys: 'either' });
  const workloads = readWorkloads(sources.workload, rows.length);
  const flows = [...new Set(Object.values(workloads).flatMap((workload) => Object.keys(workload.flows)))];
  const books = rows.map((row) => row.isbn);
  const terms = readTerms(text(sources.searchTerms), sources.searchTerms);
  const thresholds = readThresholds(sources.thresholds, flows);
  const categories = requireCategories({ rows, keys }, sources.books);
  const documents: Record<string, unknown> = {
    // One array for all: see lib/session/pools.ts.
    rows: [...[books, terms, categories].map((list) => `${list.length}`), ...books, ...terms, ...categories],
    ...Object.fromEntries(
      Object.entries(workloads).map(([name, workload]) => [basename(workloadFile(name), '.json'), workload]),
    ),
    thresholds,
  };
  return { books: books.length, workloads, thresholds, documents };
}

/**
 * @param out folder, made if missing
 * @throws UserError when it cannot be written
 */
export function writeData(documents: Prepared['documents'], out: string): void {
  try {
    makeFolders(out);
  } catch (error) {
    throw new UserError(`${out} cannot be made (${makingReason(error) ?? String(error)}): name another --outdir`);
  }
  for (const file of readdirSync(out)) {
    // What an earlier build left of a workload that is no more.
    if (file.endsWith(OWN_WORKLOAD) && documents[basename(file, '.json')] === undefined) rmSync(join(out, file));
  }
  for (const [name, document] of Object.entries(documents)) {
    writeFileSync(join(out, `${name}.json`), JSON.stringify(document));
  }
}

/** How the files of workloads end that scenarios ask for by name. */
const OWN_WORKLOAD = '-workload.json';

/** The workload of the file, and those beside it that scenarios may ask for by name. */
function readWorkloads(file: string, books: number): Record<string, Workload> {
  const found: Record<string, Workload> = { [DEFAULT_WORKLOAD]: parseWorkload(text(file), file, books) };
  const folder = dirname(SOURCES.workload);
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith(OWN_WORKLOAD)) continue;
    const path = join(folder, name);
    found[name.slice(0, -OWN_WORKLOAD.length)] = parseWorkload(text(path), path, books);
  }
  return found;
}

/** All thresholds files of a folder by name. */
export function readThresholds(folder: string, flows: readonly string[]): Record<string, Objectives> {
  const files = entriesOf(folder)
    // validity.json lies beside the objectives but judges the test, not the system: the analysis reads it.
    .filter((file) => file.endsWith('.json') && file !== 'validity.json')
    .sort();
  if (files.length === 0) {
    throw new UserError(`${folder} holds no thresholds file (*.json): add one such as thresholds/default.json`);
  }
  return Object.fromEntries(
    files.map((file) => [
      basename(file, '.json'),
      parseObjectives(text(join(folder, file)), join(folder, file), flows),
    ]),
  );
}

/** Search terms in popularity order: the first column, a header line `term` at the top. */
function readTerms(csv: string, file: string): string[] {
  const { data } = Papa.parse<string[]>(csv.replace(/^\uFEFF/, ''), { skipEmptyLines: 'greedy' });
  const terms = data.slice(1).map((row) => (row[0] ?? '').trim());
  if (data[0]?.[0]?.trim().toLowerCase() !== 'term')
    throw new UserError(`${file}:1: the first line must be the header "term"`);
  const empty = terms.indexOf('');
  if (empty >= 0) throw new UserError(`${file}:${empty + 2}: the search term is empty; take the line out`);
  if (terms.length === 0) throw new UserError(`${file}: there is no search term; add at least one`);
  return terms;
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new UserError(`"${folder}" is no folder that can be read (${code}): name the folder of the thresholds files`);
  }
}

function text(file: string): string {
  return new TextDecoder().decode(bytes(file));
}

function bytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UserError(
      `${file} cannot be read (${(error as NodeJS.ErrnoException).code}): make it, or take it from the repository`,
    );
  }
}
