import { describe, expect, it } from 'vitest';
import { expressionFault, parseObjectives } from '../../../tools/schemas/objectives.ts';
import { parseWorkload } from '../../../tools/schemas/workload.ts';
import { shopWorkload } from '../../support/shop.ts';

const NAMES = {
  flows: ['browse', 'search', 'checkout'],
  endpoints: ['GET /api/books', 'GET /api/books/{isbn}'],
  counters: ['out_of_stock'],
  keys: { list: 'GET /api/books', book: 'GET /api/books/{isbn}' },
};
const objectives = (rest: object) =>
  parseObjectives(JSON.stringify({ schemaVersion: 1, purpose: 'p', endpoints: {}, ...rest }, null, 2), 't.json', NAMES);

describe('a thresholds file', () => {
  it('passes when everything is named rightly', () => {
    const endpoints = {
      '*': { failed: [{ threshold: 'rate<0.01', abortOnFail: true, delayAbortEval: '30s' }] },
      'GET /api/books/{isbn}': { '2xx': ['p(95)<300', 'p(99.9) <= 800', 'med<10'], checks: ['rate>0.99'] },
    };
    expect(objectives({ endpoints, validity: { dropped_iterations: ['count==0'] } }).endpoints).toEqual(endpoints);
  });

  it('may limit counters of the suite, and speak of steps of other protocols', () => {
    const endpoints = { 'WS /v1/stream': { '2xx': ['p(95)<300'] } };
    expect(objectives({ endpoints, validity: { out_of_stock: ['count==0'] } }).endpoints).toEqual(endpoints);
    expect(() => objectives({ endpoints, validity: { out_of_stock: ['rate==0', 'p(95)<1'] } })).toThrow(
      'is no aggregate of a counter',
    );
  });

  it.each([
    [
      { endpoints: { 'GET /api/book/{isbn}': {} } },
      't.json:5: "endpoints" > "GET /api/book/{isbn}": unknown endpoint "GET /api/book/{isbn}"; did you mean "GET /api/books/{isbn}"?',
    ],
    [{ endpoints: { book: {} } }, 'names the request and not the key: write "GET /api/books/{isbn}" for "book"'],
    [{ endpoints: { '*': { fail: ['rate<0.1'] } } }, 'unknown key "fail"; did you mean "failed"?'],
    [{ endpoints: { 'GET /a,b': {} } }, 'has a comma, which k6 refuses'],
    [{ endpoints: { '*': { '2x': ['p(95)<1'] } } }, 'unknown key "2x"; did you mean "2xx"?'],
    [{ endpoint: {} }, 't.json:5: unknown key "endpoint"; did you mean "endpoints"?'],
    [
      { endpoints: { '*': { '2xx': ['p95<300'] } } },
      '"p95" in "p95<300" is no aggregate of a trend; did you mean "p(95)"?',
    ],
    [{ endpoints: { '*': { '2xx': ['mean<300'] } } }, 'did you mean "avg"?'],
    [{ endpoints: { '*': { '2xx': ['p(95)<300ms'] } } }, '"300ms" in "p(95)<300ms" is no plain number'],
    [{ endpoints: { '*': { '2xx': ['p(101)<300'] } } }, '"p(101)" in "p(101)<300" is no aggregate'],
    [{ endpoints: { '*': { '2xx': ['p(95)=<300'] } } }, '"=<" in "p(95)=<300" is no comparison'],
    [{ endpoints: { '*': { '2xx': [''] } } }, 'is no threshold'],
    [{ endpoints: { '*': { failed: ['p(95)<1'] } } }, 'is no aggregate of a rate'],
    [{ endpoints: { '*': { failed: [{ threshold: 'rate<1', abortOnFial: true }] } } }, 'did you mean "abortOnFail"?'],
    [
      { endpoints: { '*': { failed: [{ threshold: 'rate<1', abortOnFail: true, delayAbortEval: '30' }] } } },
      'such as "30s"',
    ],
    [
      { validity: { droped_iterations: ['count==0'] } },
      'unknown key "droped_iterations"; did you mean "dropped_iterations"?',
    ],
    [{ sessions: { brows: ['p(95)<1'] } }, 'unknown flow "brows"; did you mean "browse"?'],
    [{ schemaVersion: 2 }, 't.json:2: "schemaVersion":'],
    [{ endpoints: { '*': { '2xx': [] } } }, 'an empty list asserts nothing'],
    [{ endpoints: {}, validity: { dropped_iterations: ['count==0'] } }, 'nothing would be asserted'],
    [{ endpoints: { '*': {} } }, 'no objective stands here'],
    [{ endpoints: { '*': { checks: ['rate>0.9'] }, total: {} } }, 'no objective stands here'],
    [{ endpoints: { '*': { '2xx': 'p(95)<300' } } }, 'objectives are a list of texts such as ["p(95)<300"]'],
    [{ endpoints: { '*': { '2xx': ['p( 95)<300'] } } }, 'is no aggregate of a trend'],
    [{ endpoints: { '*': { '2xx': ['p<300'] } } }, '"p" in "p<300" is no aggregate of a trend'],
    [{ endpoints: { '*': { '2xx': ['p(95)<Inf'] } } }, 'is no number that can be reached'],
    [{ endpoints: { '*': { '2xx': ['p(95)>=0'] } } }, 'is met whatever happens'],
    [{ endpoints: { '*': { failed: ['rate<2'] } } }, 'is met whatever happens'],
    [{ endpoints: { '*': { checks: ['rate<=1'] } } }, 'is met whatever happens'],
    [{ endpoints: { '*': { '2xx': ['p(95)\n<300'] } } }, 'write it on one line'],
    [{ endpoints: { '*': { '2xx': [`p(95)<${'9'.repeat(400)}`] } } }, 'is larger than any number'],
    [
      {
        endpoints: {
          '*': { failed: [{ threshold: 'rate<1', abortOnFail: true, delayAbortEval: '200h' }] },
        },
      },
      'longer than a week',
    ],
  ])('%j is refused', (rest, sentence) => {
    expect(() => objectives(rest)).toThrow(sentence);
  });

  it('with a key twice is refused, since JSON keeps only the last and an objective would be gone', () => {
    const text =
      '{\n"schemaVersion":1,"purpose":"p","endpoints":{\n"*":{"2xx":["p(95)<1"]},\n"*":{"checks":["rate>0.5"]}}}';
    expect(() => parseObjectives(text, 't.json', NAMES)).toThrow(/^t\.json:4: key "\*" stands twice/);
    const inner = '{"schemaVersion":1,"purpose":"p","endpoints":{"*":{"2xx":["p(95)<1"],\n"2xx":["p(95)<2"]}}}';
    expect(() => parseObjectives(inner, 't.json', NAMES)).toThrow(/^t\.json:2: key "2xx" stands twice/);
    const proto = '{"schemaVersion":1,"purpose":"p","endpoints":{"__proto__":{"2xx":["p(95)<1"]}}}';
    expect(() => parseObjectives(proto, 't.json', NAMES)).toThrow(/"__proto__" is never read/);
    const escaped = proto.replace('__proto__', '\\u005f_proto__');
    expect(() => parseObjectives(escaped, 't.json', NAMES)).toThrow(/"__proto__" is never read/);
  });

  it('that is no JSON is refused with the line', () => {
    for (const text of ['{\n  "a": 1,\n}', '{\n"a": [1,\n], "b": "\\"]"}', '\uFEFF{\n"a":1\n,}', "{\n\n'a': 1}"])
      expect(() => parseObjectives(text, 't.json', NAMES), text).toThrow(/^t\.json:3: not valid JSON/);
  });

  it('expressions allow what k6 allows', () => {
    for (const text of ['p(95)<300', 'p(99.99)<=1.5', 'avg != 0', 'max>0', 'p(95)<1E3', 'p(95.0)<+5', 'avg<.5'])
      expect(expressionFault(text, 'trend')).toBeUndefined();
    expect(expressionFault('count>0', 'trend')).toContain('no aggregate of a trend');
    expect(expressionFault('count>0', 'counter')).toBeUndefined();
  });
});

