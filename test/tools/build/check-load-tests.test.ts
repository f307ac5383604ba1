import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Workload } from '../../../lib/model/workload.ts';
import type { Objectives } from '../../../lib/plan/objectives.ts';
import { suiteOf } from '../../../lib/plan/suite-facts.ts';
import { checkLoadTests } from '../../../tools/build/check-load-tests.ts';
import { removeStale } from '../../../tools/build/main.ts';
import { NO_OBJECTIVES } from '../../support/shop.ts';
import { lib, loadTest, WORKLOAD, writeSuite } from '../../support/suite-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'load-tests-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shop = JSON.parse(WORKLOAD) as Workload;
const other: Workload = { ...shop, flows: { buy: { share: 1, thinkTimes: {} } } };
const pools = { items: { from: 0, rows: 2, column: 'sku', example: { sku: 'a' } } };
const suite = suiteOf(
  {
    endpoints: { item: 'GET /items/{sku}' },
    pools: { items: { file: 'items.csv', columns: { sku: 'text' }, law: 'workload' } },
  },
  { pools },
);

/** Checks one load test; the suite's default workload has no flow `look`. */
async function check(name: string, text: string, thresholds: Objectives = NO_OBJECTIVES) {
  writeSuite(folder, { [`${name}.ts`]: text });
  const known = { suite, workloads: { workload: other, shop }, thresholds: { default: thresholds } };
  return checkLoadTests([join(folder, `${name}.ts`)], known);
}

describe('counters of the suite', () => {
  const counting = (name: string) =>
    `import { Counter } from 'k6/metrics';\nconst sold = new Counter('${name}');\n${loadTest('counting', "workload: 'shop'")}`;
  const faults = async (name: string) => {
    writeSuite(folder, { 'counting.ts': counting(name) });
    const counters = { sold_out: { means: 'note' as const, says: '{n}' } };
    const thresholds = { default: NO_OBJECTIVES };
    const known = {
      suite: { ...suite, definition: { ...suite.definition, counters } },
      workloads: { shop },
      thresholds,
    };
    return (await checkLoadTests([join(folder, 'counting.ts')], known)).faults;
  };

  it('that no load test makes would be 0 for ever, and are refused', async () => {
    expect(await faults('sold_out')).toEqual([]);
    expect(await faults('sold_uot')).toEqual([
      'the suite\'s counter "sold_out" is made by no load test: "sold_uot" is made: one of the two is misspelt',
    ]);
    expect((await faults('cheap')).join()).toContain("make it with counter('sold_out'), or take it out");
  });
});

