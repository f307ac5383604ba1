/** Checks everything that a bundle or a run reads, and gives it the form that VUs read: flat JSON in `dist/data/`. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { drawnRows } from '../../lib/model/drawn-rows.ts';
import { DEFAULT_WORKLOAD, type Workload, workloadFile } from '../../lib/model/workload.ts';
import type { Environments } from '../../lib/plan/environments.ts';
import type { Objectives } from '../../lib/plan/objectives.ts';
import { isSecret, ownVariables } from '../../lib/plan/own-variables.ts';
import type { SuiteDefinition } from '../../lib/plan/suite-definition.ts';
import { SUITE_SCHEMA_VERSION, type Suite, type SuiteFacts, suiteOf } from '../../lib/plan/suite-facts.ts';
import { makeFolders } from '../base/folders.ts';
import { makingReason } from '../base/output-file.ts';
import { UserError } from '../base/user-error.ts';
import { type ObjectiveNames, parseObjectives } from '../schemas/objectives.ts';
import { parseWorkload } from '../schemas/workload.ts';
import { readEnvironments } from './environments.ts';
import { entriesOf, readText } from './files.ts';
import { readPools } from './pools.ts';
import type { Sources } from './suite-folder.ts';

export interface Prepared {
  readonly suite: Suite;
  /** Checked workloads by name, see `LoadTest.workload`. */
  readonly workloads: Readonly<Record<string, Workload>>;
  readonly thresholds: Readonly<Record<string, Objectives>>;
  readonly environments: Environments;
  readonly facts: Omit<SuiteFacts, 'flows'>;
  /** What bundles read, by name without `.json`; `suite` is added when the flows have been counted. */
  readonly documents: Readonly<Record<string, unknown>>;
}

/** @throws UserError for the first thing that is wrong */
export function readData(definition: SuiteDefinition, definitionFile: string, sources: Sources): Prepared {
  const { rows, facts: pools } = readPools(definition.pools ?? {}, join(sources.suite, 'data'), sources.pools);
  const allRows = [...rows];
  const { facts: found, ...read } = suiteFrom(definition, pools, definitionFile);
  const popular = Object.entries(definition.pools ?? {}).filter(([, { law }]) => law === 'workload');
  if (popular.length > 1) {
    throw new UserError(
      `${definitionFile}: pools ${popular.map(([name]) => name).join(' and ')} both follow the workload's popularity; give one a law of its own`,
    );
  }
  const [popularPool] = popular[0] ?? [];
  const items = popularPool === undefined ? undefined : pools[popularPool]?.rows;
  const workloads = readWorkloads(sources, items);
  const drawn: Record<string, Record<string, number>> = {};
  for (const [name, workload] of Object.entries(workloads)) {
    for (const [flow, { sessions, thinkTimes }] of Object.entries(workload.flows)) {
      if (sessions === undefined) continue;
      drawn[name] = { ...drawn[name], [flow]: allRows.length };
      for (const drawnRow of drawnRows({ sessions, thinkTimes })) allRows.push(drawnRow);
    }
  }
  const flows = [...new Set(Object.values(workloads).flatMap((workload) => Object.keys(workload.flows)))];
  const counters = definition.counters ?? {};
  const thresholds = readThresholds(sources.thresholds, {
    flows,
    endpoints: read.endpoints.map(({ name }) => name),
    keys: Object.fromEntries(read.endpoints.map(({ key, name }) => [key, name])),
    counters: Object.keys(counters),
  });
  const environments = readEnvironments(join(sources.suite, 'environments'), definition.variables);
  const facts: Prepared['facts'] = {
    schemaVersion: SUITE_SCHEMA_VERSION,
    endpoints: read.endpoints,
    pools,
    drawnRows: drawn,
    ...(popularPool !== undefined && { popularPool }),
    variables: ownVariables(definition.variables).map((one) => ({
      name: one.name,
      secret: isSecret(one),
      help: one.help,
    })),
    counters,
  };
  const documents: Record<string, unknown> = {
    rows: allRows,
    ...Object.fromEntries(
      Object.entries(workloads).map(([name, workload]) => [basename(workloadFile(name), '.json'), workload]),
    ),
    thresholds,
    environments,
  };
  const suite = { ...read, facts: { ...found, drawnRows: drawn } };
  return { suite, workloads, thresholds, environments, facts, documents };
}

function suiteFrom(definition: SuiteDefinition, pools: SuiteFacts['pools'], file: string): Suite {
  try {
    return suiteOf(definition, { pools });
  } catch (error) {
    throw new UserError(`${file}: ${(error as Error).message}`);
  }
}

/**
 * @param out folder, made if missing
 * @throws UserError when it cannot be written
 */
export function writeData(documents: Prepared['documents'], out: string): void {
  try {
    makeFolders(out);
  } catch (error) {
    throw new UserError(`${out} cannot be made (${makingReason(error) ?? String(error)}): name another --outdir`);
  }
  for (const file of readdirSync(out)) {
    // What an earlier build left of a workload that is no more.
    if (file.endsWith(OWN_WORKLOAD) && documents[basename(file, '.json')] === undefined) rmSync(join(out, file));
  }
  for (const [name, document] of Object.entries(documents)) {
    writeFileSync(join(out, `${name}.json`), JSON.stringify(document));
  }
}

/** How the files of workloads end that load tests ask for by name. */
const OWN_WORKLOAD = '-workload.json';

/** The workload of the file, and those in the suite's data that load tests ask for by name. */
function readWorkloads({ suite, workload: file }: Sources, items: number | undefined): Record<string, Workload> {
  const folder = join(suite, 'data');
  const found: Record<string, Workload> = { [DEFAULT_WORKLOAD]: parseWorkload(readText(file), file, items) };
  for (const name of new Set([dirname(file), folder].flatMap((one) => (existsSync(one) ? readdirSync(one) : [])))) {
    if (!name.endsWith(OWN_WORKLOAD) || !existsSync(join(folder, name))) continue;
    const path = join(folder, name);
    found[name.slice(0, -OWN_WORKLOAD.length)] = parseWorkload(readText(path), path, items);
  }
  return found;
}

/** All thresholds files of a folder by name. */
export function readThresholds(folder: string, known: ObjectiveNames): Record<string, Objectives> {
  // validity.json lies beside the objectives but judges the test, not the system: the analysis reads it.
  const files = entriesOf(folder, 'thresholds files').filter(
    (file) => file.endsWith('.json') && file !== 'validity.json',
  );
  if (files.length === 0) {
    throw new UserError(`${folder} holds no thresholds file (*.json): add one such as thresholds/default.json`);
  }
  return Object.fromEntries(
    files.map((file) => {
      const path = join(folder, file);
      return [basename(file, '.json'), parseObjectives(readText(path), path, known)];
    }),
  );
}
