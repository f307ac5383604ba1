/** The flows, shares and popularity law that `traffic solve` starts from: those of a workload file. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workload } from '../../../lib/model/workload.ts';
import type { SuiteFacts } from '../../../lib/plan/suite-facts.ts';
import { packageRoot } from '../../base/package.ts';
import { UserError } from '../../base/user-error.ts';
import { suiteAtHand } from '../../results/suite-facts.ts';
import { parseWorkload } from '../../schemas/workload.ts';
import { type KnownFlow, ownFlows } from '../model/flow-shapes.ts';
import type { KnownCatalogue } from '../model/popularity-model.ts';
import { meanSteps } from './mean-steps.ts';

/** What `--workload` is when it is not given; the suite's own where the folder has none. */
const DEFAULT_FILE = 'data/workload.json';

/** @throws UserError when the file cannot be read or is no workload */
export async function workloadOf(file: string): Promise<Workload> {
  const path = file === DEFAULT_FILE && !existsSync(file) ? join(packageRoot(), DEFAULT_FILE) : file;
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UserError(`${file} cannot be read; name a workload that exists with --workload`);
  });
  return parseWorkload(text, file);
}

/**
 * The workload's flows with the requests of one session: of what its sessions send on average, or, of a flow of the suite, as it
 * runs.
 * @throws UserError for a flow of which neither is known
 */
export function flowsOf(workload: Workload, file: string, suite: SuiteFacts = suiteAtHand()): KnownFlow[] {
  const own = ownFlows(suite);
  return Object.entries(workload.flows).map(([name, { sessions }]) => {
    if (sessions !== undefined) {
      const means = Object.entries(meanSteps(sessions));
      const requests = Object.fromEntries(means.map(([step, n]) => [workload.endpoints?.[step] ?? step, n]));
      return { name, requests, thinks: [], picks: 0 };
    }
    const known = own.find((flow) => flow.name === name);
    if (known !== undefined) return known;
    throw new UserError(
      `${file} does not say what a session of "${name}" sends: write the workload again with traffic --out, or give the flow "sessions"; only ${own.map((flow) => flow.name).join(', ')} are known without`,
    );
  });
}

/** The endpoint whose requests are views of items: the GET with an item last in its path that is asked for most. */
export function itemEndpoint(requests: Readonly<Record<string, number>>): string | undefined {
  return Object.entries(requests)
    .filter(([name, share]) => /^GET .*\}$/.test(name) && share > 0)
    .sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** Items that exist, where it can be known: the last rank of a curve, or a known catalogue of this endpoint. */
export function catalogueOf(
  { popularity }: Workload,
  endpoint: string,
  known: KnownCatalogue | undefined,
): number | undefined {
  if (popularity.law === 'empirical') return popularity.curve.at(-1)?.[0];
  return endpoint === known?.endpoint ? known.items : undefined;
}
