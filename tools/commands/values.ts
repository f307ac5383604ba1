/** Values of options that may be given more than once, or must be of a kind. */
import { InvalidArgumentError } from '@commander-js/extra-typings';

/** For an option that may be given more than once. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

/** A whole number from `min` to `max`. */
export function integer(min: number, max: number): (value: string) => number {
  return (value) => {
    const n = Number(value);
    if (!/^\d+$/.test(value) || n < min || n > max) {
      throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
    }
    return n;
  };
}

/** A number from `min` to `max`. */
export function number(min: number, max: number): (value: string) => number {
  return (value) => {
    const n = Number(value);
    if (!/^\d*\.?\d+$/.test(value.trim()) || !(n >= min && n <= max)) {
      throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
    }
    return n;
  };
}
