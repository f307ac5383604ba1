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

async function postgres(url: string, options: ConnectOptions): Promise<Driver> {
  const driver = openPostgres({ url, connections: options.connections });
  const deadline = Date.now() + options.waitSeconds * 1_000;
  for (;;) {
    try {
      await seed(driver, options);
      return driver;
    } catch (error) {
      if (error instanceof DatabaseUnavailable && Date.now() < deadline) {
        await sleep(250);
        continue;
      }
      await driver.close().catch(() => undefined);
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
      const driver = await openEmbedded(image.file);
      await seed(driver, options);
      return driver;
    } catch {
      // An image that does not open (cut short, another machine's) costs one slow start, nothing more.
      image.discard();
    }
  }
  const driver = await openEmbedded();
  await seed(driver, { books: options.books });
  if (image !== undefined && driver.dump !== undefined) await storeImage(image.file, driver.dump);
  if (options.stock !== undefined) await seed(driver, options);
  return driver;
}

/** The URL as it may be shown. */
export function withoutPassword(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^:@/]*):[^@/]*@/i, '$1:***@');
}
