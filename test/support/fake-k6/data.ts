/** Stands for `k6/data`: every array holds the rows of the test. */
import { fake } from './state.ts';

export class SharedArray {
  constructor() {
    // biome-ignore lint/correctness/noConstructorReturn: as in k6, what is made is read like an array.
    return new Proxy(this, { get: (_, key) => Reflect.get(fake.rows, key) });
  }
}