describe('load tests at build time', () => {
  it('may have a workload of their own, under whose name their flows are counted', async () => {
    expect(await check('own', loadTest('own', "workload: 'shop'"))).toEqual({
      faults: [],
      warnings: [],
      flows: { shop: { look: { requests: { 'GET /items/{sku}': 1 }, thinks: ['a->b'], picks: { items: 1 } } } },
      loadTests: { own: 'shop' },
    });
  });

  it('are warned of objectives that their length cannot decide, with the length that does', async () => {
    const endpoints = { 'GET /items/{sku}': { '2xx': ['p(95)<300', 'p(99.9)<300'], failed: ['rate<0.0001'] } };
    const objectives = { ...NO_OBJECTIVES, endpoints };
    const { warnings } = await check('rare', loadTest('rare', "workload: 'shop'"), objectives);
    const sessions = shop.arrivals.rate * 180;
    // One request a session: a p(99.9) needs 10,000, fewer than 0.01 % failures 36,888 without one.
    expect(warnings).toEqual([
      expect.stringMatching(
        new RegExp(
          `rare.ts: its planned length cannot decide .*p\\(99.9\\)<300 \\(${sessions} samples, 10000 needed\\) and 1 more; run it for `,
        ),
      ),
    ]);
  });

  it.each([
    ['the session', 'random() < 0.3'],
    ['Math.random', 'Math.random() < 0.3'],
  ])('are warned of a flow that sends what %s draws', async (_, chance) => {
    const flow = `if (${chance}) call('item', pick('items')); think('a->b');`;
    const text = loadTest('dice', "workload: 'shop'", flow).replace(
      '{ call, pick, think }',
      '{ call, pick, think, random }',
    );
    const { warnings, faults } = await check('dice', text);
    expect(faults).toEqual([]);
    expect(warnings.join()).toMatch(/dice\.ts: what a session of look sends, thinks or picks depends on chance/);
    expect(Math.random()).not.toBe(Math.random());
  });

  it('are warned of answers that are read without an example', async () => {
    const flow = "for (const one of call('item', pick('items')).json('items')) call('item', one); think('a->b');";
    expect((await check('reads', loadTest('reads', "workload: 'shop'", flow))).warnings).toEqual([
      expect.stringMatching(/reads\.ts: look reads answers of GET \/items\/\{sku\}: give it an `example`, or/),
    ]);
  });

  it('are checked each time anew, as a build that watches does', async () => {
    const text = loadTest('again', "workload: 'shop'", "think('a->c');");
    for (let i = 0; i < 2; i++) expect((await check('again', text)).faults).toHaveLength(1);
  });

  it('with think times and shares of their own need no workload that knows them, and are none of its flows', async () => {
    const own = "own: { look: { share: 1, thinkTimes: { 'a->b': { law: 'fixed', value: 1 } } } }";
    expect(await check('alone', loadTest('alone', own))).toEqual({
      faults: [],
      warnings: [],
      flows: {},
      loadTests: { alone: 'workload' },
    });
  });

  it('leave a script alone that is no load test of the suite', async () => {
    expect(await check('foreign', "import http from 'k6/http'; export default () => http.get('x');")).toEqual({
      faults: [],
      warnings: [],
      flows: {},
      loadTests: {},
    });
  });

  const exported = loadTest('export', "workload: 'shop'").replace('const look', 'const other');
  it.each([
    ['flow', loadTest('flow'), 'data/workload.json has no flow "look"'],
    [
      'step',
      loadTest('step', "workload: 'shop'", "think('a->c');"),
      'data/shop-workload.json has no think time "a->c"',
    ],
    ['file', loadTest('file', "workload: 'none'"), 'add data/none-workload.json'],
    ['export', exported, '"look" is not exported'],
    ['summary', loadTest('summary', "workload: 'shop'").replace(', handleSummary', ''), '"handleSummary" is not exp'],
    ['objectives', loadTest('objectives', "workload: 'shop', thresholds: 'nope'"), 'add thresholds/nope.json'],
    ['name', loadTest('other', "workload: 'shop'"), 'it calls itself "other": name it "name"'],
    [
      'endpoint',
      loadTest('endpoint', "workload: 'shop'", "call('itme', { sku: '1' });"),
      'the flow look cannot be counted (the suite has no endpoint "itme": did you mean "item"?)',
    ],
    ['pool', loadTest('pool', "workload: 'shop'", "pick('books');"), 'the suite has no pool "books"'],
    ['library', `import ${lib('nowhere')};`, 'library.ts: '],
  ])('without their %s are refused', async (name, text, sentence) => {
    expect((await check(name, text)).faults.join()).toContain(sentence);
  });
});

describe('bundles of load tests that are no more', () => {
  it('are deleted, and nothing else', () => {
    const out = join(folder, 'dist');
    mkdirSync(out);
    const bundle = 'const o=()=>open("./lib/lifecycle.js");';
    for (const name of ['kept.js', 'gone.js']) writeFileSync(join(out, name), bundle);
    writeFileSync(join(out, 'mine.js'), 'export default () => {};');
    writeFileSync(join(out, 'cli.mjs'), '');
    removeStale(out, ['kept.ts']);
    expect(readdirSync(out).sort()).toEqual(['cli.mjs', 'kept.js', 'mine.js']);
  });
});
