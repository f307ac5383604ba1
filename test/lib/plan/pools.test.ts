import { describe, expect, it } from 'vitest';
import { rowOf } from '../../../lib/model/pool-rows.ts';
import { POOL_ENTRY, type PoolSettings } from '../../../lib/model/session-settings.ts';
import type { PoolDefinition } from '../../../lib/plan/pool-definition.ts';
import { planPools, poolEntries } from '../../../lib/plan/pools.ts';

const pool = (law: PoolDefinition['law'], rest: Partial<PoolDefinition> = {}): PoolDefinition => ({
  file: 'p.csv',
  columns: { sku: 'text' },
  law,
  ...rest,
});
const FACTS = { from: 5, rows: 10, column: 'sku' };
const planned = (definition: PoolDefinition, env: Readonly<Record<string, string>> = {}) =>
  planPools({ p: definition }, { p: FACTS }, { popularity: { law: 'power', g: 3 } }, env)[0];

const entry = (entries: Readonly<Record<string, string>>) =>
  JSON.parse(entries[`${POOL_ENTRY}p`] as string) as PoolSettings;

describe('the law of a pool', () => {
  it('is its own, or the workload’s where it says so, which POPULARITY replaces', () => {
    expect(planned(pool({ law: 'uniform' }))).toEqual({
      ...FACTS,
      ...{ name: 'p', law: { law: 'uniform' }, whenUsedUp: 'stop', popular: false },
    });
    expect(planned(pool('workload'))).toMatchObject({ law: { law: 'power', g: 3 }, popular: true });
    expect(planned(pool('workload'), { POPULARITY: 'zipf:1' })?.law).toEqual({ law: 'zipf', s: 1 });
    expect(planned(pool('workload'), { POPULARITY: 'once' })?.law).toBe('once');
    // Those with a law of their own stay as they are.
    expect(planned(pool('sequential'), { POPULARITY: 'once' })?.law).toBe('sequential');
  });

  it('that does not fit the rows is refused with a remedy that there is', () => {
    expect(() => planned(pool({ law: 'single', index: 10 }))).toThrow(
      /^pool p: .*asks for item 11 of 10.*: give it another law$/,
    );
    expect(() => planned(pool('workload'), { POPULARITY: 'single:10' })).toThrow(
      /asks for item 11 of 10.*: give another POPULARITY or a data file that it fits$/,
    );
    expect(() => planPools({ p: pool('once') }, {}, { popularity: { law: 'uniform' } }, {})).toThrow(
      'pool p: the build has no rows of it',
    );
  });

  it('`once` stops when rows are used up, unless the definition says `wrap`; POOL has the last word', () => {
    expect(planned(pool('once'))?.whenUsedUp).toBe('stop');
    expect(planned(pool('once', { whenUsedUp: 'wrap' }))?.whenUsedUp).toBe('wrap');
    expect(planned(pool('once', { whenUsedUp: 'wrap' }), { POOL: 'stop' })?.whenUsedUp).toBe('stop');
    expect(planned(pool('once'), { POOL: 'wrap' })?.whenUsedUp).toBe('wrap');
  });
});

describe('what virtual users are told of a pool', () => {
  /** Flow 1 of three, of which the first and this one pick. */
  const told = (definition: PoolDefinition, picks: Readonly<Record<string, number>> = {}) => {
    const pools = planPools({ p: definition }, { p: FACTS }, { popularity: { law: 'uniform' } }, {});
    return entry(poolEntries(pools, [{ picks: { p: 1 } }, { picks }, { picks: {} }], 1, 0, 2));
  };

  it('is no more than its law needs', () => {
    expect(told(pool({ law: 'uniform' }))).toEqual({ ...FACTS, law: { law: 'uniform' } });
    expect(told(pool('workload'))).toEqual({ ...FACTS, law: { law: 'uniform' }, traced: true });
    const stripe = { scenario: 1, scenarios: 4, rowsPerSession: 2 };
    expect(told(pool('sequential'), { p: 2 })).toEqual({ ...FACTS, law: 'sequential', stripe });
    expect(told(pool('once'), { p: 2 })).toEqual({ ...FACTS, law: 'once', stripe, whenUsedUp: 'stop' });
    // A flow that does not pick has no rows, so that those that do have them all.
    expect(told(pool('once'))).toEqual({ ...FACTS, law: 'once', whenUsedUp: 'stop' });
  });

  it.each(['once', 'sequential'] as const)('gives a row of `%s` to one pick of the run, and leaves no gap', (law) => {
    const [sessions, rowsPerSession] = [4, 2];
    const pools = planPools({ p: pool(law) }, { p: FACTS }, { popularity: { law: 'uniform' } }, {});
    // Two of three flows pick, in a warm-up and in the measured phase.
    const flows = [{ picks: { p: rowsPerSession } }, { picks: { q: 1 } }, { picks: { p: 1 } }];
    const rows: number[] = [];
    for (const [flow, phase] of [
      [0, 0],
      [2, 0],
      [0, 1],
      [2, 1],
    ] as const) {
      const { stripe } = entry(poolEntries(pools, flows, flow, phase, 2));
      if (stripe === undefined) throw new Error('no stripe');
      for (let session = 0; session < sessions; session++) {
        for (let take = 0; take < rowsPerSession; take++) rows.push(rowOf(session, take, stripe));
      }
    }
    expect(rows.sort((a, b) => a - b)).toEqual(Array.from({ length: 32 }, (_, i) => i));
  });
});
