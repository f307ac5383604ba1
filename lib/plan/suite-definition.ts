/** What a suite says of its API: endpoints, pools, variables, and what its set-up asks. Only the plan of a run holds it. */
import type { EndpointTable } from '../model/endpoints.ts';
import type { SuiteTypes } from '../model/flow.ts';
import type { ColumnType, PoolDefinition } from './pool-definition.ts';
import type { PreflightInput, SetupRequest, TargetFacts } from './preflight.ts';
import type { Variable } from './variable.ts';

/** Requests for a suite's set-up, which runs once before the load. */
export interface SetupTools {
  readonly request: SetupRequest;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Row of a pool by its place, from 0. */
  readonly row: (pool: string, index: number) => unknown;
  readonly rows: (pool: string) => number;
}

/** A counter of the suite's own: what it means for the reader of a summary. */
export interface CounterDefinition {
  /**
   * `exhausted`: test data ran out, which is no failure of the system but makes the test worth less: more than a small share of the
   * requests makes the verdict SUSPECT, then INVALID. `note`: only to be known; it changes no verdict.
   */
  readonly means: 'exhausted' | 'note';
  /** Sentence of the summary; `{n}` stands for the count. */
  readonly says: string;
}

/** A variable without its name, which is its key. */
type Unnamed<V> = V extends unknown ? Omit<V, 'name'> : never;

/** Only the environment holds it; one without a default must be set before a run. */
export interface SecretVariable {
  readonly kind: 'text';
  readonly secret: true;
  readonly help: string;
  readonly default?: string;
}

export interface SuiteDefinition {
  readonly endpoints: EndpointTable;
  readonly pools?: Readonly<Record<string, PoolDefinition>>;
  /** Variables of the suite's own, checked and listed like the library's. */
  readonly variables?: Readonly<Record<string, Unnamed<Variable> | SecretVariable>>;
  /** Counters that the suite's flows add to (`counter(name)`), by name of the metric. */
  readonly counters?: Readonly<Record<string, CounterDefinition>>;
  /** Headers of every request; `{NAME}` stands for the value of a variable that is no secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `off`: requests carry no cookies, and answers set none. */
  readonly cookies?: 'off';
  /**
   * Questions to the target before any load.
   * @returns what it said of itself, for the summary
   * @throws Error with one sentence that names the remedy
   */
  readonly preflight?: (input: PreflightInput) => TargetFacts;
  /** Runs after the pre-flight; what it gives is JSON and reaches every session as `shared`. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a set-up that only prepares the target gives nothing.
  readonly setup?: (tools: SetupTools) => unknown | void;
}

/** The definition as it is, with its types for `SuiteOf`. */
export const defineSuite = <const D extends SuiteDefinition>(definition: D): D => definition;

type ValueOf<T extends ColumnType> = T extends 'number' | 'integer' ? number : string;
type RowOf<P> = P extends { readonly columns: infer C extends Readonly<Record<string, ColumnType>> }
  ? { readonly [K in keyof C]: ValueOf<C[K]> }
  : never;
type VariableValue<V> = V extends { readonly kind: 'number' | 'integer' | 'duration'; readonly default: infer D }
  ? D extends undefined
    ? number | undefined
    : number
  : V extends { readonly kind: 'choice'; readonly of: infer L extends readonly string[] }
    ? L[number]
    : string;
type KeysOfEach<T> = T extends unknown ? keyof T : never;
type StepsOf<W> = W extends { readonly flows: infer F }
  ? Extract<KeysOfEach<{ [K in keyof F]: F[K] extends { readonly thinkTimes: infer T } ? T : never }[keyof F]>, string>
  : string;

/** Types of a suite for its flows: `SuiteOf<typeof definition, typeof workload>` with the workload file's type. */
export interface SuiteOf<D extends SuiteDefinition, W = unknown> extends SuiteTypes {
  readonly endpoints: D['endpoints'];
  readonly pools: { readonly [P in keyof D['pools']]: RowOf<D['pools'][P]> };
  readonly steps: StepsOf<W>;
  readonly variables: { readonly [N in keyof D['variables']]: VariableValue<D['variables'][N]> };
  readonly shared: D['setup'] extends (...args: never[]) => infer R ? R : undefined;
}
