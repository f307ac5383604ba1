/** Files are read into the kernel's own memory: lines that end at its end, or are longer than it, change nothing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { openSource } from '../../../tools/traffic/input/sources.ts';
import { giveBack, type Kernel, takeKernel } from '../../../tools/traffic/kernel/kernel.ts';
import { droppedTable } from '../../../tools/traffic/pass/noise.ts';
import { readSource } from '../../../tools/traffic/pass/read-source.ts';
import { parseTemplate, routeTable } from '../../../tools/traffic/templates/route-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'kernel-input-'));
afterAll(() => rmSync(folder, { recursive: true }));

const BUFFER = 262_144;

/** Counts and events of stretches of a file; `stretches` are places where lines begin. */
async function read(file: string, stretches: readonly number[], cacheFor?: object): Promise<object[]> {
  const source = await openSource(file, Readable.from([]));
  const templates = ['GET /a/{id}', 'GET /b'].flatMap((name) => parseTemplate(name) ?? []);
  const routes = routeTable(templates, []);
  const options = {
    format: 'auto',
    reader: {},
    routes,
    dropped: droppedTable([], []),
    itemRoutes: new Set(['GET /a/{id}']),
    ...(cacheFor === undefined ? {} : { cacheFor }),
  };
  const results: object[] = [];
  for (let i = 1; i < stretches.length; i++) {
    const events: number[] = [];
    for await (const part of readSource(source, options, stretches[i - 1], stretches[i])) {
      const { ints } = part.block.rows;
      for (const value of ints.subarray(0, part.block.n * 8)) events.push(value);
      if (part.counts !== undefined) results.push({ counts: part.counts, names: [...routes.names] });
    }
    results.push({ events: hashSeed(events.join()), n: events.length / 8 });
  }
  return results;
}

/** The same while no kernel is to be had. */
async function readPlainly(file: string, stretches: readonly number[]): Promise<object[]> {
  const taken: Kernel[] = [];
  for (let kernel = takeKernel(); kernel !== undefined; kernel = takeKernel()) taken.push(kernel);
  try {
    return await read(file, stretches);
  } finally {
    for (const kernel of taken) giveBack(kernel);
  }
}

const line = (second: number, path: string, filler = 0): string =>
  `192.0.2.${second % 200} - - [04/Mar/2024:10:00:${String(second % 60).padStart(2, '0')} +0000] "GET ${path} HTTP/1.1" 200 1 "-" "ua${'x'.repeat(filler)}"\n`;

describe('reading into the kernel', { timeout: 120_000 }, () => {
  it.each([-2, -1, 0, 1, 2, 3])('a line that ends %i bytes from the end of the memory is one line', async (off) => {
    const file = join(folder, `edge${off}.log`);
    const first = Array.from({ length: 1000 }, (_, i) => line(i, `/a/${i}`)).join('');
    const last = line(1, '/b');
    const filled = first + line(2, '/b', BUFFER + off - first.length - last.length - line(2, '/b').length) + last;
    expect(filled).toHaveLength(BUFFER + off);
    for (const [i, text] of [filled, filled.trimEnd(), `${filled}${line(3, '/c')}`].entries()) {
      writeFileSync(file, text);
      const fast = await read(file, [0, text.length]);
      expect(fast).toEqual(await readPlainly(file, [0, text.length]));
      expect(fast).toMatchObject([{ counts: { lines: { records: i < 2 ? 1002 : 1003, malformed: 0 } } }, {}]);
    }
  });

  it('long lines between short ones come out as without it', async () => {
    const random = sessionRandom(hashSeed('long lines'), 0);
    const file = join(folder, 'long.log');
    for (let round = 0; round < 2; round++) {
      const lines = Array.from({ length: 2000 }, (_, i) => {
        const long = random() < 0.01 ? Math.floor(random() ** 3 * 900_000) : Math.floor(random() * 300);
        return random() < 0.003 ? `${'y'.repeat(long)}\n` : line(i, random() < 0.7 ? `/a/${i % 700}` : '/b', long);
      });
      const text = lines.join('').slice(0, round === 0 ? undefined : -1);
      writeFileSync(file, text);
      const middle = text.indexOf('\n', text.length / 2) + 1;
      const stretches = [0, middle, text.length];
      expect(await read(file, stretches)).toEqual(await readPlainly(file, stretches));
    }
  });

  it('what it has cached in one stretch counts in the next, and not for other rules', async () => {
    const file = join(folder, 'taught.log');
    const lines = Array.from({ length: 3000 }, (_, i) =>
      line(i, i % 3 === 0 ? `/a/${i}` : i % 3 === 1 ? '/b' : `/n${i % 7}`),
    );
    writeFileSync(file, lines.join(''));
    const stretches = [0, 500, 1000, 2000, 3000].map((n) => lines.slice(0, n).join('').length);
    const plain = await readPlainly(file, stretches);
    const rules = {};
    expect(await read(file, stretches, rules)).toEqual(plain);
    // The same object once more would say that its route numbers hold, which are of a table of its own.
    expect(await read(file, stretches, {})).toEqual(plain);
  });
});
