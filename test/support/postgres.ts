/** A PostgreSQL of one's own for a test: a fresh cluster in a temp folder, on a free loopback port. */
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface TemporaryPostgres {
  readonly url: string;
  /** Stops the server but keeps its data. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops and removes everything. */
  remove(): Promise<void>;
}

/** Folder with `initdb` and `postgres`, from `POSTGRES_BIN`, `PATH` or where Debian puts them; undefined when there is none. */
export function postgresBinaries(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort().reverse() : [];
  const folders = [
    process.env['POSTGRES_BIN'] ?? '',
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
  ];
  const found = folders.find(
    (folder) => folder !== '' && existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  );
  if (found === undefined) {
    process.stderr.write(
      'SKIPPED: PostgreSQL tests, since no initdb was found (POSTGRES_BIN, PATH, /usr/lib/postgresql).\n',
    );
  }
  return found;
}

/** PostgreSQL refuses to run as root: then it runs as `nobody`. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export async function temporaryPostgres(binaries: string): Promise<TemporaryPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'bookstore-postgres-'));
  const user = unprivileged();
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'bookstore', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'],
    { ...user, stdio: 'ignore', cwd: folder },
  );
  const port = await freePort();
  const url = `postgres://bookstore@127.0.0.1:${port}/postgres`;
  let stop: () => Promise<void> = async () => undefined;

  const start = async (): Promise<void> => {
    const server = spawn(
      join(binaries, 'postgres'),
      ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-c', 'fsync=off', '-c', 'shared_buffers=64MB'],
      { ...user, stdio: 'ignore', cwd: folder },
    );
    const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
    stop = async () => {
      // Fast shutdown: breaks the connections instead of waiting for them.
      server.kill('SIGINT');
      await ended;
    };
    for (let attempt = 0; attempt < 150; attempt++) {
      const client = new pg.Client({ connectionString: url });
      try {
        await client.connect();
        await client.end();
        return;
      } catch {
        await client.end().catch(() => undefined);
        await sleep(100);
      }
    }
    throw new Error('the temporary PostgreSQL did not start');
  };

  await start();
  return {
    url,
    start,
    stop: () => stop(),
    remove: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
