/**
 * A suite for the endpoints found in a log of any API: runs as it stands and gives the log's mix back; the user fills in real ids
 * and bodies at the marked places.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Workload } from '../../../lib/model/workload.ts';
import { PACKAGE_NAME, packageRoot } from '../../base/package.ts';
import { UserError } from '../../base/user-error.ts';
import type { TrafficModel } from '../model/model.ts';
import { writeKept } from './kept-files.ts';
import { madeUpRows } from './made-up-rows.ts';
import { type SuiteRequest, suiteRequests } from './requests.ts';
import { definitionText, loadTestText, type SuiteText } from './suite-texts.ts';

export { refuseEdited } from './kept-files.ts';

/** Rows of a pool when the log does not tell how many items there are, or the pool is not of its items. */
const ROWS = 1000;

export interface Skeleton {
  readonly written: readonly string[];
  /** What is not sent as it was logged. */
  readonly remarks: readonly string[];
  /** Commands that build and run it. */
  readonly next: readonly string[];
}

/**
 * Writes a suite into the folder, which names it.
 * @throws UserError when the log is one of the suite at hand, or a file was edited since it was made; nothing is written then
 */
export function writeSkeleton(model: TrafficModel, folder: string, workload: Workload, force = false): Skeleton {
  const { endpoints } = workload;
  if (endpoints === undefined) {
    throw new UserError(
      'a skeleton is for another API, and this log is one of the suite at hand, whose scenarios are there: leave out --skeleton and write the workload with --out',
    );
  }
  const name = nameOf(folder);
  const { requests, remarks } = suiteRequests(endpoints);
  const pools = [...new Set(requests.flatMap(({ placeholders }) => placeholders))];
  const popular = popularPool(model, requests, endpoints);
  const text: SuiteText = { name, requests, pools, popular };
  const files: Record<string, string> = {
    [`scenarios/${name}.ts`]: loadTestText(text, Object.keys(workload.flows)),
    [`scenarios/${name}/suite.ts`]: definitionText(text),
    'thresholds/default.json': json(OBJECTIVES),
    'package.json': json(packageOf(name, folder)),
    'tsconfig.json': json({ extends: `${PACKAGE_NAME}/tsconfig.suite.json`, include: ['scenarios'] }),
    '.gitignore': 'node_modules/\ndist/\nresults/\n',
  };
  for (const pool of pools) {
    files[`data/${pool}.csv`] = madeUpRows(pool, pool === popular ? itemsOf(model, workload) : ROWS);
  }
  const renewed = { 'data/workload.json': json(sentWorkload(workload, requests, remarks)) };
  const written = writeKept(folder, files, renewed, force);
  return {
    written,
    remarks,
    next: [`bookstore-load build --suite ${quoted(folder)}`, `cd ${quoted(folder)} && bookstore-load run ${name}`],
  };
}

/** Name of the load test: that of the folder, as far as a file and a package may have it. */
function nameOf(folder: string): string {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[-_]+|-+$/g, '');
  return name === '' ? 'traffic' : name;
}

/** The last placeholder of the endpoint whose items the popularity law is of, else of the first GET that ends in one. */
function popularPool(
  { popularity }: TrafficModel,
  requests: readonly SuiteRequest[],
  endpoints: Readonly<Record<string, string>>,
): string | undefined {
  const ofItems = 'refused' in popularity ? undefined : popularity.endpoint;
  const found =
    requests.find(({ key }) => endpoints[key] === ofItems) ??
    requests.find(({ request }) => /^GET [^?]*\}$/.test(request));
  return found?.placeholders.at(-1);
}

function itemsOf({ popularity }: TrafficModel, { popularity: law }: Workload): number {
  if (law.law === 'empirical') return law.curve.at(-1)?.[0] ?? ROWS;
  return 'refused' in popularity ? ROWS : Math.max(1, Math.round(popularity.catalogue));
}

/** The workload with the names under which its endpoints are sent. */
function sentWorkload(workload: Workload, requests: readonly SuiteRequest[], remarks: readonly string[]): Workload {
  const names = Object.fromEntries(requests.map(({ key, name }) => [key, name]));
  const { provenance } = workload;
  return {
    ...workload,
    provenance: { ...provenance, notes: [...(provenance.notes ?? []), ...remarks] },
    endpoints: { ...workload.endpoints, ...names },
  };
}

/** What every API must keep; limits of latency are the user's to say. */
const OBJECTIVES = {
  schemaVersion: 1,
  purpose: 'Fewer than 1 % of the requests of each endpoint fail. TODO: limits of latency.',
  endpoints: { '*': { failed: ['rate<0.01'] } },
  validity: {
    dropped_iterations: ['count==0'],
    rate_limited: ['count==0'],
    data_exhausted: ['count==0'],
    no_response: ['count==0'],
    flow_errors: ['rate==0'],
  },
};

/** The library is a dependency unless a folder above has it installed. */
function packageOf(name: string, folder: string): Record<string, unknown> {
  const path = relative(resolve(folder), packageRoot()).split(sep).join('/');
  return {
    name,
    private: true,
    type: 'module',
    scripts: { build: 'bookstore-load build' },
    ...(!isInstalledAbove(resolve(folder)) && { devDependencies: { [PACKAGE_NAME]: `file:${path}` } }),
  };
}

function isInstalledAbove(folder: string): boolean {
  if (existsSync(join(folder, 'node_modules', PACKAGE_NAME))) return true;
  const above = dirname(folder);
  return above !== folder && isInstalledAbove(above);
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
