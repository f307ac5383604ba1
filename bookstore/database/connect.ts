/** Chooses and prepares the database: PostgreSQL when an URL is given, else the embedded one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupError } from '../setup-error.ts';
import { type Database, databaseOn } from './database.ts';
import { DatabaseUnavailable, type Driver } from './driver.ts';
import { openEmbedded } from './embedded.ts';
import { imageFile, storeImage } from './image-cache.ts';
import { openPostgres } from './postgres.ts';
import { type SeedOptions, seed } from './seed.ts';

export interface ConnectOptions extends SeedOptions {
  readonly databaseUrl?: string | undefined;
  /** Connections of the PostgreSQL pool at most. */
  readonly connections: number;
  /** Folder for the image of the seeded embedded database; `null` seeds anew each time. */
  readonly cacheFolder: string | null;
  /** How long to wait for a PostgreSQL that is still starting, seconds. */
  readonly waitSeconds: number;
}

/**
 * Connects, creates what is missing, seeds.
 * @throws SetupError when the database cannot be reached or used, with the reason
 */
export async function connect(options: ConnectOptions): Promise<Database> {
  return databaseOn(
    await (options.databaseUrl === undefined ? embedded(options) : postgres(options.databaseUrl, options)),
  );
}

/** A database that takes longer for one statement counts as unavailable. */
const STATEMENT_TIMEOUT_MS = 15_000;

/** Forms of an address that the PostgreSQL client takes; it reads anything else as a path below a host named "base". */
const POSTGRES_URL = /^(?:postgres(?:ql)?:\/\/|socket:|\/)/i;

async function postgres(url: string, options: ConnectOptions): Promise<Driver> {
  if (!POSTGRES_URL.test(url)) {
    throw new SetupError(
      `The database address "${withoutPassword(url)}" is none of PostgreSQL: give postgres://user:password@host:port/name.`,
    );
  }
  // The seed may take its time; what the API sends later may not.
  const seeder = openPostgres({ url, connections: 1, statementTimeoutMs: 0 });
  const deadline = Date.now() + options.waitSeconds * 1_000;
  for (;;) {
    try {
      await seed(seeder, options);
      await seeder.close();
      return openPostgres({ url, connections: options.connections, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
    } catch (error) {
      if (error instanceof DatabaseUnavailable && Date.now() < deadline) {
        await sleep(250);
        continue;
      }
      await seeder.close().catch(() => undefined);
      if (error instanceof SetupError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new SetupError(`The database at ${withoutPassword(url)} cannot be used: ${reason}.`, { cause: error });
    }
  }
}

async function embedded(options: ConnectOptions): Promise<Driver> {
  const image = options.cacheFolder === null ? undefined : imageFile(options.cacheFolder, options.books);
  if (image?.exists) {
    try {
      return await seeded(await openEmbedded(image.file), options);
    } catch {
      // An image that does not open (cut short, another machine's) costs one slow start, nothing more.
      image.discard();
    }
  }
  const driver = await seeded(await openEmbedded(), { books: options.books });
  if (image !== undefined && driver.dump !== undefined) await storeImage(image.file, driver.dump);
  return options.stock === undefined ? driver : seeded(driver, options);
}

async function seeded(driver: Driver, options: SeedOptions): Promise<Driver> {
  try {
    await seed(driver, options);
    return driver;
  } catch (error) {
    await driver.close();
    throw error;
  }
}

/** The URL as it may be shown. */
export function withoutPassword(url: string): string {
  // With a scheme, its own colon is none before a password.
  return /^[a-z][a-z\d+.-]*:\/\//i.test(url)
    ? url.replace(/^([^:]*:\/\/[^:@/]*):.*@/, '$1:***@')
    : url.replace(/^([^:@/]*):.*@/, '$1:***@');
}
