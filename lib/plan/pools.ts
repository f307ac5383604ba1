/** Pools of a run: which law each follows, and whose rows are whose. */

import { popularitySampler } from '../model/popularity.ts';
import { type PickLaw, POOL_ENTRY, type PoolSettings } from '../model/session-settings.ts';
import type { Workload } from '../model/workload.ts';
import type { FlowRecord } from './flow-record.ts';
import type { PoolDefinition } from './pool-definition.ts';
import { type Env, POOL, POPULARITY, read } from './variable.ts';

/** What the build found of a pool. */
export interface PoolFacts {
  /** Place of its first row among the rows of all pools. */
  readonly from: number;
  readonly rows: number;
  /** Name of the only column; absent when rows are objects. */
  readonly column?: string;
}

/** A pool as this run uses it. */
export interface PlannedPool extends PoolFacts {
  readonly name: string;
  readonly law: PickLaw;
  readonly whenUsedUp: 'stop' | 'wrap';
  /** Whether it follows the workload's popularity. */
  readonly popular: boolean;
}

/**
 * @throws Error with one sentence for a law that does not fit the rows
 */
export function planPools(
  definitions: Readonly<Record<string, PoolDefinition>>,
  facts: Readonly<Record<string, PoolFacts>>,
  workload: Pick<Workload, 'popularity'>,
  env: Env,
): PlannedPool[] {
  return Object.entries(definitions).map(([name, definition]) => {
    const found = facts[name];
    if (found === undefined) throw new Error(`pool ${name}: the build has no rows of it; build the suite again`);
    const popular = definition.law === 'workload';
    const law = popular ? (read(POPULARITY, env) ?? workload.popularity) : (definition.law as PickLaw);
    if (typeof law === 'object') {
      try {
        popularitySampler(law, found.rows);
      } catch (error) {
        const remedy = popular ? `give another ${POPULARITY.name} or a data file that it fits` : 'give it another law';
        throw new Error(`${popular ? '' : `pool ${name}: `}${(error as Error).message}: ${remedy}`);
      }
    }
    const whenUsedUp = env[POOL.name] ? read(POOL, env) : (definition.whenUsedUp ?? POOL.default);
    return { name, ...found, law, whenUsedUp, popular };
  });
}

/**
 * What the VUs of one scenario are told of the pools, as entries of its `env`.
 * @param flow index of the scenario's flow @param phase of phases: rows of a warm-up are none of the measured phase
 */
export function poolEntries(
  pools: readonly PlannedPool[],
  flows: readonly Pick<FlowRecord, 'picks'>[],
  flow: number,
  phase: number,
  phases: number,
): Record<string, string> {
  return Object.fromEntries(
    pools.map(({ name, from, rows, column, law, whenUsedUp, popular }) => {
      const byRow = law === 'once' || law === 'sequential';
      // Rows are dealt out among the flows that pick: others would keep theirs for themselves.
      const picking = flows.map(({ picks }, i) => (picks[name] === undefined ? -1 : i)).filter((i) => i >= 0);
      const place = picking.indexOf(flow);
      const stripe = {
        scenario: phase * picking.length + place,
        scenarios: picking.length * phases,
        rowsPerSession: Math.max(1, ...flows.map(({ picks }) => picks[name] ?? 0)),
      };
      const settings: PoolSettings = {
        from,
        rows,
        ...(column !== undefined && { column }),
        law,
        ...(byRow && place >= 0 && { stripe }),
        ...(law === 'once' && { whenUsedUp }),
        ...(popular && { traced: true as const }),
      };
      return [POOL_ENTRY + name, JSON.stringify(settings)];
    }),
  );
}
