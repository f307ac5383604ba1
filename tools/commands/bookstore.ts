/** `bookstore-load bookstore`: parses, starts, says where, stops on a signal. */
import { dirname } from 'node:path';
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { LOG_COLUMNS, type LogColumn } from '../../bookstore/access-log.ts';
import { CATALOGUE_SIZE, LARGEST_CATALOGUE } from '../../bookstore/catalogue/books.ts';
import { startBookstore } from '../../bookstore/main.ts';
import { makeFolder } from '../base/output-file.ts';
import { refuse } from './refuse-setup.ts';
import { untilStopped } from './until-stopped.ts';
import { integer, number } from './values.ts';

export function command() {
  const self = new Command('bookstore')
    .description('Start the reference bookstore, the system under test.')
    .option('--port <number>', 'port; 0 takes a free one', integer(0, 65_535), 0)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .addOption(
      new Option('--database-url <url>', 'PostgreSQL to use; without it an embedded one in memory').env('DATABASE_URL'),
    )
    .option('--database-wait <seconds>', 'how long to wait for a PostgreSQL that is not up yet', number(0, 600), 15)
    .option('--books <number>', 'books of the catalogue', integer(1, LARGEST_CATALOGUE), CATALOGUE_SIZE)
    .option(
      '--stock <number>',
      'set the stock of every book at start (without it: 1,000,000 for new books, others keep theirs)',
      integer(0, 2_000_000_000),
    )
    .option('--access-log <file>', 'append an access log in W3C extended format')
    .option('--log-columns <names>', `more columns, comma between: ${LOG_COLUMNS.join(', ')}`, logColumns)
    .option('--log-session', 'short for --log-columns "cs(X-Session-Id)"')
    .option('--admin', 'offer the admin and fault routes (loopback only)')
    .option('--payment-url <url>', 'payment provider or its stub; without it orders stay Placed', url)
    .option('--rate-limit <n>', 'requests per second and client address, 429 beyond', number(0.001, 1e6))
    .option('--cache-ttl <seconds>', 'life of a cached details answer; 0 switches the cache off', number(0, 86_400), 60)
    .option('--stop-after <seconds>', 'stop by itself', number(0.1, 1e6))
    .option('--json', 'print one JSON line when ready');
  return self.action(async (flags) => {
    const columns = [
      ...new Set([...(flags.logColumns ?? []), ...(flags.logSession ? ['cs(X-Session-Id)' as const] : [])]),
    ];
    if (columns.length > 0 && flags.accessLog === undefined) {
      self.error('error: --log-columns and --log-session need --access-log FILE');
    }
    if (flags.accessLog !== undefined) makeFolder(dirname(flags.accessLog));
    const bookstore = await startBookstore({
      host: flags.host,
      port: flags.port,
      databaseUrl: flags.databaseUrl || undefined,
      databaseWaitSeconds: flags.databaseWait,
      books: flags.books,
      stock: flags.stock,
      accessLog: flags.accessLog === undefined ? undefined : { file: flags.accessLog, columns },
      admin: flags.admin ?? false,
      paymentUrl: flags.paymentUrl,
      rateLimit: flags.rateLimit,
      cacheTtlSeconds: flags.cacheTtl,
      onError: (error) => process.stderr.write(`bookstore: ${error.message}\n`),
    }).catch((error: unknown) => refuse('bookstore', error));
    const { url: address, database } = bookstore;
    process.stdout.write(
      flags.json
        ? `${JSON.stringify({ url: address, pid: process.pid, database, admin: flags.admin ?? false })}\n`
        : `Bookstore at ${address} (${database} database, ${flags.books} books${flags.admin ? ', admin routes on' : ''}); stop with Ctrl-C.\n`,
    );
    await untilStopped(flags.stopAfter);
    await bookstore.close();
  });
}

function logColumns(value: string): LogColumn[] {
  return value.split(',').map((name) => {
    const column = LOG_COLUMNS.find((known) => known.toLowerCase() === name.trim().toLowerCase());
    if (column === undefined) throw new InvalidArgumentError(`"${name}" is none of ${LOG_COLUMNS.join(', ')}.`);
    return column;
  });
}

function url(value: string): string {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.search !== '' || parsed.hash !== '') {
    throw new InvalidArgumentError('It must be an http or https URL, such as http://127.0.0.1:8081, without ? and #.');
  }
  return value;
}
