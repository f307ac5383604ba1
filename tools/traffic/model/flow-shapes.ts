/** The flows of the suite as request vectors, measured by running them, and what sessions of the log look like beside them. */

import type { Flow as RunFlow } from '../../../lib/model/flow.ts';
import type { FlowRequests } from '../../../lib/model/workload.ts';
import { recordFlow } from '../../../lib/plan/flow-record.ts';
import { ENDPOINT_KEYS, ENDPOINTS } from '../../../scenarios/bookstore/endpoints.ts';
import { browse, checkout, searching } from '../../../scenarios/bookstore/flows.ts';

export interface KnownFlow {
  readonly name: string;
  /** Requests of one session per endpoint name. */
  readonly requests: Readonly<Record<string, number>>;
  /** Its think steps `from->to` in order. */
  readonly thinks: readonly string[];
  /** Items that it picks. */
  readonly picks: number;
}

const OWN: Readonly<Record<string, RunFlow>> = { browse, search: searching, checkout };

/** Runs each flow once without a system and writes down what it sends. */
export function ownFlows(): KnownFlow[] {
  return Object.entries(OWN).map(([name, flow]) => ({ name, ...recordFlow(flow) }));
}

export function flowRequests(flows: readonly KnownFlow[]): FlowRequests {
  return Object.fromEntries(flows.map((flow) => [flow.name, flow.requests]));
}

/** Step name (`details`) of an endpoint name of the own table; a name made of the endpoint's words for any other. */
export function stepName(endpoint: string): string {
  const key = ENDPOINT_KEYS.find((candidate) => ENDPOINTS[candidate].name === endpoint);
  if (key !== undefined) return key;
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
export function stepNames(endpoints: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const endpoint of endpoints) {
    const base = stepName(endpoint);
    let name = base;
    for (let i = 2; taken.has(name); i++) name = `${base}_${i}`;
    taken.add(name);
    names.set(endpoint, name);
  }
  return names;
}
