// Touches k6: runs a flow as one session (seed, shift, think, catch and count).
import { sleep } from 'k6';
import exec from 'k6/execution';
import type { AnyFlow, PreparedEndpoint } from '../model/flow.ts';
import { rowOf } from '../model/pool-rows.ts';
import { checkedSampler } from '../model/popularity.ts';
import { type Random, seededRandom } from '../model/random.ts';
import { select } from '../model/select.ts';
import {
  ENDPOINT_ENTRY,
  POOL_ENTRY,
  type PoolSettings,
  SESSION_SETTINGS,
  type SessionSettings,
} from '../model/session-settings.ts';
import { drawThinkTime } from '../model/think-times.ts';
import { createClient } from './client.ts';
import { addDataExhausted, addFlowErrors, addSessionDuration } from './metrics.ts';
import type { OpenSession } from './open-session.ts';
import { rows } from './pools.ts';

/** Thrown to end a session for which the pool has no row left: counted, but no error of the flow. */
const EXHAUSTED = {};
/** Stands for what a flow threw when that is undefined. */
const FAILED = 'undefined';

type Runner = (flow: AnyFlow, shared: unknown) => unknown;

let runner: Runner | undefined;
/** The `__ENV` that it was made for: k6 makes a new one when a VU moves on to another scenario, whose settings are others. */
let current: unknown;

/** The exported function that runs sessions of `flow`. A VU that never runs one holds next to nothing. */
export const sessionOf =
  (flow: AnyFlow): ((setup?: { readonly shared?: unknown } | null) => unknown) =>
  (setup) => {
    if (runner === undefined || current !== __ENV) {
      // Set-up looks where the load goes: no option may send it to a host that nobody named.
      if (!setup) exec.test.abort('the set-up was left out (--no-setup), which looks where the load goes: leave it in');
      current = __ENV;
      runner = createRunner(JSON.parse(__ENV[SESSION_SETTINGS] ?? ''));
    }
    return runner(flow, setup?.shared);
  };

/**
 * Reads the number of the session. k6 makes a new object with all its properties at every look at `exec.scenario` (30 us and
 * 4.5 kB), so only the property's function is kept.
 */
export const iterationReader = (): (() => number) =>
  Object.getOwnPropertyDescriptor(exec.scenario, 'iterationInTest')?.get ?? (() => exec.scenario.iterationInTest);

/** A pool as a VU holds it. */
interface OpenPool extends PoolSettings {
  sample?: (random: Random) => number;
  /** Rows that the session of this number took, where each session has rows of its own. */
  taken?: number;
  session?: number;
}

