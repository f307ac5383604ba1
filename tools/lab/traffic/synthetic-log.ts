/**
 * A log that follows a workload exactly: sessions arrive by a Poisson process, think by the laws and pick by the popularity
 * law. What the tool reads back must be what went in; no server is needed for that.
 */
import { CATALOGUE_SIZE, isbnOf } from '../../../bookstore/catalogue/books.ts';
import { type Endpoint, goodStatus } from '../../../lib/model/endpoints.ts';
import { popularitySampler } from '../../../lib/model/popularity.ts';
import { hashSeed, type Random, sessionRandom } from '../../../lib/model/random.ts';
import { thinkTimeSampler } from '../../../lib/model/think-times.ts';
import type { Workload } from '../../../lib/model/workload.ts';
import { suiteAtHand } from '../../results/suite-facts.ts';
import { ownFlows } from '../../traffic/model/flow-shapes.ts';

export interface SyntheticOptions {
  /** Length of the arrivals, s. */
  readonly seconds: number;
  readonly seed: string;
  readonly format: 'w3c' | 'combined';
  /** Log the session id (W3C only). */
  readonly sessionIds?: boolean;
  readonly books?: number;
  /** Time stamps of whole seconds, as the combined format has them. */
  readonly start?: number;
}

interface Entry {
  readonly at: number;
  readonly took: number;
  readonly session: number;
  readonly flow: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
}

/** Lines of the log in the order in which requests end, as servers write them. */
export function syntheticLog(workload: Workload, options: SyntheticOptions): string[] {
  const random = sessionRandom(hashSeed(options.seed), 0);
  const entries = requestsOf(workload, options, random);
  entries.sort((a, b) => a.at + a.took - (b.at + b.took));
  if (options.format === 'combined') return entries.map(combinedLine);
  const columns = options.sessionIds === true ? ' cs(X-Session-Id)' : ' c-ip cs(User-Agent)';
  const head = [
    '#Version: 1.0',
    `#Fields: date time cs-method cs-uri-stem cs-uri-query sc-status time-taken${columns}`,
  ];
  return [...head, ...entries.map((entry) => w3cLine(entry, options.sessionIds === true))];
}

function requestsOf(workload: Workload, options: SyntheticOptions, random: Random): Entry[] {
  const books = options.books ?? CATALOGUE_SIZE;
  const pick = popularitySampler(workload.popularity, books);
  const suite = suiteAtHand();
  const flows = ownFlows(suite).map((flow) => ({
    steps: stepsOf(flow.thinks).map((step) => suite.endpoints.find(({ key }) => key === step) as Endpoint),
    share: workload.flows[flow.name]?.share ?? 0,
    thinks: flow.thinks.map((step) =>
      thinkTimeSampler(workload.flows[flow.name]?.thinkTimes[step] ?? { law: 'fixed', value: 1 }),
    ),
  }));
  const entries: Entry[] = [];
  const start = options.start ?? Date.UTC(2024, 2, 4, 10);
  let at = 0;
  for (let session = 0; ; session++) {
    at += -Math.log(1 - random()) / workload.arrivals.rate;
    if (at >= options.seconds) return entries;
    let u = random();
    let index = 0;
    while (index < flows.length - 1 && u >= (flows[index]?.share ?? 0)) {
      u -= flows[index]?.share ?? 0;
      index++;
    }
    const flow = flows[index] as (typeof flows)[number];
    let time = start + at * 1000;
    const cart = guid(random);
    flow.steps.forEach((step, i) => {
      const took = Math.max(1, Math.round(4 - 8 * Math.log(1 - random())));
      entries.push(request(step, isbnOf(pick(random)), cart, time, took, session, index, random));
      time += took + 1000 * (flow.thinks[i]?.(random) ?? 0);
    });
  }
}

/** Step names of a flow out of its think steps `a->b`. */
function stepsOf(thinks: readonly string[]): string[] {
  const steps: string[] = [];
  for (const think of thinks) {
    const [from = '', to = ''] = think.split('->');
    if (steps.length === 0) steps.push(from);
    steps.push(to);
  }
  return steps;
}

function request(
  endpoint: Endpoint,
  isbn: string,
  cart: string,
  at: number,
  took: number,
  session: number,
  flow: number,
  random: Random,
): Entry {
  const path = endpoint.template.replace('{isbn}', isbn).replace('{id}', cart);
  const query =
    endpoint.key === 'list'
      ? `category=fiction&page=${1 + Math.floor(random() * 5)}`
      : endpoint.key === 'search'
        ? 'search=harbour'
        : '';
  return { at, took, session, flow, method: endpoint.method, path, query, status: goodStatus(endpoint) };
}

function guid(random: Random): string {
  const hex = (n: number): string => Array.from({ length: n }, () => Math.floor(random() * 16).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}

function w3cLine(entry: Entry, sessionIds: boolean): string {
  const stamp = new Date(entry.at).toISOString();
  const who = sessionIds
    ? `s-${entry.session}`
    : `${address(entry.session)} ${AGENTS[entry.session % AGENTS.length]?.replaceAll(' ', '+')}`;
  return `${stamp.slice(0, 10)} ${stamp.slice(11, 23)} ${entry.method} ${entry.path} ${entry.query || '-'} ${entry.status} ${entry.took} ${who}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The stamp of the end, cut to a second, as nginx logs it. */
function combinedLine(entry: Entry): string {
  const end = new Date(entry.at + entry.took);
  const iso = end.toISOString();
  const stamp = `${iso.slice(8, 10)}/${MONTHS[end.getUTCMonth()]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000`;
  const target = entry.query === '' ? entry.path : `${entry.path}?${entry.query}`;
  return `${address(entry.session)} - - [${stamp}] "${entry.method} ${target} HTTP/1.1" ${entry.status} ${300 + entry.took} "-" "${AGENTS[entry.session % AGENTS.length]}"`;
}

/** Documentation and test ranges only: 198.18.0.0/15, one address a session for 131,072 sessions. */
function address(session: number): string {
  const n = session % 131_072;
  return `198.${18 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`;
}

const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_4) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:125.0) Gecko/20100101 Firefox/125.0',
];
