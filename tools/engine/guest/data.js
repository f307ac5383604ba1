// The module `k6/data` inside the virtual machine: elements live in the engine as JSON texts, shared by all VUs.
import { ask, direct, state } from 'k6:core';
import { frozenJson, GoError } from 'k6:shared';

/** The number of an element; -1 for the name of anything else. */
function indexOf(key) {
  if (typeof key !== 'string') return -1;
  const first = key.charCodeAt(0);
  if (!(first >= 48 && first <= 57)) return -1;
  const index = Number(key);
  return Number.isInteger(index) && String(index) === key ? index : -1;
}

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
  const element = elementsOf(name);
  return new Proxy([], {
    get(target, key) {
      const index = indexOf(key);
      if (index >= 0) return index < length ? element(index) : undefined;
      return key === 'length' ? length : target[key];
    },
    has(target, key) {
      const index = indexOf(key);
      return index >= 0 ? index < length : key in target;
    },
    ownKeys: () => [...Array.from({ length }, (_, i) => String(i)), 'length'],
    getOwnPropertyDescriptor(target, key) {
      const index = indexOf(key);
      if (index >= 0 && index < length) {
        return { value: element(index), enumerable: true, configurable: true, writable: false };
      }
      return Object.getOwnPropertyDescriptor(target, key);
    },
    set: readOnly,
    defineProperty: readOnly,
    deleteProperty: readOnly,
    setPrototypeOf: readOnly,
  });
}

/** Reads elements: objects and lists anew at each look, frozen; what cannot be changed is the same for all VUs that one engine runs. */
function elementsOf(name) {
  if (direct === undefined) return (index) => frozenJson(ask('sharedGet', `${index}:${name}`));
  const { texts, values } = direct.shared(name);
  return (index) => {
    const known = values[index];
    if (known !== undefined) return known;
    const value = frozenJson(texts[index]);
    if (value === null || typeof value !== 'object') values[index] = value;
    return value;
  };
}

export const SharedArray = SharedArrayBase;
export default { SharedArray };
