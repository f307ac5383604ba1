import { expect, it } from 'vitest';
import { rowOf } from '../../../lib/model/pool-rows.ts';

it('rows of a pool are different for every scenario, session and take, and leave no gap', () => {
  const rows: number[] = [];
  for (let scenario = 0; scenario < 2; scenario++) {
    for (let iteration = 0; iteration < 4; iteration++) {
      for (let take = 0; take < 3; take++) {
        rows.push(rowOf(iteration, take, { scenario, scenarios: 2, rowsPerSession: 3 }));
      }
    }
  }
  expect(rows.sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, i) => i));
});
