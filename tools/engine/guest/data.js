// The module `k6/data` inside the virtual machine: elements live in the engine as JSON texts, shared by all VUs.
import { ask, frozenJson, GoError, state } from 'k6:core';

const isIndex = (key) => typeof key === 'string' && /^(0|[1-9][0-9]*)$/.test(key);

function readOnly() {
  throw new TypeError('SharedArray is immutable');
}

class SharedArrayBase {
  constructor(name, fill) {
    if (!state.init) throw new GoError('new SharedArray must be called in the init context');
    if (typeof name !== 'string' || name === '') throw new GoError("empty name provided to SharedArray's constructor");
    if (typeof fill !== 'function')
      throw new GoError("a function is expected as the second argument of SharedArray's constructor");
    let length = ask('sharedLength', name);
    if (length === undefined) {
      const items = fill();
      if (!Array.isArray(items)) throw new GoError('only arrays can be made into SharedArray');
      // An element that JSON does not know (undefined, a function) is stored as such and fails when it is read.
      const texts = items.map((item) => JSON.stringify(item) ?? 'undefined');
      length = ask('sharedStore', JSON.stringify([name, texts]));
    }
    // biome-ignore lint/correctness/noConstructorReturn: k6's SharedArray is an exotic object, which only a proxy can be.
    return sharedProxy(name, length);
  }
}

function sharedProxy(name, length) {
  const element = (key) => {
    const index = Number(key);
    return index < length ? frozenJson(ask('sharedGet', `${index}:${name}`)) : undefined;
  };
  return new Proxy([], {
    get(target, key) {
      if (isIndex(key)) return element(key);
      return key === 'length' ? length : target[key];
    },
    has: (target, key) => (isIndex(key) ? Number(key) < length : key in target),
    ownKeys: () => [...Array.from({ length }, (_, i) => String(i)), 'length'],
    getOwnPropertyDescriptor(target, key) {
      if (isIndex(key) && Number(key) < length) {
        return { value: element(key), enumerable: true, configurable: true, writable: false };
      }
      return Object.getOwnPropertyDescriptor(target, key);
    },
    set: readOnly,
    defineProperty: readOnly,
    deleteProperty: readOnly,
    setPrototypeOf: readOnly,
  });
}

export const SharedArray = SharedArrayBase;
export default { SharedArray };
