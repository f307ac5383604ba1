// Touches k6: runs a flow as one session (seed, shift, think, catch and count).
import { sleep } from 'k6';
import exec from 'k6/execution';
import type { Flow, Visit } from '../model/flow.ts';
import { rowOf } from '../model/pool-rows.ts';
import { checkedSampler } from '../model/popularity.ts';
import { seededRandom } from '../model/random.ts';
import { SESSION_KIT, type SessionKit } from '../model/session-settings.ts';
import { drawThinkTime } from '../model/think-times.ts';
import { createClient } from './client.ts';
import { addDataExhausted, addFlowErrors, addSessionDuration } from './metrics.ts';
import { BOOKS, bookAt, pickCategory, pickSearchTerm } from './pools.ts';

/** Thrown to end a session for which the pool has no row left: counted, but no error of the flow. */
const EXHAUSTED = {};

type Runner = (flow: Flow) => void;

let runner: Runner | undefined;
/** The `__ENV` that it was made for: k6 makes a new one when a VU moves on to another scenario, whose kit is another. */
let current: unknown;

/** The exported function that runs sessions of `flow`. A VU that never runs one holds next to nothing. */
export const sessionOf =
  (flow: Flow): (() => void) =>
  () => {
    if (runner === undefined || current !== __ENV) {
      current = __ENV;
      runner = createRunner(JSON.parse(__ENV[SESSION_KIT] ?? ''));
    }
    runner(flow);
  };

/**
 * Reads the number of the session. k6 makes a new object with all its properties at every look at `exec.scenario` (30 us and
 * 4.5 kB), so only the property's function is kept.
 */
const iterationReader = (): (() => number) =>
  Object.getOwnPropertyDescriptor(exec.scenario, 'iterationInTest')?.get ?? (() => exec.scenario.iterationInTest);

const createRunner = (kit: SessionKit): Runner => {
  const { scenario, base, seed, shift, think, thinkTimes, stripe, pool, cdnShare, traced } = kit;
  // An archive (`k6 archive`) keeps its options, and with them the kit; its target may still be named when it runs.
  let baseUrl = __ENV['BASE_URL'] || kit.baseUrl;
  // No regular expression, nor a method that is used nowhere else: each costs every VU its prototype.
  while (baseUrl[baseUrl.length - 1] === '/') baseUrl = baseUrl.slice(0, -1);
  const client = createClient({ ...kit, baseUrl });

  // k6's engine looks a global up by its name at every use.
  const { now } = Date;
  let iteration = 0;
  let takes = 0;
  let warned = false;
  let told = false;
  const { next: random, begin } = seededRandom();
  const readIteration = iterationReader();
  let drawn: (string | number)[] = [];

  const takeRow = (): string => {
    const row = rowOf(iteration, takes++, stripe);
    if (row >= BOOKS) {
      addDataExhausted?.(1);
      if (pool === 'stop') {
        if (!warned) console.warn(`no book is left for session ${iteration} of ${scenario}: POOL=wrap begins again`);
        warned = true;
        throw EXHAUSTED;
      }
    }
    return bookAt(row % BOOKS);
  };
  const rank = kit.popularity === 'once' ? undefined : checkedSampler(kit.popularity, BOOKS);

  const visit: { -readonly [P in keyof Visit]: Visit[P] } = {
    random,
    book: () => {
      const isbn = rank === undefined ? takeRow() : bookAt(rank(random));
      if (traced) drawn.push(isbn);
      return isbn;
    },
    searchTerm: () => pickSearchTerm(random),
    category: () => pickCategory(random),
    send: client.send,
    think: (step) => {
      const law = thinkTimes[step];
      if (law === undefined) throw new Error(`the workload has no think time "${step}"`);
      const time = drawThinkTime(law, random) * think;
      if (traced) drawn.push(+time.toFixed(6));
      if (time > 0) sleep(time);
    },
  };
  if (cdnShare > 0) {
    // What the CDN would answer is left out; a good reply keeps the flow going.
    const { send } = client;
    visit.send = (calls, key, path, about = '', body) => {
      const { endpoint, example = '' } = calls(key);
      if (!endpoint.cacheable || random() >= cdnShare) return send(calls, key, path, about, body);
      return { status: endpoint.expected[0] ?? 200, body: example, about };
    };
  }

  return (flow) => {
    iteration = readIteration();
    takes = 0;
    begin(base, iteration);
    if (traced) drawn = [];
    // Drawn by every arrival process, so that all have the same sessions.
    const wait = random() * shift;
    if (wait > 0) sleep(wait);
    client.identify?.(`${scenario}-${iteration}-${seed}`);
    const start = now();
    let failed = false;
    try {
      flow(visit);
    } catch (error) {
      if (error !== EXHAUSTED) {
        failed = true;
        if (!told) console.error(`session ${iteration} of ${scenario} ended with an exception: ${error}`);
        told = true;
      }
    }
    addSessionDuration(now() - start);
    addFlowErrors(failed);
    if (traced) console.log(`trace ${JSON.stringify([scenario, iteration, ...drawn])}`);
  };
};