describe('a workload file', () => {
  const text = JSON.stringify(shopWorkload);
  const changed = (change: (document: Record<string, never>) => void) => {
    const document = JSON.parse(text);
    change(document);
    return () => parseWorkload(JSON.stringify(document, null, 2), 'w.json', 40_000);
  };

  it('that is right passes as it is', () => {
    expect(parseWorkload(text, 'w.json', 40_000)).toEqual(shopWorkload);
  });

  it.each<[string, (document: never) => void, string]>([
    [
      'shares',
      (d: { flows: { browse: { share: number } } }) => (d.flows.browse.share = 0.8),
      'the shares of all flows must add up to 1',
    ],
    ['key', (d: { arivals: unknown }) => (d.arivals = {}), 'unknown key "arivals"; did you mean "arrivals"?'],
    ['law', (d: { popularity: unknown }) => (d.popularity = { law: 'zipff', s: 1 }), '"popularity"'],
    ['exponent', (d: { popularity: unknown }) => (d.popularity = { law: 'zipf', s: -1 }), '"popularity" > "s"'],
    [
      'index',
      (d: { popularity: unknown }) => (d.popularity = { law: 'single', index: 40_000 }),
      'asks for item 40001 of 40000',
    ],
    [
      'step',
      (d: { flows: { browse: { thinkTimes: object } } }) =>
        (d.flows.browse.thinkTimes = { list: { law: 'fixed', value: 1 } }),
      'keyed "from->to"',
    ],
    [
      'range',
      (d: { flows: { browse: { thinkTimes: object } } }) =>
        (d.flows.browse.thinkTimes = { 'a->b': { law: 'uniform', min: 3, max: 2 } }),
      'needs min <= max',
    ],
    [
      'flow name',
      (d: { flows: Record<string, unknown> }) => (d.flows['check-out'] = d.flows['checkout']),
      'named like a function',
    ],
    ['rate', (d: { arrivals: { rate: number } }) => (d.arrivals.rate = 0), '"arrivals" > "rate"'],
    [
      'latency',
      (d: { latency: object }) => (d.latency = { healthyMs: 900, degradedMs: 1 }),
      '"latency": a degraded system is not faster',
    ],
    ['endless latency', (d: { latency: object }) => (d.latency = { healthyMs: 1, degradedMs: 1e300 }), '"degradedMs"'],
    ['power', (d: { popularity: unknown }) => (d.popularity = { law: 'power', g: 1e-12 }), '"popularity" > "g"'],
  ] as never)('with a wrong %s is refused', (_what, change, sentence) => {
    expect(changed(change as never)).toThrow(sentence);
  });

  it.each([
    [
      [
        [10, 0.5],
        [50, 0.6],
      ],
      'last share must be 1, not 0.6',
    ],
    [[[10, 0]], 'last share must be 1, not 0'],
    [
      [
        [10, 0.5],
        [5, 1],
      ],
      'ranks must rise, and 5 follows 10',
    ],
    [
      [
        [10, 0.5],
        [10, 1],
      ],
      'ranks must rise, and 10 follows 10',
    ],
    [
      [
        [10, 0.9],
        [20, 0.5],
        [30, 1],
      ],
      'shares must not fall, and 0.5 follows 0.9',
    ],
  ])('with a popularity curve %j, which is no distribution, is refused', (curve, sentence) => {
    const change = (d: object) => Object.assign(d, { popularity: { law: 'empirical', curve } });
    expect(changed(change)).toThrow(sentence);
    expect(changed(change)).toThrow(/^w\.json:\d+: "popularity" > "curve":/);
  });

  it.each([
    [
      [
        [10, 0],
        [20, 1],
      ],
    ],
    [[[1, 1]]],
    [
      [
        [10, 0.3],
        [20, 0.3],
        [30, 0.9999999],
      ],
    ],
  ])(
    'with the curve %j passes', // a piece that is never asked for, and a share that is 1 to rounding
    (curve) =>
      expect(changed((d: object) => Object.assign(d, { popularity: { law: 'empirical', curve } }))).not.toThrow(),
  );

  /** exp(1 + 4 * 2.5) s is 16.6 h, exp(1 + 4 * 2.7) s is 37 h. */
  it.each([
    [{ law: 'lognormal', mu: 1, sigma: 20 }, false],
    [{ law: 'lognormal', mu: 1, sigma: 2.7 }, false],
    [{ law: 'lognormal', mu: 1, sigma: 2.5 }, true],
    [{ law: 'lognormal', mu: 1, sigma: 20, cap: 60 }, true],
    [{ law: 'empirical', quantiles: [1, 3, 2] }, false],
    [{ law: 'empirical', quantiles: [1, 1, 2] }, true],
    [{ law: 'empirical', quantiles: [1, 2, 9], probabilities: [0, 0.9, 1] }, true],
    [{ law: 'empirical', quantiles: [1, 2, 9], probabilities: [0, 1] }, false],
    [{ law: 'empirical', quantiles: [1, 2, 9], probabilities: [0, 0.9, 0.99] }, false],
    [{ law: 'empirical', quantiles: [1, 2, 9], probabilities: [0, 0, 1] }, false],
  ])('with the think time %j: %s', (law, fits) => {
    const parse = changed((d: { flows?: { browse: { thinkTimes: object } } }) => {
      if (d.flows) d.flows.browse.thinkTimes = { 'a->b': law };
    });
    if (fits) expect(parse).not.toThrow();
    else
      expect(parse).toThrow(
        /^w\.json:\d+: "flows" > "browse" > "thinkTimes" > "a->b".*(longer than a day|must not fall|from 0 to 1|as many probabilities)/,
      );
  });
});
