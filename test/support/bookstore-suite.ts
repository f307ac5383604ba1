/** The bookstore's suite with pools of a test's own. */
import workload from '../../data/workload.json' with { type: 'json' };
import type { Workload } from '../../lib/model/workload.ts';
import { makePlan } from '../../lib/plan/plan.ts';
import type { Plan } from '../../lib/plan/planned.ts';
import { type Suite, type SuiteFacts, suiteOf } from '../../lib/plan/suite-facts.ts';
import { browse, checkout, searching } from '../../scenarios/bookstore/flows.ts';
import definition from '../../scenarios/bookstore/suite.ts';

export const FLOWS = { browse, search: searching, checkout };

/** 40,000 books, then 1,000 terms and 20 categories. */
export const POOLS: SuiteFacts['pools'] = {
  books: { from: 0, rows: 40_000, column: 'isbn', example: { isbn: '9790000000001' } },
  terms: { from: 40_000, rows: 1000, column: 'term', example: { term: 'harbour' } },
  categories: { from: 41_000, rows: 20, column: 'category', example: { category: 'fiction' } },
};

export const bookstore = (pools: SuiteFacts['pools'] = POOLS): Suite => suiteOf(definition, { pools });

export function bookstorePlan(
  env: Readonly<Record<string, string>> = {},
  flows: Partial<typeof FLOWS> = FLOWS,
  suite: Suite = bookstore(),
): Plan {
  const none = { schemaVersion: 1, purpose: 'test', endpoints: {} } as const;
  const test = { name: 'test', flows: flows as typeof FLOWS };
  return makePlan(test, suite, workload as unknown as Workload, env, { default: none, cold: none });
}
