import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Workload } from '../../../lib/model/workload.ts';
import type { Objectives } from '../../../lib/plan/objectives.ts';
import { scenarioFaults } from '../../../tools/build/check-scenarios.ts';
import { removeStale } from '../../../tools/build/main.ts';
import { readData, SOURCES, writeData } from '../../../tools/build/prepare.ts';

const folder = mkdtempSync(join(tmpdir(), 'scenarios-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const workload = JSON.parse(readFileSync('data/workload.json', 'utf8')) as Workload;
const objectives: Record<string, Objectives> = { default: { schemaVersion: 1, purpose: 'test', endpoints: {} } };
const shop: Workload = {
  ...workload,
  flows: { look: { share: 1, thinkTimes: { 'a->b': { law: 'fixed', value: 1 } } } },
};

/** A scenario file with one flow that thinks `step`. */
function scenario(name: string, rest: string, step = 'a->b', exported = 'look'): string {
  const file = join(folder, `${name}.ts`);
  const at = (path: string) => JSON.stringify(resolve(path));
  writeFileSync(
    file,
    `import http from 'k6/http';
import { ENDPOINTS } from ${at('scenarios/bookstore/endpoints.ts')};
import { sessionOf } from ${at('lib/session/session.ts')};
import { suite } from ${at('lib/suite.ts')};
const flow = (visit) => { visit.send(() => ({ endpoint: ENDPOINTS.list }), 'list', '/'); visit.think('${step}'); };
export const { options, setup, handleSummary } = suite({ name: '${name}', flows: { look: flow }, ${rest} });
export const ${exported} = sessionOf(flow);
`,
  );
  return file;
}
const faults = (file: string) => scenarioFaults([file], { workload, shop }, objectives);

describe('scenarios at build time', () => {
  it('of this repository fit their workload', async () => {
    const files = readdirSync('scenarios')
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join('scenarios', name));
    const thresholds = { ...objectives, ramp: objectives['default'] as Objectives };
    expect(await scenarioFaults(files, { workload }, thresholds)).toEqual([]);
  });
  it('may have a workload of their own', async () => {
    expect(await faults(scenario('own', "workload: 'shop'"))).toEqual([]);
  });
  it.each([
    ['flow', '', 'a->b', 'look', 'data/workload.json has no flow "look"'],
    ['step', "workload: 'shop'", 'a->c', 'look', 'data/shop-workload.json has no think time "a->c"'],
    ['file', "workload: 'none'", 'a->b', 'look', 'add data/none-workload.json'],
    ['export', "workload: 'shop'", 'a->b', 'other', '"look" is not exported'],
    ['objectives', "workload: 'shop', thresholds: 'nope'", 'a->b', 'look', 'add thresholds/nope.json'],
  ])('without their %s are refused', async (name, rest, step, exported, sentence) => {
    expect((await faults(scenario(name, rest, step, exported))).join()).toContain(sentence);
  });
});

describe('bundles of scenarios that are no more', () => {
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

describe('a data file of ids', () => {
  const prepare = (csv: string) => {
    const books = join(folder, 'ids.csv');
    writeFileSync(books, csv);
    const out = join(folder, 'data');
    writeData(readData({ ...SOURCES, books }).documents, out);
    return JSON.parse(readFileSync(join(out, 'rows.json'), 'utf8')) as string[];
  };
  it('may hold any ids that are there and differ', () => {
    const rows = prepare('\uFEFFid,category\r\nA-1,x\r\n"B,2",y\r\nC 3,x\r\n');
    expect(rows.slice(3, 6)).toEqual(['A-1', 'B,2', 'C 3']);
    expect([rows[0], rows[2], ...rows.slice(-2)]).toEqual(['3', '2', 'x', 'y']);
    expect(prepare('id\n7\n8\n').slice(3, 5)).toEqual(['7', '8']);
  });
  it.each([
    ['id,category\na,x\n,x\n', 'ids.csv:3: '],
    ['id\na\nb\na\n', 'ids.csv:4: id a'],
    ['id\n', 'ids.csv: a head'],
  ])('%j is refused', (csv, sentence) => {
    expect(() => prepare(csv)).toThrow(sentence);
  });
});
