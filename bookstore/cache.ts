/** The output cache of the details endpoint: whole answers, for a fixed time, at most so many. */

export interface CacheHit {
  readonly body: string;
  /** Whole seconds since the answer was made, for the `Age` header. */
  readonly age: number;
}

export interface OutputCache {
  /** Counts a hit; a miss is counted when the answer is asked of the database. */
  get(key: string): CacheHit | undefined;
  /**
   * Makes the answer, or waits for one that is being made for the same key, so that an entry that runs out under load
   * costs its two statements once. An answer of `undefined` (no such item) is not kept.
   */
  load(key: string, make: () => Promise<string | undefined>): Promise<string | undefined>;
  purge(): number;
  setTtl(seconds: number): void;
  readonly ttlSeconds: number;
  readonly counts: {
    readonly hits: number;
    readonly misses: number;
    readonly waited: number;
    readonly evicted: number;
    readonly entries: number;
  };
}

export interface CacheOptions {
  /** 0 switches the cache off. */
  readonly ttlSeconds: number;
  /** Entries at most; the oldest leaves first. */
  readonly maxEntries: number;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
}

interface Entry {
  readonly body: string;
  readonly madeAt: number;
}

/** An empty cache. */
export function outputCache({ ttlSeconds, maxEntries, now = () => performance.now() }: CacheOptions): OutputCache {
  // A Map keeps the order of insertion, and all entries live equally long: the first one is always the oldest.
  const entries = new Map<string, Entry>();
  const loading = new Map<string, Promise<string | undefined>>();
  let ttl = ttlSeconds * 1_000;
  let generation = 0;
  const counts = { hits: 0, misses: 0, waited: 0, evicted: 0 };

  const store = (key: string, body: string): void => {
    if (ttl <= 0) return;
    entries.delete(key);
    entries.set(key, { body, madeAt: now() });
    for (const [oldest, { madeAt }] of entries) {
      const expired = now() - madeAt >= ttl;
      if (!expired && entries.size <= maxEntries) break;
      entries.delete(oldest);
      if (!expired) counts.evicted++;
    }
  };

  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      const age = now() - entry.madeAt;
      if (age >= ttl) {
        entries.delete(key);
        return undefined;
      }
      counts.hits++;
      return { body: entry.body, age: Math.floor(age / 1_000) };
    },
    load: (key, make) => {
      counts.misses++;
      const current = loading.get(key);
      if (current !== undefined) {
        counts.waited++;
        return current;
      }
      const madeIn = generation;
      const made = make()
        .then((body) => {
          // What was read before a purge must not survive it.
          if (body !== undefined && madeIn === generation) store(key, body);
          return body;
        })
        .finally(() => {
          if (loading.get(key) === made) loading.delete(key);
        });
      loading.set(key, made);
      return made;
    },
    purge: () => {
      const purged = entries.size;
      entries.clear();
      loading.clear();
      generation++;
      return purged;
    },
    setTtl: (seconds) => {
      ttl = seconds * 1_000;
    },
    get ttlSeconds() {
      return ttl / 1_000;
    },
    get counts() {
      return { ...counts, entries: entries.size };
    },
  };
}
