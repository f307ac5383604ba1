import { describe, expect, it } from 'vitest';
import { drawnMeans } from '../../../lib/model/drawn-means.ts';

describe('what sessions of forms and a chain do on average', () => {
  // A geometric number of steps: 1 / (1 - 0.75) of them in the half of the sessions that follow the chain.
  const chain = { starts: { a: 1 }, next: { a: { b: 1 }, b: { b: 0.75 } } };
  const { steps, pairs } = drawnMeans({ forms: [{ share: 0.5, steps: ['a', 'a'] }], chain });

  it('counts steps', () => {
    expect(steps['a']).toBeCloseTo(0.5 * 2 + 0.5, 9);
    expect(steps['b']).toBeCloseTo(0.5 * 4, 9);
  });

  it('counts pairs: every step but the first of a session follows another one', () => {
    const of = (from: string, to: string) =>
      pairs.filter((pair) => pair[0] === from && pair[1] === to).reduce((sum, [, , n]) => sum + n, 0);
    expect(of('a', 'a')).toBeCloseTo(0.5, 9);
    expect(of('a', 'b')).toBeCloseTo(0.5, 9);
    expect(of('b', 'b')).toBeCloseTo(0.5 * 3, 9);
    expect(pairs.reduce((sum, [, , n]) => sum + n, 0)).toBeCloseTo(1.5 + 2 - 1, 9);
  });
});
