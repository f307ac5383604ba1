/** Stands for `k6`. */
import { fake } from './state.ts';

/** As in k6, a value that is no function is taken for the outcome itself. */
export function check(value: unknown, checks: Readonly<Record<string, unknown>>, tags = {}): boolean {
  let all = true;
  for (const [name, one] of Object.entries(checks)) {
    const held = Boolean(typeof one === 'function' ? one(value) : one);
    fake.checks.push({ name, held, tags: { ...tags } });
    all &&= held;
  }
  return all;
}

export const sleep = (seconds: number): void => {
  fake.slept.push(seconds);
};
