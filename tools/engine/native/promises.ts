/** Promises and async functions of a realm whose scripts wait: their jobs are run by the engine, one VU at a time. */

/**
 * Source of a function `(G, current)`: `G` is what a call that waits gives, `current()` the event loop of the VU that runs. Gives the
 * realm's own `Promise`, and what rewritten async functions are made of.
 */
export const PROMISES = `(G, current) => {
  const PENDING = 0;
  const FULFILLED = 1;
  const REJECTED = 2;
  const STATE = Symbol('state');
  const { next, throw: raise } = Object.getPrototypeOf(function* () {}).prototype;
  class Await {
    constructor(value) {
      this.value = value;
    }
  }
  const isThenable = (value) => value !== null && (typeof value === 'object' || typeof value === 'function');
  const settle = (promise, kind, value) => {
    const state = promise[STATE];
    if (state.kind !== PENDING) return;
    state.kind = kind;
    state.value = value;
    if (kind === REJECTED && !state.handled) state.loop.rejected.add(promise);
    const reactions = state.reactions;
    state.reactions = undefined;
    for (const reaction of reactions) enqueue(state, reaction);
  };
  const enqueue = (state, reaction) => {
    const { loop, kind, value } = state;
    loop.jobs.push(() => react(reaction, kind, value));
  };
  /** Runs a reaction; gives a generator when it waits. */
  const react = ({ onFulfilled, onRejected, resolve, reject }, kind, value) => {
    const handler = kind === FULFILLED ? onFulfilled : onRejected;
    if (typeof handler !== 'function') return kind === FULFILLED ? resolve(value) : reject(value);
    let got;
    try {
      got = handler(value);
    } catch (error) {
      return reject(error);
    }
    return got instanceof G ? later(got, resolve, reject) : resolve(got);
  };
  const later = function* (got, resolve, reject) {
    let value;
    try {
      value = yield got;
    } catch (error) {
      reject(error);
      return;
    }
    resolve(value);
  };
  /** The two functions that settle a promise, of which the first call counts. */
  const settlersOf = (promise) => {
    let done = false;
    const reject = (error) => {
      if (done) return;
      done = true;
      settle(promise, REJECTED, error);
    };
    const resolve = (value) => {
      if (done) return;
      done = true;
      if (value === promise) {
        settle(promise, REJECTED, new TypeError('Promise self resolution'));
        return;
      }
      if (!isThenable(value)) {
        settle(promise, FULFILLED, value);
        return;
      }
      let then;
      try {
        then = value.then;
      } catch (error) {
        settle(promise, REJECTED, error);
        return;
      }
      if (typeof then !== 'function') {
        settle(promise, FULFILLED, value);
        return;
      }
      const settlers = settlersOf(promise);
      promise[STATE].loop.jobs.push(() => {
        let got;
        try {
          got = then.call(value, settlers.resolve, settlers.reject);
        } catch (error) {
          return settlers.reject(error);
        }
        return got instanceof G ? later(got, () => undefined, settlers.reject) : undefined;
      });
    };
    return { resolve, reject };
  };
  const capability = (Kind) => {
    const made = {};
    made.promise = new Kind((resolve, reject) => {
      made.resolve = resolve;
      made.reject = reject;
    });
    return made;
  };
  class Promise {
    constructor(executor) {
      if (typeof executor !== 'function') throw new TypeError('Promise resolver ' + String(executor) + ' is not a function');
      Object.defineProperty(this, STATE, {
        value: { kind: PENDING, value: undefined, reactions: [], handled: false, loop: current() },
      });
      const { resolve, reject } = settlersOf(this);
      let got;
      try {
        got = executor(resolve, reject);
      } catch (error) {
        reject(error);
        return;
      }
      // It waits: what it has still to do comes before all other jobs.
      if (got instanceof G) this[STATE].loop.jobs.unshift(() => later(got, () => undefined, reject));
    }
    then(onFulfilled, onRejected) {
      const state = this[STATE];
      if (state === undefined) throw new TypeError('Method Promise.prototype.then called on incompatible receiver');
      const Kind = this.constructor === undefined ? Promise : (this.constructor[Symbol.species] ?? Promise);
      const { promise, resolve, reject } = capability(Kind);
      const reaction = { onFulfilled, onRejected, resolve, reject };
      if (state.kind === PENDING) state.reactions.push(reaction);
      else enqueue(state, reaction);
      if (!state.handled) {
        state.handled = true;
        state.loop.rejected.delete(this);
      }
      return promise;
    }
    catch(onRejected) {
      return this.then(undefined, onRejected);
    }
    finally(done) {
      if (typeof done !== 'function') return this.then(done, done);
      const after = (finish) => (value) => {
        const got = done();
        const go = (result) => Promise.resolve(result).then(() => finish(value));
        return got instanceof G ? afterwards(got, go) : go(got);
      };
      return this.then(
        after((value) => value),
        after((error) => {
          throw error;
        }),
      );
    }
    static resolve(value) {
      if (isThenable(value) && value[STATE] !== undefined && value.constructor === this) return value;
      const { promise, resolve } = capability(this);
      resolve(value);
      return promise;
    }
    static reject(error) {
      const { promise, reject } = capability(this);
      reject(error);
      return promise;
    }
    static all(items) {
      return combine(this, items, ({ resolve, reject, Kind }, values) => {
        const results = new Array(values.length);
        let left = values.length;
        if (left === 0) resolve(results);
        values.forEach((value, i) =>
          Kind.resolve(value).then((result) => {
            results[i] = result;
            if (--left === 0) resolve(results);
          }, reject),
        );
      });
    }
    static allSettled(items) {
      return combine(this, items, ({ resolve, Kind }, values) => {
        const results = new Array(values.length);
        let left = values.length;
        if (left === 0) resolve(results);
        const put = (i, result) => {
          results[i] = result;
          if (--left === 0) resolve(results);
        };
        values.forEach((value, i) =>
          Kind.resolve(value).then(
            (result) => put(i, { status: 'fulfilled', value: result }),
            (reason) => put(i, { status: 'rejected', reason }),
          ),
        );
      });
    }
    static race(items) {
      return combine(this, items, ({ resolve, reject, Kind }, values) => {
        for (const value of values) Kind.resolve(value).then(resolve, reject);
      });
    }
    static any(items) {
      return combine(this, items, ({ resolve, reject, Kind }, values) => {
        const errors = new Array(values.length);
        let left = values.length;
        const lost = () => reject(new AggregateError(errors, 'All promises were rejected'));
        if (left === 0) lost();
        values.forEach((value, i) =>
          Kind.resolve(value).then(resolve, (error) => {
            errors[i] = error;
            if (--left === 0) lost();
          }),
        );
      });
    }
    static get [Symbol.species]() {
      return this;
    }
    get [Symbol.toStringTag]() {
      return 'Promise';
    }
  }
  const afterwards = function* (got, go) {
    return go(yield got);
  };
  const combine = (Kind, items, work) => {
    const made = capability(Kind);
    try {
      work({ ...made, Kind }, [...items]);
    } catch (error) {
      made.reject(error);
    }
    return made.promise;
  };
  /** Runs the body of an async function to its first \`await\`, and from there on as jobs. */
  const drive = function* (body, given, thrown, resolve, reject) {
    let value = given;
    let failed = thrown;
    for (;;) {
      let step;
      try {
        step = failed ? raise.call(body, value) : next.call(body, value);
      } catch (error) {
        reject(error);
        return;
      }
      failed = false;
      if (step.done) {
        resolve(step.value);
        return;
      }
      if (step.value instanceof Await) {
        let awaited;
        try {
          awaited = Promise.resolve(step.value.value);
        } catch (error) {
          value = error;
          failed = true;
          continue;
        }
        awaited.then(
          (result) => drive(body, result, false, resolve, reject),
          (error) => drive(body, error, true, resolve, reject),
        );
        return;
      }
      try {
        value = yield step.value;
      } catch (error) {
        value = error;
        failed = true;
      }
    }
  };
  return {
    Promise,
    /** What \`await\` gives to whoever drives the function. */
    awaiting: (value) => new Await(value),
    /** A call of an async function with this body: a generator that gives its promise. */
    async: function* (body) {
      const { promise, resolve, reject } = capability(Promise);
      yield drive(body, undefined, false, resolve, reject);
      return promise;
    },
    /** How a promise stands, and that somebody looks. */
    look: (promise) => {
      const state = promise[STATE];
      state.handled = true;
      state.loop.rejected.delete(promise);
      return state;
    },
    isPromise: (value) => isThenable(value) && value[STATE] !== undefined,
  };
}`;
