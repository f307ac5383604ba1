// Each iteration of the first VU tries one way out of the script; the second VU goes about its work.
import crypto from 'k6/crypto';
import { SharedArray } from 'k6/data';
import encoding from 'k6/encoding';
import exec from 'k6/execution';
import http from 'k6/http';
import { check, group, sleep } from 'k6';
import { Counter } from 'k6/metrics';

const counter = new Counter('own');
const shared = new SharedArray('shared', () => [{ a: 1 }]);
const found = [];
const make = (value) => value.constructor.constructor('return typeof process === "object" ? process.version : "no process"')();
const tell = (value) => found.push(String(make(value)));
const thrown = (act) => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return {};
};
const hostile = new Proxy({}, { get: () => { throw new Error('hostile'); }, ownKeys: () => { throw new Error('hostile'); } });
const get = () => http.get(`${__ENV.BASE}/ok`, { tags: { name: 'ok' } });

const WAYS = [
  () => tell({}),
  () => tell(globalThis),
  () => tell(http.get),
  () => tell(http),
  () => tell(console.log),
  () => tell(exec.test.options),
  () => tell(exec.scenario),
  () => tell(get()),
  () => tell(get().headers),
  () => tell(get().timings),
  () => tell(shared),
  () => tell(shared[0]),
  () => tell(counter.add),
  () => tell(setTimeout),
  () => tell(Promise.resolve()),
  () => tell(new Date()),
  () => tell(open),
  () => tell(__ENV),
  () => tell(thrown(() => http.get(hostile))),
  () => tell(thrown(() => http.get(`${__ENV.BASE}/ok`, hostile))),
  () => tell(thrown(() => counter.add(1, hostile))),
  () => tell(thrown(() => crypto.sha256(hostile, 'hex'))),
  () => tell(thrown(() => encoding.b64decode('%%%%'))),
  () => tell(thrown(() => check(null, { a: hostile }))),
  () => tell(thrown(() => group(hostile, hostile))),
  () => tell(thrown(() => http.batch(hostile))),
  () => tell(thrown(() => sleep(hostile))),
  () => tell(thrown(() => null.x)),
  () => {
    Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getThis?.() ?? site.getFunction?.());
    const { stack } = thrown(() => http.get(hostile));
    Error.prepareStackTrace = undefined;
    for (const one of Array.isArray(stack) ? stack : []) if (one) tell(one);
  },
  () => {
    // A host function that runs out of stack throws an error of the host.
    for (const act of [() => counter.add(1, { a: 'b' }), () => console.debug('x'), () => Date.now(), () => exec.instance.vusActive]) {
      class Deep {
        constructor() {
          try {
            act();
          } catch (error) {
            if (!(error instanceof Error)) tell(error);
            throw error;
          }
          new Deep();
        }
      }
      thrown(() => new Deep());
    }
  },
  () => {
    const seen = [];
    Object.defineProperty(Object.prototype, 'response', { configurable: true, set(value) { seen.push(this, value); } });
    get();
    delete Object.prototype.response;
    for (const one of seen) if (one && typeof one === 'object') tell(one);
  },
  () => {
    const { push } = Array.prototype;
    const seen = [];
    Array.prototype.push = function (...items) {
      seen[seen.length] = this;
      return push.apply(this, items);
    };
    get();
    counter.add(1);
    Array.prototype.push = push;
    for (const one of seen) tell(one);
  },
  () => found.push([typeof process, typeof require, typeof Buffer, typeof WebAssembly, typeof SharedArrayBuffer, typeof Atomics, typeof performance, typeof global.process].join()),
];

export const options = {
  scenarios: {
    attacker: { executor: 'per-vu-iterations', vus: 1, iterations: WAYS.length, exec: 'attack' },
    worker: { executor: 'per-vu-iterations', vus: 1, iterations: 40, exec: 'work' },
  },
};

export function attack() {
  found.length = 0;
  const error = thrown(WAYS[exec.scenario.iterationInTest]);
  console.log(`way ${exec.scenario.iterationInTest}: ${found.join(' | ')} ${error.name ?? ''}`);
}

export function work() {
  check(get(), { fine: (r) => r.status === 200 && [1, 2].map((n) => n + 1).join() === '2,3' });
}
