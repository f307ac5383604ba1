/** Files share their worker, so none may change what JavaScript itself offers to those that come after it. */
import { afterAll, expect } from 'vitest';

const BUILT_IN = [Array, Object, String, Number, RegExp, Date, Map, Set, Promise, Function, Uint8Array, ArrayBuffer];

function built(): unknown[] {
  return [...BUILT_IN, ...BUILT_IN.map((one) => one.prototype), Math, JSON, Reflect].map((one) =>
    Object.getOwnPropertyDescriptors(one),
  );
}

/** By function and not by name: a replaced function has the name of the old one. */
const before = built();

afterAll(() => {
  built().forEach((now, i) => {
    const then = before[i] as Record<string, PropertyDescriptor>;
    const changed = Object.entries(now as Record<string, PropertyDescriptor>).flatMap(([name, { value, get }]) =>
      Object.is(then[name]?.value, value) && then[name]?.get === get ? [] : [name],
    );
    expect(changed, 'what JavaScript itself offers was changed').toEqual([]);
  });
});
