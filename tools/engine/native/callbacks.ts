/** Methods of arrays, maps and sets in a realm whose scripts wait: they wait with their callbacks. */

/** Names of the methods. */
export const WAITING_METHODS = [
  'forEach',
  'map',
  'filter',
  'reduce',
  'reduceRight',
  'some',
  'every',
  'find',
  'findIndex',
  'findLast',
  'findLastIndex',
  'flatMap',
] as const;

/**
 * Source of a function `(G)` that gives the built-ins of its realm these methods; `G` is what a call that waits gives. Until a callback
 * waits they do what those of the language do; from then on the call is a generator.
 */
export const CALLBACKS = `(G) => {
  const STOP = {};
  const natives = Array.prototype;
  const has = (list, i) => i in list;
  const all = () => true;
  // begin: what is kept; given: arguments of the callback; take: what its value means; end: what the call gives.
  const value = (kept, list, i) => [list[i], i, list];
  const methods = {
    forEach: { begin: () => ({}), take: () => {}, end: () => undefined },
    map: {
      begin: (n) => ({ out: new Array(n) }),
      take: (kept, got, list, i) => void (kept.out[i] = got),
      end: ({ out }) => out,
    },
    filter: {
      begin: () => ({ out: [] }),
      take: (kept, got, list, i, item) => void (got && kept.out.push(item)),
      end: ({ out }) => out,
    },
    flatMap: {
      begin: () => ({ out: [] }),
      take: (kept, got) => {
        if (!Array.isArray(got)) kept.out.push(got);
        else for (let i = 0; i < got.length; i++) if (i in got) kept.out.push(got[i]);
      },
      end: ({ out }) => out,
    },
    some: { begin: () => ({ is: false }), take: (kept, got) => (got ? ((kept.is = true), STOP) : undefined), end: ({ is }) => is },
    every: { begin: () => ({ is: true }), take: (kept, got) => (got ? undefined : ((kept.is = false), STOP)), end: ({ is }) => is },
    find: {
      looks: all,
      begin: () => ({}),
      take: (kept, got, list, i, item) => (got ? ((kept.found = item), STOP) : undefined),
      end: ({ found }) => found,
    },
    findIndex: {
      looks: all,
      begin: () => ({ at: -1 }),
      take: (kept, got, list, i) => (got ? ((kept.at = i), STOP) : undefined),
      end: ({ at }) => at,
    },
  };
  methods.findLast = { ...methods.find, backwards: true };
  methods.findLastIndex = { ...methods.findIndex, backwards: true };
  const lengthOf = (list) => Math.min(Math.max(Math.trunc(Number(list.length)) || 0, 0), Number.MAX_SAFE_INTEGER);
  const put = (on, name, make) => {
    const native = on[name];
    if (native === undefined) return;
    const made = make(native);
    Object.defineProperty(made, 'name', { value: name, configurable: true });
    Object.defineProperty(made, 'length', { value: 1, configurable: true });
    Object.defineProperty(on, name, { value: made, writable: true, enumerable: false, configurable: true });
  };
  /** Calls from i on; a generator from the first that waits on. */
  const walk = (list, i, last, by, looks, call, take, end) => {
    for (; i !== last; i += by) {
      if (!looks(list, i)) continue;
      const item = list[i];
      const got = call(item, i);
      if (got instanceof G) return wait(got, item, list, i, last, by, looks, call, take, end);
      if (take(got, i, item) === STOP) return end();
    }
    return end();
  };
  const wait = function* (first, item, list, i, last, by, looks, call, take, end) {
    if (take(yield first, i, item) === STOP) return end();
    const rest = walk(list, i + by, last, by, looks, call, take, end);
    return rest instanceof G ? yield rest : rest;
  };
  for (const [name, { begin, take, end, looks = has, backwards = false }] of Object.entries(methods)) {
    put(natives, name, (native) => {
      return function (callback, self) {
        if (this === null || this === undefined || typeof callback !== 'function') return native.call(this, callback, self);
        const list = Object(this);
        const n = lengthOf(list);
        const kept = begin(n);
        const [from, last, by] = backwards ? [n - 1, -1, -1] : [0, n, 1];
        return walk(
          list,
          from,
          last,
          by,
          looks,
          (item, i) => callback.call(self, item, i, list),
          (got, i, item) => take(kept, got, list, i, item),
          () => end(kept),
        );
      };
    });
  }
  for (const [name, backwards] of [['reduce', false], ['reduceRight', true]]) {
    put(natives, name, (native) => {
      return function (callback, ...initial) {
        if (this === null || this === undefined || typeof callback !== 'function') return native.call(this, callback, ...initial);
        const list = Object(this);
        const n = lengthOf(list);
        let [from, last, by] = backwards ? [n - 1, -1, -1] : [0, n, 1];
        let sum;
        if (initial.length > 0) sum = initial[0];
        else {
          while (from !== last && !(from in list)) from += by;
          if (from === last) return native.call(this, callback);
          sum = list[from];
          from += by;
        }
        return walk(
          list,
          from,
          last,
          by,
          has,
          (item, i) => callback(sum, item, i, list),
          (got) => void (sum = got),
          () => sum,
        );
      };
    });
  }
  for (const Kind of [Map, Set]) {
    put(Kind.prototype, 'forEach', (native) => {
      return function (callback, self) {
        if (typeof callback !== 'function' || !(this instanceof Kind)) return native.call(this, callback, self);
        const entries = Kind.prototype.entries.call(this);
        const step = () => {
          for (;;) {
            const { done, value } = entries.next();
            if (done) return undefined;
            const got = callback.call(self, value[1], value[0], this);
            if (got instanceof G) return later(got);
          }
        };
        const later = function* (got) {
          yield got;
          const rest = step();
          return rest instanceof G ? yield rest : rest;
        };
        return step();
      };
    });
  }
}`;
