// Touches k6: runs a flow as one session (seed, shift, think, catch and count).
import { sleep } from 'k6';
import exec from 'k6/execution';
import { books, categoryPicker, type Picker, picker, termPicker } from './catalogue.ts';
import { createClient } from './client.ts';
import { thinkTimeSampler } from './distributions.ts';
import { BASE_URL, POOL, POPULARITY, read, SEED, SESSION_ID, THINK, TIMEOUT, TRACE } from './env.ts';
import { dataExhausted, flowErrors, sessionDuration } from './metrics.ts';
import { rowOf, type Stripe } from './pool.ts';
import { hashSeed, type Random, sessionRandom } from './random.ts';
import { SCENARIO_ENV } from './scenario-env.ts';
import type { Flow, Visit } from './visit.ts';
import type { ThinkTimeLaw, Workload } from './workload.ts';

/** Thrown to end a session for which the pool has no row left: counted, but no error of the flow. */
const EXHAUSTED = {};

/** Runs flows as sessions: the exported functions of a bundle are what it makes. */
export function sessions(
  workload: Pick<Workload, 'popularity'>,
): (thinkTimes: Readonly<Record<string, ThinkTimeLaw>>, flow: Flow) => () => void {
  const seed = read(SEED, __ENV);
  const think = read(THINK, __ENV);
  const law = read(POPULARITY, __ENV) ?? workload.popularity;
  const wraps = read(POOL, __ENV) === 'wrap';
  const traced = read(TRACE, __ENV) === 'on';
  const identified = read(SESSION_ID, __ENV) === 'on';
  const client = createClient({ baseUrl: read(BASE_URL, __ENV), timeout: read(TIMEOUT, __ENV), identified });

  let scenario = '';
  let base = 0;
  let shift = 0;
  let iteration = 0;
  let takes = 0;
  let warned = false;
  let told = false;
  let random: Random = Math.random;
  let samplers: Readonly<Record<string, (random: Random) => number>> = {};
  let drawn: (string | number)[] = [];
  let stripe: Stripe = { scenario: 0, scenarios: 1, rowsPerSession: 1 };

  const pick: Picker = law === 'once' ? takeRow : picker(books, law);
  const term = termPicker();
  const category = categoryPicker();

  function takeRow(): string {
    const row = rowOf(iteration, takes++, stripe);
    if (row >= books.length) {
      dataExhausted.add(1);
      if (!wraps) {
        if (!warned) console.warn(`no book is left for session ${iteration} of ${scenario}: POOL=wrap begins again`);
        warned = true;
        throw EXHAUSTED;
      }
    }
    return books[row % books.length] as string;
  }

  const visit: Visit = {
    random: () => random(),
    book() {
      const isbn = pick(random);
      if (traced) drawn.push(isbn);
      return isbn;
    },
    searchTerm: () => term(random),
    category: () => category(random),
    send: client.send,
    think(step) {
      const sampler = samplers[step];
      if (sampler === undefined) throw new Error(`the workload has no think time "${step}"`);
      const time = sampler(random) * think;
      if (traced) drawn.push(+time.toFixed(6));
      if (time > 0) sleep(time);
    },
  };

  /** A VU may move on to another scenario: what depends on it is made once for each. */
  function enter(name: string): void {
    scenario = name;
    base = hashSeed(`${seed}/${name}`);
    shift = Number(__ENV[SCENARIO_ENV.shift] ?? 0);
    const [number = 0, scenarios = 1, rowsPerSession = 1] = (__ENV[SCENARIO_ENV.stripe] ?? '').split('/').map(Number);
    stripe = { scenario: number, scenarios, rowsPerSession };
  }

  return (thinkTimes, flow) => {
    const own: Record<string, (random: Random) => number> = {};
    for (const step of Object.keys(thinkTimes)) own[step] = thinkTimeSampler(thinkTimes[step] as ThinkTimeLaw);
    return () => {
      const now = exec.scenario;
      if (now.name !== scenario) enter(now.name);
      iteration = now.iterationInTest;
      random = sessionRandom(base, iteration);
      samplers = own;
      takes = 0;
      if (traced) drawn = [];
      // Drawn by every arrival process, so that both have the same sessions.
      const wait = random() * shift;
      if (wait > 0) sleep(wait);
      if (identified) client.identify(`${scenario}-${iteration}-${seed}`);
      const start = Date.now();
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
      sessionDuration.add(Date.now() - start);
      flowErrors.add(failed);
      if (traced) console.log(`trace ${JSON.stringify([scenario, iteration, ...drawn])}`);
    };
  };
}
