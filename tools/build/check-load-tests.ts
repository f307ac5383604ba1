/** Holds every load test against its workload at build time, so that no run begins with a flow or a think time that is not there. */
import { basename, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { build } from 'esbuild';
import { closeMatch } from '../../lib/model/nearest.ts';
import { DEFAULT_WORKLOAD, type Workload, workloadFile } from '../../lib/model/workload.ts';
import { type FlowRecord, type RecordingSuite, recordFlow } from '../../lib/plan/flow-record.ts';
import type { LoadTest } from '../../lib/plan/load-test.ts';
import { ownValues } from '../../lib/plan/own-variables.ts';
import { makePlan } from '../../lib/plan/plan.ts';
import type { SuiteFacts } from '../../lib/plan/suite-facts.ts';
import { importText, withoutK6 } from './import-text.ts';
import { ownLibrary } from './own-library.ts';
import type { Prepared } from './prepare.ts';
import { undecidableOf, undecidableText } from './undecidable.ts';

/** What a file of `scenarios/` says and exports. */
interface Loaded {
  readonly tests: readonly LoadTest[];
  readonly exported: readonly string[];
  /** Names of the metrics that it makes, the library's among them. */
  readonly metrics: readonly unknown[];
}

export interface CheckedLoadTests {
  /** Sentences about every load test that does not fit; empty when all do. */
  readonly faults: readonly string[];
  /** Sentences about load tests that cannot decide their own objectives; they run all the same. */
  readonly warnings: readonly string[];
  /** What sessions send, by workload and flow. */
  readonly flows: SuiteFacts['flows'];
  /** Workload of each load test. */
  readonly loadTests: Readonly<Record<string, string>>;
}

type Known = Pick<Prepared, 'suite' | 'workloads' | 'thresholds'>;

/** @param files paths of files of `scenarios/` */
export async function checkLoadTests(files: readonly string[], known: Known): Promise<CheckedLoadTests> {
  const faults: string[] = [];
  const warnings: string[] = [];
  const flows: Record<string, SuiteFacts['flows'][string]> = {};
  const loadTests: Record<string, string> = {};
  const metrics = new Set<unknown>();
  for (const file of files) {
    try {
      const loaded = await load(file);
      for (const name of loaded.metrics) metrics.add(name);
      const [test] = loaded.tests;
      // A script that is none of the suite's has nothing to be held against.
      if (test === undefined) continue;
      const name = test.workload ?? DEFAULT_WORKLOAD;
      loadTests[test.name] = name;
      const found = faultsOf(file, test, loaded.exported, known);
      faults.push(...found);
      if (found.length === 0) warnings.push(...warningsOf(file, test, known));
      // Flows of a load test's own are none of the workload's.
      if (found.length > 0 || test.own !== undefined) continue;
      const counted = countFlows(test, known, name);
      warnings.push(...counted.warnings.map((sentence) => `${shown(file)}: ${sentence}`));
      flows[name] = { ...flows[name], ...counted.flows };
    } catch (error) {
      faults.push(`${shown(file)}: ${(error as Error).message}`);
    }
  }
  if (faults.length === 0) faults.push(...unmadeCounters(known, metrics));
  return { faults, warnings, flows, loadTests };
}

/** A counter that nothing adds to would be 0 for ever, and every limit on it kept. */
function unmadeCounters({ suite }: Known, made: ReadonlySet<unknown>): string[] {
  const others = [...made].filter((name) => typeof name === 'string');
  return Object.keys(suite.definition.counters ?? {})
    .filter((name) => !made.has(name))
    .map((name) => {
      const near = closeMatch(name, others);
      const hint =
        near === undefined
          ? `make it with counter('${name}'), or take it out`
          : `"${near}" is made: one of the two is misspelt`;
      return `the suite's counter "${name}" is made by no load test: ${hint}`;
    });
}

const shown = (file: string): string => relative('.', file) || file;

function faultsOf(
  file: string,
  test: LoadTest,
  exported: readonly string[],
  { suite, workloads, thresholds }: Known,
): string[] {
  const name = test.workload ?? DEFAULT_WORKLOAD;
  const workload = workloads[name];
  if (workload === undefined) {
    return [`${shown(file)}: its workload "${name}" is missing: add ${workloadFile(name)}, or correct \`workload\``];
  }
  const faults = ['options', 'setup', 'handleSummary', ...Object.keys(test.flows)]
    .filter((one) => !exported.includes(one))
    .map((one) => `${shown(file)}: "${one}" is not exported: k6 runs what is exported under the flow's name`);
  if (test.name !== basename(file, '.ts')) {
    faults.push(
      `${shown(file)}: it calls itself "${test.name}": name it "${basename(file, '.ts')}", as its bundle will be`,
    );
  }
  try {
    makePlan(test, suite, workload, {}, thresholds);
  } catch (error) {
    faults.push(`${shown(file)}: ${(error as Error).message}`);
  }
  return faults;
}

function warningsOf(file: string, test: LoadTest, { suite, workloads, thresholds }: Known): string[] {
  const workload = workloads[test.workload ?? DEFAULT_WORKLOAD];
  if (workload === undefined) return [];
  const warning = undecidableText(shown(file), undecidableOf(makePlan(test, suite, workload, {}, thresholds)));
  return warning === undefined ? [] : [warning];
}

/** Draws with which a flow is counted: what it sends must be the same by all of them. */
const CHANCES = [0.5, 0.001, 0.999];

function countFlows(
  { flows }: LoadTest,
  { suite, workloads }: Known,
  workload: string,
): { flows: SuiteFacts['flows'][string]; warnings: string[] } {
  const rows = Object.fromEntries(Object.entries(suite.facts.pools).map(([name, { example }]) => [name, example]));
  const variables = ownValues(suite.definition.variables, {});
  const warnings: string[] = [];
  const counted = Object.entries(flows).map(([name, flow]) => {
    const read = new Set<string>();
    const against = { endpoints: suite.endpoints, rows, variables, ...saidOf(name, workloads[workload]) };
    const records = CHANCES.map((chance) =>
      withDice(chance, () => recordFlow(flow, { ...against, chance, onRead: (endpoint) => read.add(endpoint) })),
    );
    const [record, ...others] = records as [FlowRecord, ...FlowRecord[]];
    if (others.some((other) => !isDeepStrictEqual(other, record))) {
      warnings.push(
        `what a session of ${name} sends, thinks or picks depends on chance, so its requests cannot be counted before the run: make a flow of each case, with a share of its own in the workload`,
      );
    }
    if (read.size > 0) {
      warnings.push(
        `${name} reads answers of ${[...read].join(', ')}: give ${read.size === 1 ? 'it' : 'them'} an \`example\`, or what follows from their content is counted and rehearsed as if they held nothing`,
      );
    }
    return [name, record] as const;
  });
  return { flows: Object.fromEntries(counted), warnings };
}

/** Runs code for which every throw of the dice gives the same. */
function withDice<T>(value: number, run: () => T): T {
  const { random } = Math;
  Math.random = () => value;
  try {
    return run();
  } finally {
    Math.random = random;
  }
}

/** What a workload says of a flow. */
function saidOf(name: string, workload: Workload | undefined): Pick<RecordingSuite, 'workload'> {
  const { endpoints = {}, flows = {} } = workload ?? {};
  const flow = flows[name];
  return flow === undefined ? {} : { workload: { endpoints, flow } };
}

/** Runs a file of `scenarios/` in Node, as k6's VU 0 would up to what it exports. */
async function load(file: string): Promise<Loaded> {
  const result = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    plugins: [withoutK6(), ownLibrary()],
    banner: { js: K6_GLOBALS },
  });
  const seen = globalThis as { loadTests?: LoadTest[]; made?: unknown[] };
  seen.loadTests = [];
  seen.made = [];
  const loaded = await importText(result.outputFiles[0]?.text ?? '');
  return { tests: seen.loadTests, exported: Object.keys(loaded), metrics: seen.made };
}

/** k6's globals in VU 0; the file with the life cycle notes the load test and makes nothing of it. */
const K6_GLOBALS = `globalThis.__ENV ??= {};
globalThis.__VU ??= 0;
globalThis.open = () => \`const lifecycle = { start: (test) => {
  globalThis.loadTests.push(test);
  return { options: {}, setup: () => undefined, handleSummary: () => ({}) };
} }\`;`;
