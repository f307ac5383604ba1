import { Command, type OptionValues } from '@commander-js/extra-typings';
import { bookRows, LARGEST_CATALOGUE, searchTerms } from '../../bookstore/catalogue/books.ts';
import { EXIT } from '../base/exit-codes.ts';
import type { None, OptionsOf } from '../base/options.ts';
import { UserError } from '../base/user-error.ts';
import type { ColumnNames, KeyKind } from '../catalogue/columns.ts';
import { checkCatalogue, importCatalogue, type WriteResult, writeCatalogue } from '../catalogue/files.ts';

/** `data`: the reference catalogue, or a user's own. */
export function command() {
  const data = new Command('data').description('Generate the catalogue and search terms, or bring your own catalogue.');
  data
    .command('generate', { isDefault: true })
    .description('Write books.csv (reference catalogue, in popularity order) and search-terms.csv.')
    .option('--out <folder>', 'folder to write to', 'data')
    .option('--books <n>', 'number of books', '40000')
    .option('--force', 'overwrite files with another content')
    .option('--json', 'print one JSON document')
    .action(async (flags) => {
      print(await generateData(flags.out, flags.books, flags.force), flags.json);
    });
  readFlags(data.command('check <file>'))
    .description('Say whether a catalogue CSV can be used; every row that cannot is named.')
    .action(async (file, flags) => {
      const result = await checkCatalogue(file, readOptions(flags));
      print(result, flags.json);
      if (result.bad > 0 && flags.skipBad !== true) process.exitCode = EXIT.noVerdict;
    });
  readFlags(data.command('import <file>'))
    .description("Turn your own catalogue CSV into the suite's; the most popular book first.")
    .option('--out <file>', 'file to write', 'data/books.csv')
    .option('--force', 'overwrite the file if it is there')
    .action(async (file, flags) => {
      const options = { ...readOptions(flags), out: flags.out, skipBad: flags.skipBad === true };
      print(await importCatalogue(file, { ...options, force: flags.force === true }), flags.json);
    });
  return data;
}

/**
 * Writes the reference catalogue and its search terms; the same bytes every time.
 * @throws UserError as `writeCatalogue`, and for a size that is none
 */
export async function generateData(folder: string, size: string, force = false): Promise<WriteResult> {
  const books = Number(size);
  if (!Number.isInteger(books) || books < 1 || books > LARGEST_CATALOGUE) {
    throw new UserError(
      `--books ${size}: a whole number from 1 to ${LARGEST_CATALOGUE.toLocaleString('en')} is needed`,
    );
  }
  return writeCatalogue(folder, bookRows(books), searchTerms(), force);
}

function readFlags<Args extends unknown[], Opts extends OptionValues, Globals extends OptionValues>(
  command: Command<Args, Opts, Globals>,
) {
  return command
    .option('--isbn-column <name>', 'column with the ISBN (default: isbn, isbn13, ean, …)')
    .option('--ids', 'the rows are no books: any ids that are there once (column id, sku, item, …)')
    .option('--id-column <name>', 'the same, with the name of the column')
    .option('--title-column <name>', 'column with the title')
    .option('--category-column <name>', 'column with the category')
    .option('--price-column <name>', 'column with the price')
    .option('--year-column <name>', 'column with the year of publication')
    .option('--popularity-column <name>', 'column with views or sales to sort by (default: keep the order of the file)')
    .option('--separator <character>', 'field separator: , ; | or tab (default: found out from the file)')
    .option('--skip-bad', 'leave bad rows out instead of refusing the file')
    .option('--json', 'print one JSON document');
}

type ReadFlags = OptionsOf<typeof readFlags<[], None, None>>;

function readOptions(flags: ReadFlags): { columns: ColumnNames; keys: KeyKind; separator?: string } {
  const keys = flags.ids === true || flags.idColumn !== undefined ? 'id' : 'isbn';
  if (keys === 'id' && flags.isbnColumn !== undefined) {
    throw new UserError(
      '--isbn-column and --ids or --id-column: the rows are named by one or the other; leave one out',
    );
  }
  const columns = {
    ...(flags.isbnColumn !== undefined && { isbn: flags.isbnColumn }),
    ...(flags.idColumn !== undefined && { id: flags.idColumn }),
    ...(flags.titleColumn !== undefined && { title: flags.titleColumn }),
    ...(flags.categoryColumn !== undefined && { category: flags.categoryColumn }),
    ...(flags.priceColumn !== undefined && { price: flags.priceColumn }),
    ...(flags.yearColumn !== undefined && { year: flags.yearColumn }),
    ...(flags.popularityColumn !== undefined && { popularity: flags.popularityColumn }),
  };
  return { columns, keys, ...(flags.separator !== undefined && { separator: flags.separator }) };
}

function print(result: { readonly lines: readonly string[] } & object, json: boolean | undefined): void {
  const { lines, ...machine } = result;
  process.stdout.write(json === true ? `${JSON.stringify(machine)}\n` : lines.map((line) => `${line}\n`).join(''));
}
