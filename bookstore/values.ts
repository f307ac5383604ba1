/** Parsers for the values of command-line flags. */
import { InvalidArgumentError } from 'commander';

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
    if (value.trim() === '' || !(n >= min && n <= max)) {
      throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
    }
    return n;
  };
}
