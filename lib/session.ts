// Touches k6: runs a flow as one session (seed, shift, think, catch and count).
import { sleep } from 'k6';
import exec from 'k6/execution';
import { openCatalogue, type Picker } from './catalogue.ts';
import { createClient } from './client.ts';
import { thinkTimeSampler } from './distributions.ts';
import { dataExhausted, flowErrors, sessionDuration } from './metrics.ts';
import { rowOf } from './pool.ts';
import { type Random, sessionRandom } from './random.ts';
import { SESSION_KIT, type SessionKit } from './session-kit.ts';
import type { Flow, Visit } from './visit.ts';

/** Thrown to end a session for which the pool has no row left: counted, but no error of the flow. */
const EXHAUSTED = {};

interface Runner {
  /** Scenario that it was made for. */
  readonly scenario: string;
  readonly run: (flow: Flow, iteration: number) => void;
}

let runner: Runner | undefined;
/** k6 makes a new object at every look at `exec.scenario`; its properties stay live, so one is enough. */
let current: typeof exec.scenario | undefined;

/** The exported function that runs sessions of `flow`. A VU that never runs one holds next to nothing. */
export const sessionOf =
  (flow: Flow): (() => void) =>
  () => {
    current ??= exec.scenario;
    const { name } = current;
    // A VU may move on to another scenario, whose kit is another.
    if (runner?.scenario !== name) runner = createRunner(name);
    runner.run(flow, current.iterationInTest);
  };

const createRunner = (scenario: string): Runner => {
  const kit = JSON.parse(__ENV[SESSION_KIT] ?? '') as SessionKit;
  const { base, seed, shift, think, stripe, cdnShare, identified, traced } = kit;
  // An archive (`k6 archive`) keeps its options, and with them the kit; its target may still be named when it runs.
  let baseUrl = __ENV['BASE_URL'] || kit.baseUrl;
  // No regular expression, nor a method that is used nowhere else: each costs every VU its prototype.
  while (baseUrl[baseUrl.length - 1] === '/') baseUrl = baseUrl.slice(0, -1);
  const client = createClient({ ...kit, baseUrl });
  const { books, book, bookPicker, searchTerm, category } = openCatalogue();
  const samplers: Record<string, (random: Random) => number> = {};

  let iteration = 0;
  let takes = 0;
  let warned = false;
  let told = false;
  let random: Random = sessionRandom(base, 0);
  let drawn: (string | number)[] = [];

  const takeRow = (): string => {
    const row = rowOf(iteration, takes++, stripe);
    if (row >= books) {
      dataExhausted.add(1);
      if (kit.pool === 'stop') {
        if (!warned) console.warn(`no book is left for session ${iteration} of ${scenario}: POOL=wrap begins again`);
        warned = true;
        throw EXHAUSTED;
      }
    }
    return book(row % books);
  };
  const pick: Picker = kit.popularity === 'once' ? takeRow : bookPicker(kit.popularity);

  const visit: Visit = {
    random: () => random(),
    book: () => {
      const isbn = pick(random);
      if (traced) drawn.push(isbn);
      return isbn;
    },
    searchTerm: () => searchTerm(random),
    category: () => category(random),
    send: client.send,
    think: (step) => {
      let sampler = samplers[step];
      if (sampler === undefined) {
        const law = kit.thinkTimes[step];
        if (law === undefined) throw new Error(`the workload has no think time "${step}"`);
        sampler = thinkTimeSampler(law);
        samplers[step] = sampler;
      }
      const time = sampler(random) * think;
      if (traced) drawn.push(+time.toFixed(6));
      if (time > 0) sleep(time);
    },
  };
  if (cdnShare > 0) {
    // What the CDN would answer is left out; a good reply keeps the flow going.
    const { send } = client;
    Object.assign(visit, {
      send: ((make, path, about = '', body) => {
        const { endpoint, example = '' } = make();
        if (!endpoint.cacheable || random() >= cdnShare) return send(make, path, about, body);
        return { status: endpoint.expected[0] ?? 200, body: example, about };
      }) satisfies Visit['send'],
    });
  }

  const run = (flow: Flow, number: number): void => {
    iteration = number;
    takes = 0;
    random = sessionRandom(base, iteration);
    if (traced) drawn = [];
    // Drawn by every arrival process, so that all have the same sessions.
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
  return { scenario, run };
};
