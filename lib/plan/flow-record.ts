/** Counts what a flow sends and thinks by running it once without a system: the number is never written down anywhere. */
import type { DrawnFlow } from '../model/drawn-rows.ts';
import { type Endpoint, goodBody, goodStatus, METHODS } from '../model/endpoints.ts';
import type { AnyFlow, Parameters } from '../model/flow.ts';
import { closeMatch } from '../model/nearest.ts';
import { select } from '../model/select.ts';
import type { Workload } from '../model/workload.ts';
import { type DrawnTimes, drawnSample } from './drawn-sample.ts';

export interface FlowRecord {
  /** Requests of one undisturbed session per endpoint name; means of a flow whose sessions are drawn. */
  readonly requests: Readonly<Record<string, number>>;
  /** Its think steps in order, repeats included. */
  readonly thinks: readonly string[];
  /** Rows that it picks, per pool. */
  readonly picks: Readonly<Record<string, number>>;
  /** Of a flow whose sessions are drawn, whose steps are none of `thinks`. */
  readonly drawn?: DrawnTimes;
}

/** What a flow is counted against. */
export interface RecordingSuite {
  readonly endpoints: readonly Endpoint[];
  /** A row of each pool. */
  readonly rows: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly shared?: unknown;
  /** What every draw of the session gives, 0 to 1; one half by default. */
  readonly chance?: number;
  /** Gets the name of an endpoint whose answer was read as JSON although it has no example. */
  readonly onRead?: (endpoint: string) => void;
  /** What the workload says of it, for a flow whose sessions are drawn. */
  readonly workload?: Pick<Workload, 'endpoints'> & { readonly flow: Workload['flows'][string] };
}

/** Stands for whatever an answer holds when its endpoint has no example. */
const ANYTHING = 'x';

/**
 * Runs `flow` once with good answers. The flow must not depend on chance in what it sends.
 * @throws Error when it calls an endpoint or a pool that the suite does not have, or without a value for a placeholder; what the flow
 * itself throws is mostly a TypeError for something that an answer without an example does not hold
 */
export function recordFlow(flow: AnyFlow, suite: RecordingSuite): FlowRecord {
  const requests: Record<string, number> = {};
  const picks: Record<string, number> = {};
  const thinks: string[] = [];
  let weight = 1;
  const count = (name: string) => {
    requests[name] = (requests[name] ?? 0) + weight;
  };
  let drawn: DrawnTimes | undefined;
  let means: Record<string, number> | undefined;
  const session = {
    random: () => suite.chance ?? 0.5,
    tags: { name: '' },
    headers: {},
    variables: suite.variables ?? {},
    shared: suite.shared ?? anything(),
    collected: undefined as unknown[] | undefined,
    header: () => undefined,
    baseUrl: 'http://127.0.0.1',
    recording: true,
    sometimes: (now: () => unknown) => {
      weight = 0;
      now();
      weight = 1;
    },
    counted: count,
    countedSteps: () => {
      const { flow: model, endpoints = {} } = suite.workload ?? { flow: { share: 1, thinkTimes: {} } };
      if (model.sessions === undefined) throw new Error('the workload has no `sessions` of it to draw from');
      const sample = drawnSample(model as DrawnFlow, model.share);
      means = {};
      for (const [key, n] of Object.entries(sample.steps)) {
        const endpoint = suite.endpoints.find((one) => one.key === key);
        if (endpoint !== undefined) means[endpoint.name] = (means[endpoint.name] ?? 0) + n;
        else if (isRequest(endpoints[key] ?? ''))
          throw new Error(`the suite has no endpoint "${key}": ${endpoints[key]}`);
      }
      ({ times: drawn } = sample);
      return sample.longest.flatMap((key) => {
        const endpoint = suite.endpoints.find((one) => one.key === key);
        return endpoint === undefined ? [] : [[key, endpoint.path.filter((_, i) => i % 2 === 1)] as const];
      });
    },
    pick: (pool: string) => {
      if (!Object.hasOwn(suite.rows, pool)) throw unknown('pool', pool, Object.keys(suite.rows));
      picks[pool] = (picks[pool] ?? 0) + 1;
      return suite.rows[pool];
    },
    think: (step: string) => {
      thinks.push(step);
    },
    call: (key: string, parameters: Parameters = {}) => {
      const endpoint = suite.endpoints.find((one) => one.key === key);
      if (endpoint === undefined) {
        const keys = suite.endpoints.map((one) => one.key);
        throw unknown('endpoint', key, keys);
      }
      const missing = endpoint.path.find((name, i) => i % 2 === 1 && (parameters[name] ?? undefined) === undefined);
      if (missing !== undefined) {
        throw new Error(
          `${endpoint.name}: {${missing}} has no value; give it with the call, and where an answer holds it, in that endpoint's \`example\``,
        );
      }
      count(endpoint.name);
      session.tags = { name: endpoint.name };
      const answer = goodAnswer(endpoint, parameters, suite.onRead);
      session.collected?.push({ answer });
      return answer;
    },
  };
  const promise = flow(session as never) as unknown as Promise<void> | undefined;
  promise?.catch?.(() => undefined);
  if (drawn === undefined || means === undefined) return { requests, thinks, picks };
  return { requests: means, thinks, picks, drawn };
}

function unknown(kind: string, name: string, known: readonly string[]): Error {
  const near = closeMatch(name, known);
  const hint = near === undefined ? `it has ${known.join(', ') || 'none'}` : `did you mean "${near}"?`;
  return new Error(`the suite has no ${kind} "${name}": ${hint}`);
}

/** Whether a step of the workload can be sent: `OPTIONS *` and endpoints too many to be told apart cannot. */
const isRequest = (text: string): boolean => {
  const [method, path] = text.split(' ');
  return (METHODS as readonly string[]).includes(method ?? '') && path?.[0] === '/';
};

function goodAnswer(endpoint: Endpoint, parameters: Parameters, onRead?: RecordingSuite['onRead']) {
  const { example } = endpoint;
  const body = goodBody(endpoint, (name) => `${parameters[name] ?? ANYTHING}`);
  return {
    status: goodStatus(endpoint),
    body,
    headers: new Proxy({}, { get: () => ANYTHING, has: () => true }),
    cookies: {},
    timings: { duration: 0 },
    error: '',
    error_code: 0,
    json: (selector?: string) => {
      if (example === undefined) {
        onRead?.(endpoint.name);
        return anything();
      }
      const value = typeof example === 'string' ? (JSON.parse(example) as unknown) : example;
      return selector === undefined ? value : select(value, selector);
    },
  };
}

/** A text that has every property, each again such a text: so that a flow can be counted without an example. */
function anything(): unknown {
  const target = Object.assign(() => anything(), {});
  const text = () => ANYTHING;
  return new Proxy(target, {
    get: (_, key) => {
      if (key === Symbol.toPrimitive || key === 'toString' || key === 'toJSON' || key === 'valueOf') return text;
      if (key === Symbol.iterator) return [][Symbol.iterator].bind([]);
      if (key === 'length') return 0;
      if (key === 'then') return undefined;
      return anything();
    },
  });
}
