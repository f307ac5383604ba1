/** What the build wrote of a suite (`data/suite.json` beside its bundles), for the tools that must know it. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { METHODS } from '../../lib/model/endpoints.ts';
import { DEFAULT_WORKLOAD } from '../../lib/model/workload.ts';
import { SUITE_SCHEMA_VERSION, type SuiteFacts } from '../../lib/plan/suite-facts.ts';
import { packageRoot } from '../base/package.ts';
import { UserError } from '../base/user-error.ts';

const endpoint = z.object({
  key: z.string(),
  name: z.string(),
  method: z.enum(METHODS),
  template: z.string(),
  query: z.string().exactOptional(),
  path: z.array(z.string()),
  optional: z.array(z.string()),
  expected: z.array(z.number()),
  contains: z.array(z.string()).exactOptional(),
  body: z.enum(['text', 'binary', 'none']),
  headers: z.record(z.string(), z.string()).exactOptional(),
  timeout: z.number().exactOptional(),
  redirects: z.number(),
  cacheable: z.boolean(),
  example: z.unknown().optional(),
});

const pool = z.object({
  from: z.number(),
  rows: z.number(),
  column: z.string().exactOptional(),
  example: z.unknown(),
});

export const counterSchema = z.object({ means: z.enum(['exhausted', 'note']), says: z.string() });

const flow = z.object({
  requests: z.record(z.string(), z.number()),
  thinks: z.array(z.string()),
  picks: z.record(z.string(), z.number()),
});

const schema: z.ZodType<SuiteFacts> = z.object({
  schemaVersion: z.literal(SUITE_SCHEMA_VERSION),
  endpoints: z.array(endpoint),
  pools: z.record(z.string(), pool),
  popularPool: z.string().exactOptional(),
  variables: z.array(z.object({ name: z.string(), secret: z.boolean(), help: z.string() })),
  counters: z.record(z.string(), counterSchema),
  flows: z.record(z.string(), z.record(z.string(), flow)),
  loadTests: z.record(z.string(), z.string()).exactOptional(),
});

const factsFile = (dist: string): string => join(dist, 'data', 'suite.json');

/** Folder of the bundles in a suite's folder, and in the package's own. */
const DIST = 'dist';

/**
 * The folder of bundles whose suite a tool works with: that of the script, else `dist` of the current folder, else the
 * package's own.
 * @param script bundle of a suite, or any other script
 */
export function suiteDist(script?: string): string {
  const dists = [...(script === undefined ? [] : [dirname(script)]), DIST];
  return dists.find((dist) => existsSync(factsFile(dist))) ?? join(packageRoot(), DIST);
}

/**
 * The folder of bundles of a suite that the user names (`--suite`); without a name as `suiteDist`.
 * @throws UserError when nothing has been built there
 */
export function namedDist(suite: string | undefined): string {
  if (suite === undefined) return suiteDist();
  const dist = [join(suite, DIST), suite].find((one) => existsSync(factsFile(one)));
  if (dist === undefined) {
    throw new UserError(`--suite ${suite}: no suite has been built there; name its folder, and build it first`);
  }
  return dist;
}

/**
 * @param dist folder of the suite's bundles
 * @throws UserError when there are no facts in it, or none that this version reads
 */
export function readSuiteFacts(dist: string): SuiteFacts {
  const file = factsFile(dist);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is none' : (error as Error).message;
    throw new UserError(`${file}: the facts of the suite cannot be read (${why}); build the suite`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new UserError(
    `${file}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'no facts'}; build the suite again`,
  );
}

/** The facts beside a script; undefined when it is no bundle of a suite. @throws UserError */
export const factsBeside = (script: string): SuiteFacts | undefined =>
  existsSync(factsFile(dirname(script))) ? readSuiteFacts(dirname(script)) : undefined;

/** The suite of the current folder, else the package's own. @throws UserError */
export const suiteAtHand = (): SuiteFacts => readSuiteFacts(suiteDist());

/** The suite at hand, if one has been built. @throws UserError for facts that cannot be read */
export const suiteIfAny = (): SuiteFacts | undefined =>
  existsSync(factsFile(suiteDist())) ? suiteAtHand() : undefined;

/** Name of the workload that a load test follows. */
export const workloadName = ({ loadTests }: SuiteFacts, test: string): string => loadTests?.[test] ?? DEFAULT_WORKLOAD;

/** Rows of the pool that follows the workload's popularity; 0 without one. */
export const popularRows = ({ pools, popularPool }: SuiteFacts): number =>
  popularPool === undefined ? 0 : (pools[popularPool]?.rows ?? 0);
