/** The flows of a suite as request vectors, which the build counted by running them, and the names of its steps. */
import { DEFAULT_WORKLOAD, type FlowRequests } from '../../../lib/model/workload.ts';
import type { SuiteFacts } from '../../../lib/plan/suite-facts.ts';
import { suiteAtHand } from '../../results/suite-facts.ts';

export interface KnownFlow {
  readonly name: string;
  /** Requests of one session per endpoint name. */
  readonly requests: Readonly<Record<string, number>>;
  /** Its think steps `from->to` in order. */
  readonly thinks: readonly string[];
  /** Items that it picks: rows of the pool that follows the workload's popularity. */
  readonly picks: number;
}

/** The flows of a suite's workloads; of two with one name that of the default workload. */
export function ownFlows(suite: Pick<SuiteFacts, 'flows' | 'popularPool'> = suiteAtHand()): KnownFlow[] {
  const { flows, popularPool = '' } = suite;
  const all = Object.assign({}, ...Object.values(flows), flows[DEFAULT_WORKLOAD]) as SuiteFacts['flows'][string];
  return Object.entries(all).map(([name, { picks, ...flow }]) => ({ name, ...flow, picks: picks[popularPool] ?? 0 }));
}

export function flowRequests(flows: readonly KnownFlow[]): FlowRequests {
  return Object.fromEntries(flows.map((flow) => [flow.name, flow.requests]));
}

/** The endpoint table of a suite, by which steps are named. */
export type StepTable = Pick<SuiteFacts, 'endpoints'>;

/** Step name (`details`) of an endpoint name of the suite's table; a name made of the endpoint's words for any other. */
export function stepName(endpoint: string, { endpoints }: StepTable): string {
  const own = endpoints.find(({ name }) => name === endpoint);
  if (own !== undefined) return own.key;
  const [method = '', path = ''] = endpoint.split(' ');
  const words = path
    .replace(/[{}]/g, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const name = [method.toLowerCase(), ...words].map((word, i) =>
    i === 0 ? word : word[0]?.toUpperCase() + word.slice(1),
  );
  return name.join('');
}

/** Step names of endpoints, a number behind those that would be the same. */
export function stepNames(endpoints: readonly string[], suite: StepTable): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const endpoint of endpoints) {
    const base = stepName(endpoint, suite);
    let name = base;
    for (let i = 2; taken.has(name); i++) name = `${base}_${i}`;
    taken.add(name);
    names.set(endpoint, name);
  }
  return names;
}
