/** A suite in a temporary folder, for tests of the build. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const LIB = resolve(import.meta.dirname, '../../lib');
/** Path of a module of the library, as code of the suite imports it. */
export const lib = (name: string): string => JSON.stringify(join(LIB, `${name}.ts`));

export const OBJECTIVES = JSON.stringify({
  schemaVersion: 1,
  purpose: 'test',
  endpoints: { '*': { failed: ['rate<0.5'] } },
});

/** A workload with one flow `look` that thinks `a->b`. */
export const WORKLOAD = JSON.stringify({
  schemaVersion: 1,
  provenance: { source: 'test', notes: [] },
  arrivals: { rate: 5, process: 'poisson' },
  flows: { look: { share: 1, thinkTimes: { 'a->b': { law: 'fixed', value: 1 } } } },
  popularity: { law: 'uniform' },
  latency: { healthyMs: 20, degradedMs: 1000 },
  cdnShare: 0,
});

/** The file that defines a suite. @param rest of the definition */
export const definition = (rest = '', endpoints = "item: 'GET /items/{sku}'"): string =>
  `import { defineSuite } from ${lib('plan/suite-definition')};
export default defineSuite({ endpoints: { ${endpoints} }, ${rest} });
`;

export const ITEMS = "pools: { items: { file: 'items.csv', columns: { sku: 'text' }, law: 'workload' } },";

/** A load test of one flow `look`. @param rest of what it says of itself */
export const loadTest = (name: string, rest = '', flow = "call('item', pick('items')); think('a->b');"): string =>
  `import { loadTest } from ${lib('load-test')};
import { sessionOf } from ${lib('session/session')};
const flow = ({ call, pick, think }) => { ${flow} };
export const { options, setup, handleSummary } = loadTest({ name: '${name}', flows: { look: flow }, ${rest} });
export const look = sessionOf(flow);
`;

/** Files of a suite that can be built. */
export const GOOD_SUITE: Readonly<Record<string, string>> = {
  'suite.ts': definition(ITEMS),
  'scenarios/shop.ts': loadTest('shop'),
  'data/items.csv': 'sku\na\nb\n',
  'data/workload.json': WORKLOAD,
  'thresholds/default.json': OBJECTIVES,
};

/** Writes the files of a suite; gives its folder. */
export function writeSuite(folder: string, files: Readonly<Record<string, string>> = GOOD_SUITE): string {
  for (const [name, text] of Object.entries(files)) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return folder;
}