const createRunner = (settings: SessionSettings): Runner => {
  const { scenario, base, seed, shift, think, thinkTimes, cdnShare, identified, traced } = settings;
  // An archive (`k6 archive`) keeps its options, and with them the settings; its target may still be named when it runs.
  let baseUrl = __ENV['BASE_URL'] || settings.baseUrl;
  // No regular expression, nor a method that is used nowhere else: each costs every VU its prototype.
  while (baseUrl[baseUrl.length - 1] === '/') baseUrl = baseUrl.slice(0, -1);

  // k6's engine looks a global up by its name at every use.
  const { now } = Date;
  let iteration = 0;
  let warned = false;
  let told = false;
  const random = seededRandom();
  const readIteration = iterationReader();
  let drawn: unknown[] | undefined;
  const pools: Record<string, OpenPool> = {};

  const session = {
    random,
    baseUrl,
    pick: (name) => {
      let pool = pools[name];
      if (pool === undefined) {
        pool = JSON.parse(__ENV[POOL_ENTRY + name] as string) as OpenPool;
        pools[name] = pool;
      }
      const { rows: n, column, law } = pool;
      let index: number;
      if (law === 'once' || law === 'sequential') {
        if (pool.stripe === undefined) {
          throw new Error(
            `${scenario} picks from ${name}, though it did not when its requests were counted: pick always`,
          );
        }
        pool.taken = pool.session === iteration ? (pool.taken as number) + 1 : 0;
        pool.session = iteration;
        index = rowOf(iteration, pool.taken, pool.stripe);
        if (index >= n && law === 'once') {
          addDataExhausted?.(1);
          if (pool.whenUsedUp === 'stop') {
            if (!warned)
              console.warn(`no row of ${name} is left for session ${iteration} of ${scenario}: POOL=wrap begins again`);
            warned = true;
            throw EXHAUSTED;
          }
        }
        index %= n;
      } else {
        pool.sample ??= checkedSampler(law, n);
        index = pool.sample(random);
      }
      const row = rows[pool.from + index];
      if (pool.traced) drawn?.push(row);
      return column === undefined ? row : { [column]: row };
    },
    think: (step) => {
      const law = typeof step === 'string' ? thinkTimes[step] : step;
      if (law === undefined) throw new Error(`the workload has no think time "${step}"`);
      const time = drawThinkTime(law, random) * think;
      if (traced) drawn?.push(+time.toFixed(6));
      if (time > 0) sleep(time);
    },
    variables: settings.variables,
  } as OpenSession;
  const { secrets } = settings;
  if (secrets !== undefined)
    for (let i = 0; i < secrets.length; i++) {
      const name = secrets[i] as string;
      session.variables[name] = __ENV[name] ?? '';
    }
  createClient({ ...settings, baseUrl }, session);
  if ((typeof USES_CDN_SHARE === 'undefined' || USES_CDN_SHARE) && cdnShare > 0) {
    // What the CDN would answer is left out; a good answer keeps the flow going.
    const { call } = session;
    session.call = (key, parameters, options) => {
      const {
        cacheable,
        example = {},
        expected,
      } = JSON.parse(__ENV[ENDPOINT_ENTRY + key] as string) as PreparedEndpoint;
      if (!cacheable || random() >= cdnShare) return call(key, parameters, options);
      const body = typeof example === 'string' ? example : JSON.stringify(example);
      const json = (selector?: string) => {
        const value: unknown = JSON.parse(body);
        return selector === undefined ? value : select(value, selector);
      };
      const answer = { status: [expected ?? []].flat()[0] ?? 200, body, headers: {}, json } as never;
      session.collected?.push({ answer } as never);
      return answer;
    };
  }

  /** @param error what the flow threw; undefined when it went to its end */
  const end = (start: number, error?: unknown): void => {
    addSessionDuration(now() - start);
    const failed = error !== undefined && error !== EXHAUSTED;
    addFlowErrors(failed);
    if (failed && !told) {
      // What a flow makes of an error page is mostly the answer's fault.
      const { name, status } = session.latest ?? {};
      const answer = name === undefined ? '' : ` (latest answer: ${name} ${status || 'none'})`;
      console.error(`session ${iteration} of ${scenario} ended with an exception: ${error}${answer}`);
      told = true;
    }
    if (traced) console.log(`trace ${JSON.stringify([scenario, iteration, ...(drawn ?? [])])}`);
  };

  return (flow, shared) => {
    iteration = readIteration();
    if (traced) drawn = [];
    // Drawn by every arrival process, so that all have the same sessions.
    const wait = random(base, iteration) * shift;
    if (wait > 0) sleep(wait);
    session.header();
    session.send = undefined;
    session.renew = undefined;
    session.latest = undefined;
    session.shared = shared;
    if (identified) session.header('X-Session-Id', `${scenario}-${iteration}-${seed}`);
    const start = now();
    try {
      const promise = flow(session as never) as Promise<void> | undefined;
      if (typeof promise?.then === 'function') {
        return promise.then(
          () => end(start),
          (error: unknown) => end(start, error ?? FAILED),
        );
      }
    } catch (error) {
      end(start, error ?? FAILED);
      return undefined;
    }
    end(start);
    return undefined;
  };
};
