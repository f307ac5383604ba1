import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { SuiteDefinition } from '../../../lib/plan/suite-definition.ts';
import { readData, writeData } from '../../../tools/build/prepare.ts';
import { sourcesOf } from '../../../tools/build/suite-folder.ts';
import { GOOD_SUITE, OBJECTIVES, WORKLOAD, writeSuite } from '../../support/suite-folder.ts';

const scratch = mkdtempSync(join(tmpdir(), 'prepare-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const SHOP: SuiteDefinition = {
  endpoints: { item: 'GET /items/{sku}' },
  pools: { items: { file: 'items.csv', columns: { sku: 'text' }, law: 'workload' } },
};
let n = 0;
function prepare(files: Readonly<Record<string, string>> = {}, definition: SuiteDefinition = SHOP) {
  const suite = writeSuite(join(scratch, `${n++}`), { ...GOOD_SUITE, ...files });
  return readData(definition, join(suite, 'suite.ts'), sourcesOf(suite));
}

describe('prepared data', () => {
  it('are the documents that bundles read, and the facts of the suite', () => {
    const { documents, facts } = prepare({
      'environments/staging.json': '{ "RATE": 3 }',
      'data/sale-workload.json': WORKLOAD,
    });
    expect(Object.keys(documents).sort()).toEqual(
      ['environments', 'rows', 'sale-workload', 'thresholds', 'workload'].sort(),
    );
    expect(documents['rows']).toEqual(['a', 'b']);
    expect(documents['environments']).toEqual({ staging: { RATE: '3' } });
    expect(facts.popularPool).toBe('items');
    expect(facts.endpoints.map(({ name }) => name)).toEqual(['GET /items/{sku}']);
  });

  it('tell of variables which are secret, and never a value', () => {
    const variables: SuiteDefinition['variables'] = {
      PASSWORD: { kind: 'text', default: '', secret: true, help: 'Password.' },
      TENANT: { kind: 'text', default: 'acme', help: 'Tenant.' },
    };
    expect(prepare({}, { ...SHOP, variables }).facts.variables).toEqual([
      { name: 'PASSWORD', secret: true, help: 'Password.' },
      { name: 'TENANT', secret: false, help: 'Tenant.' },
    ]);
  });

  it('are written as JSON; a workload that is gone does not stay behind', () => {
    const out = join(scratch, 'out');
    writeData(prepare({ 'data/sale-workload.json': WORKLOAD }).documents, out);
    expect(existsSync(join(out, 'sale-workload.json'))).toBe(true);
    writeData(prepare().documents, out);
    expect(existsSync(join(out, 'sale-workload.json'))).toBe(false);
    expect(JSON.parse(readFileSync(join(out, 'rows.json'), 'utf8'))).toEqual(['a', 'b']);
  });

  const objectives = (rest: object) => JSON.stringify({ ...JSON.parse(OBJECTIVES), ...rest });
  it('know the suite’s own flows, endpoints, counters and steps of other protocols in objectives', () => {
    const counters = { sold_out: { means: 'note', says: '{n}' } } as const;
    const good = objectives({
      endpoints: { 'GET /items/{sku}': { '2xx': ['p(95)<9'] }, 'WS /stream': { '2xx': ['p(95)<9'] } },
      sessions: { look: ['p(95)<9000'] },
      validity: { sold_out: ['count==0'] },
    });
    expect(() => prepare({ 'thresholds/default.json': good }, { ...SHOP, counters })).not.toThrow();
    expect(() => prepare({ 'thresholds/default.json': good })).toThrow('unknown key "sold_out"');
  });

  it.each<[string, Readonly<Record<string, string>>, SuiteDefinition, string]>([
    ['an endpoint that cannot be', {}, { endpoints: { item: 'FETCH /x' } }, 'suite.ts: endpoint item "FETCH /x": '],
    [
      'two pools by the workload’s popularity',
      { 'data/more.csv': 'id\n1\n' },
      { ...SHOP, pools: { ...SHOP.pools, more: { file: 'more.csv', columns: { id: 'text' }, law: 'workload' } } },
      "pools items and more both follow the workload's popularity",
    ],
    [
      'a popularity that does not fit the rows of its pool',
      { 'data/workload.json': WORKLOAD.replace('{"law":"uniform"}', '{"law":"single","index":2}') },
      SHOP,
      'asks for item 3 of 2',
    ],
    [
      'objectives on an endpoint of another suite',
      { 'thresholds/default.json': objectives({ endpoints: { 'GET /item/{sku}': { checks: ['rate>0.9'] } } }) },
      SHOP,
      'unknown endpoint "GET /item/{sku}"; did you mean "GET /items/{sku}"?',
    ],
    [
      'objectives on a flow of another suite',
      { 'thresholds/default.json': objectives({ sessions: { brows: ['p(95)<1'] } }) },
      SHOP,
      'unknown flow "brows"',
    ],
  ])('refuse %s', (_, files, definition, sentence) => {
    expect(() => prepare(files, definition)).toThrow(sentence);
  });
});
