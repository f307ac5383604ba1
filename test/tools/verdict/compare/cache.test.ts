/** Cold and warm given as two runs: first touches and repeats apart, and a cold run that was not cold. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sessionRandom } from '../../../../lib/model/random.ts';
import { notComparable } from '../../../../tools/verdict/compare/comparable.ts';
import { compareSides } from '../../../../tools/verdict/compare/compare.ts';
import { printComparison } from '../../../../tools/verdict/compare/print.ts';
import { readSide } from '../../../../tools/verdict/compare/side.ts';
import { HEADER, made, requestRows } from '../support.ts';

const START = 1_795_982_260_000;
const ITEMS = 400;

/** A minute of 40 requests/s for uniform items; a first touch is a hit with this share, a repeat always; hits take 2 ms, misses 12. */
async function side(name: string, warm: number, state?: string, tags: 'item' | 'cache' | 'none' = 'item') {
  const random = sessionRandom(7, name.length);
  const seen = new Set<number>();
  const rows = Array.from({ length: 2400 }, (_, i) => {
    const item = Math.floor(random() * ITEMS);
    const hit = seen.has(item) || random() < warm;
    seen.add(item);
    const ms = (hit ? 2 : 12) + random();
    const at = START + i * 25;
    const told = tags === 'none' ? '' : `cache=${hit ? 'HIT' : 'MISS'}${tags === 'item' ? `&item=${item}` : ''}`;
    const plain = requestRows(at, ms);
    return (
      plain +
      requestRows(at, ms, { extra: told })
        .split('\n')
        .filter((row) => row.startsWith('http_req_duration'))
        .map((row) => row.replace('http_req_duration', 'duration_2xx'))
        .join('\n') +
      '\n'
    );
  });
  const path = made('samples.csv', `${HEADER}\n${rows.join('')}`);
  if (state !== undefined) {
    const requests = { type: 'counter', contains: 'default', values: { count: 2400, rate: 40 } };
    const summary = { metrics: { http_reqs: requests }, bookstoreLoad: { cache: state } };
    writeFileSync(join(dirname(path), 'summary.json'), JSON.stringify(summary));
  }
  return readSide([state === undefined ? path : dirname(path)]);
}

describe('two runs with a cache', () => {
  it('cold against warm: hit ratios with intervals, of first touches and repeats, and their latencies apart', async () => {
    const comparison = compareSides(await side('cold', 0), await side('warmed', 1));
    const row = (touch: string) => comparison.hits.find((one) => one.touch === touch);
    // 2,400 uniform draws of 400 touch all but 400 x e^-6 of them.
    expect(row('first touch')).toMatchObject({ a: 0, b: 1, difference: 1 });
    expect(row('first touch')?.nA).toBeGreaterThan(390);
    expect(row('repeat')).toMatchObject({ a: 1, b: 1 });
    expect(row('all')?.a).toBeCloseTo(1 - (row('first touch')?.nA ?? 0) / 2400, 12);
    const [low, high] = row('all')?.intervalA ?? [1, 0];
    expect(low).toBeLessThan(row('all')?.a ?? 0);
    expect(high).toBeGreaterThan(row('all')?.a ?? 1);
    const median = (endpoint: string) => comparison.rows.find((one) => one.endpoint === endpoint && one.p === 0.5);
    expect(median('first touch')).toMatchObject({ mark: 'faster' });
    expect(median('first touch')?.difference).toBeCloseTo(-10, 0);
    expect(median('repeat')).toMatchObject({ mark: '~' });
    expect(printComparison(comparison, false)).toMatch(/cache hits, first touch of an item: 0\.0 % .* to 100\.0 %/);
  });

  it.each([
    [0.46, true],
    [0.1, true],
    [0, false],
    [0.005, false],
  ])('a run declared cold whose first touches hit with %d: refused %s', async (share, refused) => {
    const cold = await side(`declared-${share}`, share, 'cold');
    expect(cold.declared).toBe('cold');
    const reasons = notComparable(cold, await side(`w-${share}`, 1, 'warm')).filter((one) => one.includes('not cold'));
    expect(reasons.length).toBe(refused ? 1 : 0);
    if (refused)
      expect(reasons[0]).toMatch(
        /A was run as CACHE=cold and was not cold: [\d.]+ % \([\d.]+ % to [\d.]+ %\) of its 39\d|40\d/,
      );
  });

  it.each(['cache', 'none'] as const)('a declared state that the tags (%s) cannot confirm is said', async (tags) => {
    const comparison = compareSides(
      await side(`c-${tags}`, 0, 'cold', tags),
      await side(`ww-${tags}`, 1, 'warm', tags),
    );
    expect(comparison.cacheUnknown).toMatch(/CACHE_TAG=item/);
    expect(comparison.hits.length).toBe(tags === 'cache' ? 1 : 0);
  });
});
