import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { largest, smallest } from '../../../lib/model/extremes.ts';

it('finds the ends of a series longer than the stack', () => {
  // 48 h of a sample a second; a spread of it into a call overflows the stack.
  const series = Array.from({ length: 172_800 }, (_, i) => (i * 7_919) % 172_800);
  // 7919 is prime and no divisor of 172800 = 2^8 3^3 5^2, so the remainders are all of 0 ... 172799.
  expect([smallest(series), largest(series)]).toEqual([0, 172_799]);
});

it('answers as Math.max and Math.min do for short series', () => {
  for (const series of [[], [3], [3, -1, 2], [Number.NaN, 1], [1, Number.NaN]]) {
    expect(largest(series)).toBe(Math.max(...series));
    expect(smallest(series)).toBe(Math.min(...series));
    expect(largest(series, 0)).toBe(Math.max(0, ...series));
  }
});

it('no tool spreads a series into Math.max or Math.min', () => {
  const sources = (folder: string) =>
    readdirSync(folder, { encoding: 'utf8', recursive: true })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name));
  const files = [...sources('tools'), ...sources('lib/summary')];
  expect(files.length).toBeGreaterThan(100);
  const spreads = /Math\.(max|min)\((?:[^();]|\([^()]*\))*\.\.\./;
  expect(files.filter((file) => spreads.test(readFileSync(file, 'utf8')))).toEqual([]);
});
