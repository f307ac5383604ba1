/** A folder and the conformance server for the tests of one file; both are gone after them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type ConformanceServer, startConformanceServer } from './server.ts';

export function servedFolder(name: string): { readonly folder: string; readonly server: { readonly url: string } } {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  let running: ConformanceServer | undefined;
  beforeAll(async () => {
    running = await startConformanceServer();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await running?.close();
  });
  return {
    folder,
    server: {
      get url() {
        return running?.url ?? '';
      },
    },
  };
}
