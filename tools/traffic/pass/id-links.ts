/**
 * From which address and agent a session id came first. Servers that give out ids log none with the first request of a session;
 * that request is known by address and agent alone, and belongs to the id that comes from there next.
 */

export interface IdLinks {
  /** Whether an id, by its two keys, was not met before; now and then one that was. */
  isNew(id1: number, id2: number): boolean;
  add(id1: number, id2: number, address1: number, address2: number): void;
  /** What has been added since the last call: keys of id and address, four numbers each. */
  take(): readonly number[];
}

/** Ids that are remembered; another one takes the place of an older one. */
const PLACES = 1 << 14;

export function idLinks(): IdLinks {
  let known: Int32Array | undefined;
  let added: number[] = [];
  return {
    isNew(id1, id2) {
      known ??= new Int32Array(2 * PLACES);
      const place = 2 * ((id1 ^ (id2 >>> 7)) & (PLACES - 1));
      if (known[place] === id1 && known[place + 1] === id2) return false;
      known[place] = id1;
      known[place + 1] = id2;
      return true;
    },
    add(id1, id2, address1, address2) {
      added.push(id1, id2, address1, address2);
    },
    take() {
      const taken = added;
      if (taken.length > 0) added = [];
      return taken;
    },
  };
}

export interface PendingLinks {
  add(links: readonly number[]): void;
  /** The address and agent of an id, once. */
  take(id1: number, id2: number): readonly [number, number] | undefined;
}

/** Ids whose first request is still to be sorted into its place in time; others are met again and stay behind. */
const MOST_PENDING = 1 << 17;

export function pendingLinks(): PendingLinks {
  const pending = new Map<number, readonly [number, number, number]>();
  const keyOf = (id1: number, id2: number): number => (id1 >>> 0) * 2_097_152 + (id2 & 0x1fffff);
  return {
    add(links) {
      for (let i = 0; i < links.length; i += 4) {
        const [id1 = 0, id2 = 0, address1 = 0, address2 = 0] = links.slice(i, i + 4);
        pending.set(keyOf(id1, id2), [id2, address1, address2]);
      }
      for (const oldest of pending.keys()) {
        if (pending.size <= MOST_PENDING) break;
        pending.delete(oldest);
      }
    },
    take(id1, id2) {
      const key = keyOf(id1, id2);
      const link = pending.get(key);
      if (link === undefined || link[0] !== id2) return undefined;
      pending.delete(key);
      return [link[1], link[2]];
    },
  };
}
