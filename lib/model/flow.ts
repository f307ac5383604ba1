/** What a flow sees of the session that runs it: free of k6, so that Node can run a flow too and count what it sends. */
import type {
  BodyKind,
  BodyOf,
  Endpoint,
  EndpointTable,
  NeedsParameters,
  ParametersOf,
  ParameterValue,
} from './endpoints.ts';
import type { Random } from './random.ts';

/** What came back: in a run k6's own response, of which these are the parts that a flow needs most. */
export interface Answer<Body extends BodyKind = 'text'> {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Null when nothing came, and where the endpoint keeps no body. */
  readonly body: (Body extends 'text' ? string : Body extends 'binary' ? ArrayBuffer : never) | null;
  /** By name in the form that k6 gives them: `Etag`, `Content-Type`. See `headerOf`. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The body as JSON, or what a selector such as `items.0.id` finds in it; undefined when it finds nothing.
   * @throws when the body is no JSON, which ends the session as a failure of its flow
   */
  json<T = string>(selector?: string): T;
}

/** What a call may say beside its parameters. One of `json`, `form` and `body` at most. */
export interface CallOptions {
  /** Body as JSON value, with its Content-Type. */
  readonly json?: unknown;
  /** Body as form; with `file(...)` among the values it is sent as multipart. */
  readonly form?: Readonly<Record<string, unknown>>;
  /** Body as text or bytes. */
  readonly body?: string | ArrayBuffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the types of a suite are made of, see `SuiteOf`. */
export interface SuiteTypes {
  readonly endpoints: EndpointTable;
  /** Row of each pool. */
  readonly pools: Readonly<Record<string, unknown>>;
  /** Think steps of the workload, `from->to`. */
  readonly steps: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** What the suite's set-up hands to every session. */
  readonly shared: unknown;
}

/** Whether a call can go without parameters; of several entries, whether one of them can. */
type MayOmit<Entry> = Entry extends unknown ? (NeedsParameters<Entry> extends true ? never : true) : never;
/**
 * Arguments of a call: key of the endpoint, parameters (unless it has none), options. A key that the table does not have stands for
 * all entries, and must be what the compiler complains of, not a number of arguments.
 */
export type CallArguments<Entry> = [MayOmit<Entry>] extends [never]
  ? [parameters: ParametersOf<Entry>, options?: CallOptions]
  : [parameters?: ParametersOf<Entry>, options?: CallOptions];

export interface Session<S extends SuiteTypes = SuiteTypes> {
  /** The session's own generator: every random choice of a flow comes from it, in the flow's order. */
  readonly random: Random;
  /** Sends one request to an endpoint of the suite's table, measures it, and checks its answer. */
  readonly call: <K extends keyof S['endpoints'] & string>(
    key: K,
    ...rest: CallArguments<S['endpoints'][K]>
  ) => Answer<BodyOf<S['endpoints'][K]>>;
  /** Takes a row of a pool by the pool's law. */
  readonly pick: <P extends keyof S['pools'] & string>(pool: P) => S['pools'][P];
  /** Waits for the think time that the workload gives for `step` (`from->to`), scaled by THINK. */
  readonly think: (step: S['steps']) => void;
  /** Sends a header with every request of this session from here on; without a value no more. */
  readonly header: (name: string, value?: string) => void;
  /** Origin of the system under test with its path prefix, for steps of other protocols. */
  readonly baseUrl: string;
  /** Values of the suite's own variables. */
  readonly variables: S['variables'];
  readonly shared: S['shared'];
  /** Tags of the latest call, for checks and metrics of one's own. */
  readonly tags: Readonly<Record<string, string>>;
}

/** What one session does; one that gives a promise is waited for, as k6’s asynchronous modules need it. */
export type Flow<S extends SuiteTypes = SuiteTypes> = (session: Session<S>) => unknown;
// biome-ignore lint/suspicious/noExplicitAny: a list of flows holds flows of any suite, and a flow takes only its own.
export type AnyFlow = Flow<any>;

/** A call without its types, as the pieces of the library hand it on. */
export type Parameters = Readonly<Record<string, ParameterValue | undefined>>;

/** A request that is ready to be sent, in the order of k6's arguments. */
export interface ReadyRequest {
  readonly endpoint: PreparedEndpoint;
  readonly url: string;
  readonly body: unknown;
  readonly params: Record<string, unknown>;
}

/**
 * An endpoint as a virtual user holds it: as the plan hands it over, without what follows from defaults, since each entry costs
 * every VU that calls it; and what is added at its first use.
 */
export interface PreparedEndpoint extends Pick<Endpoint, 'name' | 'method' | 'query' | 'headers' | 'timeout'> {
  /** Text alone where there is no placeholder; else texts and names in turn. */
  readonly path: string | readonly string[];
  readonly optional?: readonly string[];
  /** One or several; absent for every 2xx. */
  readonly expected?: number | readonly number[];
  readonly contains?: string | readonly string[];
  readonly body?: 'binary' | 'none';
  readonly redirects?: number;
  readonly cacheable?: boolean;
  readonly example?: unknown;
  /** Name of the check of its answers. */
  readonly check: string;
  params?: Record<string, unknown>;
  tags?: Record<string, string>;
  checkTags?: Record<string, string>;
  /** Statuses that are no failure to k6 while a session may log in again: 401 too. */
  renewable?: unknown;
  /** Status of the latest answer and the tags of its latency: hardly ever is the next one another. */
  status?: number;
  statusTags?: Record<string, string>;
}
