import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { staleNote } from '../../../tools/run/stale-bundle.ts';
import { ticketSuite } from '../../support/built-suite.ts';
import { run } from '../../support/run-command.ts';

const folder = ticketSuite();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const script = join(folder, 'dist', 'tickets.js');
const BUILT = new Date('2026-01-01T12:00:00Z');
utimesSync(join(folder, 'dist', 'data', 'suite.json'), BUILT, BUILT);

/** Writes a file of the suite that was changed so many seconds after the build. */
function source(name: string, seconds: number): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  const time = new Date(BUILT.getTime() + seconds * 1000);
  utimesSync(file, time, time);
}

it('says which file was changed after the build, anywhere in the suite, and nothing of one that was not', async () => {
  // No suite around it: a bundle that was copied somewhere.
  source('data/items.csv', 60);
  expect(staleNote(script)).toBeUndefined();
  source('scenarios/tickets.ts', -60);
  source('data/items.csv', -60);
  source('results/new.json', 60);
  expect(staleNote(script)).toBeUndefined();
  for (const name of [
    'scenarios/shop/flows.ts',
    'data/items.csv',
    'thresholds/ci.json',
    'environments/a.json',
    'suite.ts',
  ]) {
    source(name, 60);
    expect(staleNote(script)).toMatch(new RegExp(`${name} was changed after .*dist was built; .* build again$`));
    source(name, -60);
  }
  source('suite.ts', 1);
  const { stderr, manifest } = await run({}, ['-e', 'BASE_URL=http://127.0.0.1:9'], {}, script);
  expect(stderr).toMatch(/note: .*suite\.ts was changed after/);
  expect(manifest.status).toBe('complete');
});
