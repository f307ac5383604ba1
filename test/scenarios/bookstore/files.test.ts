/** The bookstore's own files, as they are shipped: objectives, workload, load tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileObjectives, type Objectives } from '../../../lib/plan/objectives.ts';
import type { SuiteDefinition } from '../../../lib/plan/suite-definition.ts';
import { checkLoadTests } from '../../../tools/build/check-load-tests.ts';
import { readData } from '../../../tools/build/prepare.ts';
import { definitionFile, readDefinition, sourcesOf } from '../../../tools/build/suite-folder.ts';
import { parseWorkload } from '../../../tools/schemas/workload.ts';
import { ROOT } from '../../support/cli.ts';

const SHIPPED = ['ci', 'cold', 'default', 'flow', 'ramp', 'smoke', 'warm'];
const LOAD_TESTS = ['book-details', 'bookstore-mix', 'browse', 'checkout', 'closed-loop', 'ramp', 'search'];

describe('objectives', () => {
  it.each(SHIPPED)('of %s bind failures and checks of each endpoint', (name) => {
    const endpoints = ['GET /a', 'GET /b/{id}'];
    const objectives = JSON.parse(readFileSync(join(ROOT, 'thresholds', `${name}.json`), 'utf8')) as Objectives;
    const scope = { flows: ['browse'], scenarios: ['browse'], steps: [], counters: [], narrowed: true, warmsUp: false };
    const thresholds = compileObjectives(objectives, { ...scope, endpoints });
    for (const endpoint of endpoints) {
      for (const metric of ['http_req_failed', 'checks']) {
        const list = thresholds[`${metric}{name:${endpoint},phase:measure}`];
        expect(list?.length, `${metric} of ${endpoint}`).toBeGreaterThan(0);
      }
    }
  });
});

describe('workload', () => {
  it('is a right one', () => {
    const file = join(ROOT, 'data', 'workload.json');
    const text = readFileSync(file, 'utf8');
    expect(parseWorkload(text, file, 40_000)).toEqual(JSON.parse(text));
  });
});

describe('the suite', () => {
  let definition: SuiteDefinition;
  beforeAll(async () => {
    definition = await readDefinition(definitionFile(ROOT));
  });
  const prepared = () => readData(definition, definitionFile(ROOT), sourcesOf(ROOT));

  it('has its load tests fit the workload, and counts their flows', async () => {
    const files = LOAD_TESTS.map((name) => join(ROOT, 'scenarios', `${name}.ts`));
    const { faults, warnings, flows } = await checkLoadTests(files, prepared());
    expect(faults).toEqual([]);
    // Each decides its own objectives in the length that it has by default.
    expect(warnings).toEqual([]);
    // Flows of a load test's own (book-details, ramp, closed-loop) are none of the workload's.
    expect(Object.keys(flows['workload'] ?? {}).sort()).toEqual(['browse', 'checkout', 'search']);
    expect(flows['workload']?.['browse']?.requests).toEqual({ 'GET /api/books': 1, 'GET /api/books/{isbn}': 2 });
  });

  it('finds books, terms and categories in its files, each category once', () => {
    const { facts, documents } = prepared();
    const rows = documents['rows'] as readonly string[];
    const { books, terms, categories } = facts.pools;
    expect(facts.popularPool).toBe('books');
    expect([books?.from, terms?.from, categories?.from]).toEqual([
      0,
      books?.rows,
      (books?.rows ?? 0) + (terms?.rows ?? 0),
    ]);
    expect(rows).toHaveLength((categories?.from ?? 0) + (categories?.rows ?? 0));
    expect(books?.example).toEqual({ isbn: rows[0] });
    const names = rows.slice(categories?.from);
    expect(new Set(names).size).toBe(names.length);
  });
});
