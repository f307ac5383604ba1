/** CACHE_TAG: latency samples that tell whether the cache answered, and of which item; nothing of it when nobody asks. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Papa from 'papaparse';
import { expect, it } from 'vitest';
import { readSide } from '../../tools/verdict/compare/side.ts';
import { cli } from '../support/cli.ts';
import { startFakeBookstore } from '../support/fake-bookstore.ts';

it('cache and item are tags of the latency Trends, and compare counts the hits', async () => {
  const asked = new Map<string, number>();
  const target = await startFakeBookstore({
    override: ({ path }) => {
      const isbn = /^\/api\/books\/(\d{13})$/.exec(path)?.[1];
      if (isbn === undefined) return undefined;
      asked.set(isbn, (asked.get(isbn) ?? 0) + 1);
      return { status: 200, body: { isbn }, headers: { 'X-Cache': asked.get(isbn) === 1 ? 'MISS' : 'HIT' } };
    },
  });
  const tagsOf = async (...more: string[]) => {
    const cwd = mkdtempSync(join(tmpdir(), 'cache-tag-'));
    asked.clear();
    const words = ['run', 'book-details', '-q', '-e', `BASE_URL=${target.url}`, '-e', 'RATE=20', '-e', 'DURATION=2s'];
    const { stderr } = await cli([...words, '-e', 'POPULARITY=power:30', ...more], { cwd });
    const folder = join(cwd, 'results', readdirSync(join(cwd, 'results'))[0] ?? '');
    const text = readFileSync(join(folder, 'samples.csv'), 'utf8');
    const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
    const rows = data.filter((row) => row['metric_name'] === 'duration_2xx').map((row) => row['extra_tags'] ?? '');
    expect(rows.length, stderr).toBe(40);
    return { folder, rows };
  };
  try {
    const { rows, folder } = await tagsOf('-e', 'CACHE_TAG=item');
    // The pre-flight has asked for three books before: what is left is counted from the samples' own tags.
    const hits = rows.filter((tags) => /(^|&)cache=HIT(&|$)/.test(tags)).length;
    expect(hits).toBeGreaterThan(0);
    expect(rows.filter((tags) => /(^|&)cache=MISS(&|$)/.test(tags)).length).toBe(40 - hits);
    for (const tags of rows) expect(asked.has(/(?:^|&)item=(\d{13})(?:&|$)/.exec(tags)?.[1] ?? '')).toBe(true);
    const { touches } = await readSide([folder]);
    const [all, first] = (['all', 'first touch'] as const).map((touch) =>
      touches.get(touch)?.hits.reduce((sum, bin) => ({ n: sum.n + bin.n, total: sum.total + bin.total })),
    );
    expect(all).toEqual({ n: 40, total: hits });
    // Only the three books of the pre-flight may be there already.
    expect(first?.total).toBeLessThanOrEqual(3);
    const silent = await tagsOf();
    expect(silent.rows.join()).not.toMatch(/cache=|item=/);
    expect((await readSide([silent.folder])).touches.size).toBe(0);
  } finally {
    await target.close();
  }
}, 90_000);
