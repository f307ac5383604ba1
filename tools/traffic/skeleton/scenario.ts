/** The text of a skeleton's `scenario.ts`. What comes from a log stands in it as JSON text, and in no comment. */
import { placeholdersOf } from '../../../lib/model/request-path.ts';

export interface ScenarioInput {
  /** `METHOD /path/{x}?key=` of all steps. */
  readonly endpoints: readonly string[];
  /** Items that exist. */
  readonly items: number;
}

export function scenarioText({ endpoints, items }: ScenarioInput): string {
  const placeholders = [...new Set(endpoints.flatMap((endpoint) => placeholdersOf(pathOf(endpoint))))];
  const withBody = endpoints.filter((endpoint) => /^(POST|PUT|PATCH) /.test(endpoint));
  return `/**
 * Made from an access log by \`bookstore-load traffic --skeleton\`. It runs as it stands:
 *
 *   k6 run -e BASE_URL=http://127.0.0.1:8080 scenario.ts
 *
 * Sessions, think times and their shares are in workload.json, which can be made anew without this file. Variables (-e):
 *   RATE=20         sessions/s; default: the log's
 *   DURATION=3m     default 1m
 *   STAGES=on       the rate rises and falls as in the log, over the log's own time (traffic --compress shortens it), or over
 *                   DURATION, with RATE as its mean
 *   THINK=0.5       factor of the think times
 *   ITEM=view       a new item for each request; default: a session keeps its item (see itemOf)
 *   TIMEOUT=10s     after which a request counts as unanswered; default 60s
 *   SEED=text       another text gives other arrivals, sessions and items
 * Fill in what a log cannot tell: real ids in \`valueOf\`, request bodies in \`bodyOf\`, checks of the answers in \`send\`.
 */
import { check, sleep } from 'k6';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter } from 'k6/metrics';
import type { Options, Scenario } from 'k6/options';
import {
  type DrawnFlow,
  durationSeconds,
  type Piece,
  type PopularityLaw,
  popularitySampler,
  requestPath,
  runOptions,
  type RunLoad,
  sessionOf,
  shiftSeconds,
  type Stage,
  stagePieces,
} from './sampling.js';

interface Workload {
  arrivals: { rate: number; process: 'poisson' | 'metronome'; stages?: Stage[] };
  endpoints: Record<string, string>;
  flows: Record<string, { share: number } & Omit<DrawnFlow, 'name'>>;
  popularity: PopularityLaw;
  latency: { degradedMs: number };
}

/** TODO: the id of the item at this place in your own data, for each placeholder of a path. */
function valueOf(placeholder: string, rank: number): string {
  switch (placeholder) {
${placeholders.map((name) => `    case ${literal(name)}:\n      return ${defaultValue(name)};`).join('\n')}
    default:
      return String(rank + 1);
  }
}

/** TODO: the body of each request that has one. */
function bodyOf(endpoint: string): string | null {
  switch (endpoint) {
${withBody.map((endpoint) => `    case ${literal(endpoint)}:\n      return '{}';`).join('\n')}
    default:
      return null;
  }
}

/** Items that exist. */
const ITEMS = ${Math.max(1, Math.round(items))};

// Flows and stages are long, and every VU would hold a copy: kept once, looked at when needed.
const read = (): Workload => JSON.parse(open('./workload.json'));
const flows = new SharedArray('flows', () => Object.entries(read().flows).map(([name, flow]) => ({ name, ...flow })));
const stages = new SharedArray('stages', () => read().arrivals.stages ?? []);
const [workload] = new SharedArray('workload', () => {
  const { flows, arrivals, ...rest } = read();
  return [{ ...rest, rate: arrivals.rate, process: arrivals.process, shares: Object.values(flows).map((f) => f.share) }];
}) as unknown as [
  Omit<Workload, 'flows' | 'arrivals'> & { rate: number; process: 'poisson' | 'metronome'; shares: number[] },
];

const BASE_URL = (__ENV.BASE_URL ?? 'http://127.0.0.1:8080').replace(/\\/+$/, '');
const THINK = numberOf('THINK', 1);
const TIMEOUT = durationSeconds(__ENV.TIMEOUT ?? '60s', 'TIMEOUT');
const NEW_ITEM_EACH_TIME = choiceOf('ITEM', ['session', 'view']) === 'view';

const load: RunLoad = {
  pieces: pieces(),
  process: workload.process,
  seed: __ENV.SEED ?? '1',
  shares: workload.shares,
  flowAt: (index) => flows[index]!,
  think: THINK,
  latencySeconds: workload.latency.degradedMs / 1000,
  timeoutSeconds: TIMEOUT,
};
const SHIFT = shiftSeconds(load);
const pick = popularitySampler(workload.popularity, ITEMS);

/** Sessions that began and did not end: k6 cut them off, so the run sent less than it claims. */
const unfinished = new Counter('sessions_unfinished');

export const options: Options = {
  discardResponseBodies: true,
  // Only VU 0 is asked for options.
  scenarios: __VU === 0 ? scenarios() : {},
  thresholds: {
    // A session dropped or cut off is the test's own fault.
    dropped_iterations: ['count==0'],
    sessions_unfinished: ['count==0'],
    checks: ['rate>0.99'],
  },
};

function scenarios(): NonNullable<Options['scenarios']> {
  const all = flows.map((flow) => flow);
  const arrivals = runOptions({ ...load, flowAt: (index) => all[index]! });
  return { sessions: { ...arrivals, exec: 'session' } as unknown as Scenario };
}

/** One session: its steps, think times and items are drawn by SEED and its number, so they are the same in every run. */
export function session(): void {
  const { flow, steps, waits, random } = sessionOf(load, exec.scenario.iterationInTest);
  sleep(random() * SHIFT);
  unfinished.add(1);
  const ranks: Record<string, number> = {};
  for (let i = 0; i < steps.length; i++) {
    sleep(waits[i]! * THINK);
    const endpoint = workload.endpoints[steps[i]!]!;
    send(endpoint, flow, (placeholder) => valueOf(placeholder, itemOf(placeholder, ranks, random)));
  }
  unfinished.add(-1);
}

/**
 * The item that a placeholder stands for. A session keeps it: most look at one thing with several requests (its page, its
 * events), and a cache in the system feels the difference. With ITEM=view each request draws another one, as sessions do
 * that go from thing to thing.
 */
function itemOf(placeholder: string, ranks: Record<string, number>, random: () => number): number {
  if (NEW_ITEM_EACH_TIME) return pick(random);
  return (ranks[placeholder] ??= pick(random));
}

function send(endpoint: string, flow: string, value: (placeholder: string) => string): void {
  const space = endpoint.indexOf(' ');
  const template = endpoint.slice(space + 1);
  // What is no path of a request (OPTIONS *, or endpoints too many to be told apart) cannot be sent.
  if (!template.startsWith('/')) return;
  const response = http.request(endpoint.slice(0, space), BASE_URL + requestPath(template, value), bodyOf(endpoint), {
    tags: { name: endpoint, flow },
    headers: { 'Content-Type': 'application/json', 'X-Session-Id': \`session-\${exec.scenario.iterationInTest}\` },
    timeout: \`\${TIMEOUT}s\`,
  });
  check(response, { 'status is below 400': (r) => r.status > 0 && r.status < 400 });
}

function pieces(): Piece[] {
  const length = __ENV.DURATION === undefined ? undefined : durationSeconds(__ENV.DURATION);
  const rate = __ENV.RATE === undefined ? undefined : numberOf('RATE', workload.rate);
  if (choiceOf('STAGES', ['off', 'on']) === 'off') return [{ seconds: length ?? 60, rate: rate ?? workload.rate }];
  if (stages.length === 0) throw new Error('STAGES=on is not possible: workload.json has no stages, the log is too short');
  return stagePieces(stages, length, rate);
}

function numberOf(name: 'RATE' | 'THINK', fallback: number): number {
  const found = Number(__ENV[name] ?? fallback);
  if (found > 0 || (name === 'THINK' && found === 0)) return found;
  throw new Error(\`\${name}=\${__ENV[name]} is not valid: give a number above 0\`);
}

function choiceOf(name: string, choices: [string, string]): string {
  const found = __ENV[name] ?? choices[0];
  if (choices.includes(found)) return found;
  throw new Error(\`\${name}=\${found} is not valid: give \${choices.join(' or ')}\`);
}
`;
}

function pathOf(endpoint: string): string {
  return endpoint.slice(endpoint.indexOf(' ') + 1);
}

/** A string of TypeScript with exactly this text; JSON leaves two line separators as they are. */
function literal(text: string): string {
  return JSON.stringify(text).replace(/[\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16)}`);
}

/** A value of the shape that made the log's segment a placeholder of this name. */
function defaultValue(name: string): string {
  switch (name) {
    case 'isbn':
      return `'979' + String(rank).padStart(10, '0')`;
    case 'hash':
      return `'0123456789abcdef' + (rank + 0x10000000).toString(16)`;
    case 'date':
      return `'2024-01-' + String(1 + (rank % 28)).padStart(2, '0')`;
    case 'slug':
      return `'item-number-' + rank`;
    case 'name':
      return `'item' + rank`;
    case 'email':
      return `'user' + rank + '@example.com'`;
    default:
      return 'String(rank + 1)';
  }
}
