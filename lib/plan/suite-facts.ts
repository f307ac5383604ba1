/** A suite as a run has it: its definition, and what the build found of its files. */
import { type Endpoint, readEndpoints } from '../model/endpoints.ts';
import type { FlowRecord } from './flow-record.ts';
import type { PoolFacts } from './pools.ts';
import type { CounterDefinition, SuiteDefinition } from './suite-definition.ts';

export const SUITE_SCHEMA_VERSION = 1;

/** What the build writes of a suite, for its runs and for the tools: `dist/data/suite.json`. */
export interface SuiteFacts {
  readonly schemaVersion: typeof SUITE_SCHEMA_VERSION;
  readonly endpoints: readonly Endpoint[];
  /** With a row of each, as sessions get it. */
  readonly pools: Readonly<Record<string, PoolFacts & { readonly example: unknown }>>;
  /** Name of the pool that follows the workload's popularity. */
  readonly popularPool?: string;
  readonly variables: readonly { readonly name: string; readonly secret: boolean; readonly help: string }[];
  readonly counters: Readonly<Record<string, CounterDefinition>>;
  /** What a session of each flow sends, thinks and picks, by workload. */
  readonly flows: Readonly<Record<string, Readonly<Record<string, FlowRecord>>>>;
  /** Name of the workload that each load test follows. */
  readonly loadTests?: Readonly<Record<string, string>>;
}

export interface Suite {
  readonly definition: SuiteDefinition;
  readonly endpoints: readonly Endpoint[];
  readonly facts: Pick<SuiteFacts, 'pools'>;
}

/** @throws Error with one sentence for an endpoint that cannot be */
export const suiteOf = (definition: SuiteDefinition, facts: Pick<SuiteFacts, 'pools'>): Suite => ({
  definition,
  endpoints: readEndpoints(definition.endpoints),
  facts,
});
