// Written as people do who leave semicolons out: everything that waits hides behind another kind of function.

import * as k6 from 'k6';
import exec, { vu } from 'k6/execution';
import http, { get as fetch } from 'k6/http';
import { Counter } from 'k6/metrics';
import { apply as applied, Shop, times } from './syntax-lib.js';

const found = new Counter('found');
export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 3, iterations: 3 } } };

const url = (path) => `${__ENV.BASE}${path}`;
const wrap =
  (fn) =>
  (...args) =>
    fn(...args);
const lookUp = wrap((path, { tags } = {}) => http.get(url(path), { tags: { name: path, ...tags } }));
const table = {
  list: () => lookUp('/list'),
  ['det' + 'ails'](id = lookUp.name.length) {
    return lookUp(`/details/${id}`);
  },
};
const pause = wrap(k6.sleep);
const compose = (f, g) => (x) => f(g(x));
const statusOf = compose((r) => r.status, lookUp);
const made = new Function('get', 'n', 'const twice = (f) => f() + f()\nreturn twice(() => get("/made" + n).status)');
let counter = 0;

class Visitor extends Shop {
  #seen = [];
  last = null;
  think = (s) => {
    pause(s);
    return this;
  };
  constructor(name) {
    super(name);
    this.created = counter++;
  }
  get seen() {
    return this.#seen.length;
  }
  static of(name) {
    return new this(name);
  }
  open(path) {
    const response = super.open(path);
    this.#seen.push(path);
    this.last = response;
    return this;
  }
  both() {
    return [this.open('/a').think(0.5), this.open('/b')].map((v) => v.seen).join();
  }
}

function recursive(n) {
  if (n === 0) return lookUp('/end').status;
  return recursive(n - 1) + n;
}

function tagged(parts, ...values) {
  return lookUp(parts.raw.join('') + values.join('')).status;
}

export default function (data) {
  const visitor = Visitor.of('v' + __VU);
  let text = visitor.both();
  [1, 2].forEach((n) => found.add(n, { kind: `n${n}` }));
  for (const id of [3, 4])
    if (table.details(id).status > 400) continue;
    else text += id;
  let i = 0;
  do i++, k6.sleep(0.1);
  while (i < 2);
  outer: for (let a = 0; a < 3; a++) {
    for (let b = 0; ; b++) {
      if (b === 1) continue outer;
      if (statusOf(`/${a}/${b}`) === 0) break outer;
    }
  }
  const chained = table?.list?.()?.status ?? 'none';
  const missing = table.nothing?.(lookUp('/never'));
  const picked = __ITER % 2 ? table.list() : table['details'](7);
  const { status = 1, ...rest } = picked;
  const [first = statusOf('/default')] = [];
  try {
    k6.group('outer', () => {
      k6.group('inner', () => {
        fetch(url('/grouped'));
        if (__ITER === 2) throw new RangeError('third');
      });
    });
  } catch (error) {
    text += error.name;
  } finally {
    text += tagged`/t${1}x${2}`;
  }
  switch (statusOf('/switch')) {
    case 200:
      text += 'ok';
    default:
      text += '.';
  }
  const sorted = times(3, (n) => (n * 7) % 4).sort((a, b) => a - b);
  const applied2 = applied(lookUp, ['/applied']).status;
  const bound = table.details.bind(table)(9).status;
  const called = lookUp.call(null, '/called').status;
  let lazy;
  (lazy ??= ((e) => {
    const t = lookUp('/iife' + e);
    return t.status;
  })(1)),
    (lazy &&= made?.(lookUp, 2) ?? 0);
  k6.check(picked, {
    fast: (r) => r.timings.duration < 100,
    'has body': (r) => typeof r.body === 'string' && delete r.nothing,
  });
  exec.vu.tags.round = String(__ITER);
  const sum = recursive(3);
  console.log(
    JSON.stringify([
      text,
      chained,
      missing,
      status,
      Object.keys(rest).length,
      first,
      sorted,
      applied2,
      bound,
      called,
      lazy,
      sum,
      visitor.seen,
      vu.iterationInScenario,
      typeof Date.now(),
      Math.random() < 1,
      data,
      new Date(Date.now()).getUTCFullYear(),
    ]),
  );
  visitor.last = (visitor.think(0.25), void 0);
}
export function setup() {
  return { at: [lookUp('/setup').status, { n: 1 }] };
}
