import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');

/** Which rooms a room may import from; see CONTRIBUTING.md. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  lib: ['lib'],
  scenarios: ['lib', 'data'],
  bookstore: ['bookstore', 'lib'],
  tools: ['tools', 'lib'],
};

/**
 * The command line offers the bookstore's own commands, and `start` and the experiments need a system under test to run
 * against; they start it as a whole and know nothing of its inside. No other tool may lean on the reference system:
 * the suite must work with anybody's API.
 */
const MAY_START_BOOKSTORE: Readonly<Record<string, readonly string[]>> = {
  'tools/cli.ts': ['bookstore/command.ts', 'bookstore/payments/command.ts'],
  'tools/commands/start.ts': ['bookstore/main.ts', 'bookstore/payments/stub.ts'],
  'tools/commands/experiment.ts': ['bookstore/main.ts', 'bookstore/payments/stub.ts'],
};

/** Folders of a user's path are made in one way only. */
const MAY_BORROW: Readonly<Record<string, readonly string[]>> = {
  'bookstore/access-log.ts': ['tools/base/folders.ts'],
  'bookstore/database/image-cache.ts': ['tools/base/folders.ts'],
};

function sources(room: string): string[] {
  return readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(room, file));
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string);
}

describe('rooms', () => {
  for (const [room, allowed] of Object.entries(MAY_IMPORT)) {
    it(`${room}/ imports only from ${allowed.join(', ')}`, () => {
      const wrong: string[] = [];
      for (const file of sources(room)) {
        for (const specifier of importsOf(file)) {
          if (!specifier.startsWith('.')) continue;
          const path = relative(ROOT, resolve(ROOT, dirname(file), specifier));
          const target = path.split('/')[0] as string;
          if ([MAY_START_BOOKSTORE, MAY_BORROW].some((exceptions) => exceptions[file]?.includes(path))) continue;
          if (!allowed.includes(target)) wrong.push(`${file} -> ${specifier}`);
        }
      }
      expect(wrong).toEqual([]);
    });
  }

  it('no file needs itself by way of others, not even for a type', () => {
    const files = new Set(Object.keys(MAY_IMPORT).flatMap(sources));
    const needs = (file: string) =>
      importsOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => relative(ROOT, resolve(ROOT, dirname(file), specifier)))
        .filter((path) => files.has(path));
    const circles: string[] = [];
    const done = new Set<string>();
    const walk = (file: string, above: readonly string[]): void => {
      if (above.includes(file)) circles.push([...above.slice(above.indexOf(file)), file].join(' -> '));
      if (done.has(file)) return;
      done.add(file);
      for (const next of needs(file)) walk(next, [...above, file]);
    };
    for (const file of files) walk(file, []);
    expect(files.size).toBeGreaterThan(100);
    expect(circles).toEqual([]);
  });

  it('a file that touches k6 says so in its first line', () => {
    const silent = sources('lib').filter((file) => {
      const touches = importsOf(file).some((specifier) => specifier === 'k6' || specifier.startsWith('k6/'));
      return touches && !/k6/.test(readFileSync(join(ROOT, file), 'utf8').split('\n')[0] as string);
    });
    expect(silent).toEqual([]);
  });

  it('no file is longer than 320 lines', () => {
    const long = [...Object.keys(MAY_IMPORT), 'test'].flatMap(sources).filter((file) => {
      return readFileSync(join(ROOT, file), 'utf8').split('\n').length > 320;
    });
    expect(long).toEqual([]);
  });
});
