import { describe, expect, it } from 'vitest';
import { outputCache } from '../../bookstore/cache.ts';

function cacheAt(ttlSeconds: number, maxEntries = 100) {
  const clock = { ms: 0 };
  return { clock, cache: outputCache({ ttlSeconds, maxEntries, now: () => clock.ms }) };
}

describe('output cache', () => {
  it('answers until the time to live is over, with the age in whole seconds', async () => {
    const { clock, cache } = cacheAt(60);
    expect(cache.get('a')).toBeUndefined();
    await cache.load('a', async () => 'A');
    clock.ms = 59_999;
    expect(cache.get('a')).toEqual({ body: 'A', age: 59 });
    clock.ms = 60_000;
    expect(cache.get('a')).toBeUndefined();
    expect(cache.counts).toMatchObject({ hits: 1, misses: 1, entries: 0 });
  });

  it('makes an answer once for all who wait for it', async () => {
    const { cache } = cacheAt(60);
    let made = 0;
    const make = async () => String(++made);
    expect(await Promise.all([cache.load('a', make), cache.load('a', make), cache.load('b', make)])).toEqual([
      '1',
      '1',
      '2',
    ]);
    expect(cache.counts).toMatchObject({ misses: 3, waited: 1, entries: 2 });
  });

  it('keeps at most so many, the newest', async () => {
    const { cache } = cacheAt(60, 3);
    for (const key of ['a', 'b', 'c', 'a2', 'b2']) await cache.load(key, async () => key);
    expect(['a', 'b', 'c', 'a2', 'b2'].map((key) => cache.get(key)?.body)).toEqual([
      undefined,
      undefined,
      'c',
      'a2',
      'b2',
    ]);
    expect(cache.counts).toMatchObject({ evicted: 2, entries: 3 });
  });

  it('lets expired entries go without being asked for them', async () => {
    const { clock, cache } = cacheAt(60);
    for (let n = 0; n < 50; n++) await cache.load(`old ${n}`, async () => 'x');
    clock.ms = 61_000;
    await cache.load('new', async () => 'y');
    expect(cache.counts).toMatchObject({ entries: 1, evicted: 0 });
  });

  it('keeps neither absent items nor failures', async () => {
    const { cache } = cacheAt(60);
    expect(await cache.load('a', async () => undefined)).toBeUndefined();
    await expect(cache.load('b', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await cache.load('b', async () => 'B')).toBe('B');
    expect(cache.counts.entries).toBe(1);
  });

  it('forgets what was read before a purge, even when it arrives after it', async () => {
    const { cache } = cacheAt(60);
    let deliver: (body: string) => void = () => undefined;
    const slow = cache.load('a', () => new Promise((resolve) => (deliver = resolve)));
    await cache.load('b', async () => 'B');
    expect(cache.purge()).toBe(1);
    const fresh = cache.load('a', async () => 'new');
    deliver('old');
    expect(await slow).toBe('old');
    expect(await fresh).toBe('new');
    expect(cache.get('a')?.body).toBe('new');
  });

  it('is off with a time to live of 0, and takes a new one at once', async () => {
    const { clock, cache } = cacheAt(0);
    await cache.load('a', async () => 'A');
    expect(cache.get('a')).toBeUndefined();
    cache.setTtl(10);
    await cache.load('a', async () => 'A');
    clock.ms = 5_000;
    expect(cache.get('a')).toEqual({ body: 'A', age: 5 });
    cache.setTtl(5);
    expect(cache.get('a')).toBeUndefined();
  });
});
