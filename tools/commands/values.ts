/** Values of options that may be given more than once, or must be of a kind. */
import { InvalidArgumentError } from '@commander-js/extra-typings';

/** For an option that may be given more than once. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

/** A number of this range. */
export function number(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !(value >= least && value <= most))
      throw new InvalidArgumentError(`Give a number from ${least} to ${most}.`);
    return value;
  };
}
