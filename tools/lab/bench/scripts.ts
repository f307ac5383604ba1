/** The scripts that the suite is measured against. */

/** What anyone would write first; the yardstick. Reads BASE_URL, RATE (requests/s), SECONDS and VUS. */
export const TEN_LINES = `import http from 'k6/http';
export const options = {
  scenarios: {
    details: {
      executor: 'constant-arrival-rate', rate: Number(__ENV.RATE), duration: __ENV.SECONDS + 's',
      preAllocatedVUs: Number(__ENV.VUS), maxVUs: Number(__ENV.VUS),
    },
  },
};
export default () => { http.get(__ENV.BASE_URL + '/api/books/9790000000001'); };
`;

/** Operations of one iteration of a feature script. */
const BATCH = 500;

/** A piece of the suite's work, measured by doing it many times in one VU. */
export interface Feature {
  readonly name: string;
  /** How often it is done in all; slow ones less often. */
  readonly times: number;
  /** Module-level code. */
  readonly prepare?: string;
  /** Expression or statement that does it once; \`i\` counts from 0, \`random\` is a session's generator. */
  readonly once: string;
  readonly thresholds?: Readonly<Record<string, readonly string[]>>;
}

const MANY = 100_000;
const TAGS = `{ name: 'GET /api/books/{isbn}', status: '200' }`;
const BODY = JSON.stringify({
  isbn: '9790000000001',
  title: 'The Silent Harbour 0',
  author: 'Ada Abel',
  category: 'fiction',
  price: 99.9,
  year: 1950,
  stock: 1_000_000,
});
const TREND = `const trend = new Trend('duration_2xx', true), tags = ${TAGS};`;

/** Nothing but the loop, subtracted from the others. */
export const EMPTY: Feature = { name: 'loop', times: MANY, once: '' };

export const FEATURES: readonly Feature[] = [
  { name: 'generator of a session (seed and first number)', times: MANY, once: 'sessionRandom(7, i)()' },
  {
    name: 'think time, uniform',
    times: MANY,
    prepare: `const think = thinkTimeSampler({ law: 'uniform', min: 2, max: 5 });`,
    once: 'think(random)',
  },
  {
    name: 'think time, lognormal',
    times: MANY,
    prepare: `const think = thinkTimeSampler({ law: 'lognormal', mu: 1, sigma: 0.7, cap: 60 });`,
    once: 'think(random)',
  },
  { name: 'sleep of 1 ms', times: 5_000, once: 'sleep(0.001)' },
  {
    name: 'popularity draw, power',
    times: MANY,
    prepare: `const pick = popularitySampler({ law: 'power', g: 3 }, 40000);`,
    once: 'pick(random)',
  },
  {
    name: 'popularity draw, zipf',
    times: MANY,
    prepare: `const pick = popularitySampler({ law: 'zipf', s: 2 / 3 }, 40000);`,
    once: 'pick(random)',
  },
  {
    name: 'read of an ISBN from the SharedArray',
    times: MANY,
    prepare: `const rows = new SharedArray('rows', () => Array.from({ length: 40000 }, (_, i) => String(9790000000000 + i)));`,
    once: 'rows[i % 40000]',
  },
  {
    name: 'check of one condition',
    times: MANY,
    prepare: `const conditions = { 'status 200': (reply) => reply.status === 200 }, reply = { status: 200 }, tags = ${TAGS};`,
    once: 'check(reply, conditions, tags)',
  },
  { name: 'Trend with two tags', times: MANY, prepare: TREND, once: 'trend.add(i, tags)' },
  {
    name: 'Trend with two tags and six thresholds',
    times: MANY,
    prepare: TREND,
    once: 'trend.add(i, tags)',
    thresholds: Object.fromEntries(
      ['{isbn}', 'list', 'search', 'cart', 'item', 'order'].map((name) => [
        `duration_2xx{name:GET /api/books/${name}}`,
        ['p(95)<1000000'],
      ]),
    ),
  },
  { name: 'Rate', times: MANY, prepare: `const rate = new Rate('flow_errors');`, once: 'rate.add(false)' },
  {
    name: 'JSON.parse of a details body',
    times: MANY,
    prepare: `const body = ${JSON.stringify(BODY)};`,
    once: 'JSON.parse(body).isbn',
  },
  {
    name: 'search of a details body for the ISBN',
    times: MANY,
    prepare: `const body = ${JSON.stringify(BODY)};`,
    once: `body.includes('9790000000001')`,
  },
];

/** Source of a feature's script, to be bundled from the project's root. */
export function featureScript({ times, prepare = '', once, thresholds = {} }: Feature): string {
  return `import { check, sleep } from 'k6';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import { Counter, Rate, Trend } from 'k6/metrics';
import { thinkTimeSampler } from './lib/model/think-times.ts';
import { popularitySampler } from './lib/model/popularity.ts';
import { sessionRandom } from './lib/model/random.ts';
${prepare}
export const options = {
  thresholds: ${JSON.stringify(thresholds)},
  scenarios: { main: { executor: 'shared-iterations', vus: 1, iterations: ${times / BATCH}, maxDuration: '10m' } },
};
export default () => {
  const random = sessionRandom(1, exec.scenario.iterationInTest);
  for (let i = 0; i < ${BATCH}; i++) {
    ${once};
  }
};
`;
}
