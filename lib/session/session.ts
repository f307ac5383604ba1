// Touches k6: runs a flow as one session (seed, shift, think, catch and count).
import { sleep } from 'k6';
import exec from 'k6/execution';
import type { AnyFlow, PreparedEndpoint } from '../model/flow.ts';
import { rowOf } from '../model/pool-rows.ts';
import { checkedSampler } from '../model/popularity.ts';
import { type Random, seededRandom } from '../model/random.ts';
import { select } from '../model/select.ts';
import { type PoolSettings, SESSION_SETTINGS, type SessionSettings } from '../model/session-settings.ts';
import { drawThinkTime } from '../model/think-times.ts';
import { createClient } from './client.ts';
import { addDataExhausted, addFlowErrors, addSessionDuration } from './metrics.ts';
import type { OpenSession } from './open-session.ts';
import { rowAt } from './pools.ts';

/** Thrown to end a session for which the pool has no row left: counted, but no error of the flow. */
const EXHAUSTED = {};

type Runner = (flow: AnyFlow, shared: unknown) => unknown;

let runner: Runner | undefined;
/** The `__ENV` that it was made for: k6 makes a new one when a VU moves on to another scenario, whose settings are others. */
let current: unknown;

/** The exported function that runs sessions of `flow`. A VU that never runs one holds next to nothing. */
export const sessionOf =
  (flow: AnyFlow): ((setup?: { readonly shared?: unknown } | null) => unknown) =>
  (setup) => {
    if (runner === undefined || current !== __ENV) {
      current = __ENV;
      runner = createRunner(JSON.parse(__ENV[SESSION_SETTINGS] ?? ''));
    }
    return runner(flow, setup?.shared);
  };

/**
 * Reads the number of the session. k6 makes a new object with all its properties at every look at `exec.scenario` (30 us and
 * 4.5 kB), so only the property's function is kept.
 */
const iterationReader = (): (() => number) =>
  Object.getOwnPropertyDescriptor(exec.scenario, 'iterationInTest')?.get ?? (() => exec.scenario.iterationInTest);

const createRunner = (settings: SessionSettings): Runner => {
  const { scenario, base, seed, shift, think, thinkTimes, pools, cdnShare, identified, traced } = settings;
  // An archive (`k6 archive`) keeps its options, and with them the settings; its target may still be named when it runs.
  let baseUrl = __ENV['BASE_URL'] || settings.baseUrl;
  // No regular expression, nor a method that is used nowhere else: each costs every VU its prototype.
  while (baseUrl[baseUrl.length - 1] === '/') baseUrl = baseUrl.slice(0, -1);

  // k6's engine looks a global up by its name at every use.
  const { now } = Date;
  let iteration = 0;
  /** Rows that the session took of each pool that gives a row one time. */
  let takes: Record<string, number> | undefined;
  let warned = false;
  let told = false;
  const { next: random, begin } = seededRandom();
  const readIteration = iterationReader();
  let drawn: unknown[] = [];
  const samplers: Record<string, (random: Random) => number> = {};

  const rowTaken = (name: string, { rows, stripe, law, whenUsedUp }: PoolSettings): number => {
    takes ??= {};
    const take = takes[name] ?? 0;
    takes[name] = take + 1;
    const row = rowOf(iteration, take, stripe as NonNullable<PoolSettings['stripe']>);
    if (row >= rows && law === 'once') {
      addDataExhausted?.(1);
      if (whenUsedUp === 'stop') {
        if (!warned)
          console.warn(`no row of ${name} is left for session ${iteration} of ${scenario}: POOL=wrap begins again`);
        warned = true;
        throw EXHAUSTED;
      }
    }
    return row % rows;
  };

  const session: OpenSession = {
    random,
    pick: (name) => {
      const pool = pools[name] as PoolSettings;
      const { from, rows, column, law } = pool;
      let index: number;
      if (law === 'once' || law === 'sequential') index = rowTaken(name, pool);
      else {
        let sampler = samplers[name];
        if (sampler === undefined) {
          sampler = checkedSampler(law, rows);
          samplers[name] = sampler;
        }
        index = sampler(random);
      }
      const row = rowAt(from + index);
      if (traced && pool.traced) drawn.push(row);
      return column === undefined ? row : { [column]: row };
    },
    think: (step) => {
      const law = thinkTimes[step];
      if (law === undefined) throw new Error(`the workload has no think time "${step}"`);
      const time = drawThinkTime(law, random) * think;
      if (traced) drawn.push(+time.toFixed(6));
      if (time > 0) sleep(time);
    },
    variables: settings.variables as Record<string, unknown>,
    shared: undefined,
    tags: {},
    renew: undefined,
    collected: undefined,
  } as Partial<OpenSession> as OpenSession;
  for (let i = 0; i < settings.secrets.length; i++) {
    const name = settings.secrets[i] as string;
    session.variables[name] = __ENV[name] ?? '';
  }
  const client = createClient({ ...settings, baseUrl }, session);
  session.call = client.call;
  session.judge = client.judge;
  session.header = client.header;
  if ((typeof USES_CDN_SHARE === 'undefined' || USES_CDN_SHARE) && cdnShare > 0) {
    // What the CDN would answer is left out; a good answer keeps the flow going.
    const { call } = client;
    session.call = (key, parameters, options) => {
      const endpoint = JSON.parse(settings.endpoints[key] as string) as PreparedEndpoint;
      if (!endpoint.cacheable || random() >= cdnShare) return call(key, parameters, options);
      const { example = {} } = endpoint;
      const body = typeof example === 'string' ? example : JSON.stringify(example);
      const json = (selector?: string) => {
        const value: unknown = JSON.parse(body);
        return selector === undefined ? value : select(value, selector);
      };
      const answer = { status: endpoint.expected[0] ?? 200, body, headers: {}, json } as never;
      session.collected?.push({ answer } as never);
      return answer;
    };
  }

  const finish = (start: number, failed: boolean): void => {
    addSessionDuration(now() - start);
    addFlowErrors(failed);
    if (traced) console.log(`trace ${JSON.stringify([scenario, iteration, ...drawn])}`);
  };
  /** Whether the session failed. */
  const isFailure = (error: unknown): boolean => {
    if (error === EXHAUSTED) return false;
    if (!told) console.error(`session ${iteration} of ${scenario} ended with an exception: ${error}`);
    told = true;
    return true;
  };

  return (flow, shared) => {
    iteration = readIteration();
    takes = undefined;
    begin(base, iteration);
    if (traced) drawn = [];
    // Drawn by every arrival process, so that all have the same sessions.
    const wait = random() * shift;
    if (wait > 0) sleep(wait);
    client.begin();
    session.renew = undefined;
    session.shared = shared;
    if (identified) client.header('X-Session-Id', `${scenario}-${iteration}-${seed}`);
    const start = now();
    let failed = false;
    try {
      const promise = flow(session as never) as Promise<void> | undefined;
      if (typeof promise?.then === 'function') {
        return promise.then(
          () => finish(start, false),
          (error: unknown) => finish(start, isFailure(error)),
        );
      }
    } catch (error) {
      failed = isFailure(error);
    }
    finish(start, failed);
    return undefined;
  };
};
