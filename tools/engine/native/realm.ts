/** What lies inside the realm in which scripts run, so that they never get hold of an object of the engine's own. */
import { setFlagsFromString } from 'node:v8';
import { type Context, Script } from 'node:vm';
import type { HostAnswer, HostHandler } from '../vm/script-vm.ts';
import { CALLBACKS } from './callbacks.ts';
import { COPIES } from './copies.ts';
import { PROMISES } from './promises.ts';

/** What a script waits for: an operation that takes time, and what it is given. */
export type Waiting = readonly [operation: string, given: unknown];
export type ScriptGenerator = Generator<unknown, unknown, unknown>;

/** The engine's side of one VU. */
export interface ScriptHost {
  readonly call: (operation: string, given: string | undefined) => HostAnswer;
  readonly sample: HostHandler['sample'];
  readonly texts: HostHandler['texts'];
  /** Begins what takes time and holds nobody up; `done` hears the answer. */
  readonly background: (operation: string, given: unknown, done: (answer: unknown) => boolean) => void;
  /** What boot.js reads, JSON. */
  readonly boot: string;
}

/** The event loop of a VU: jobs of promises and timers, and what is still to come from outside. */
export interface EventLoop {
  readonly jobs: unknown[];
  readonly rejected: Set<unknown>;
  /** Timers and requests under way. */
  pending: number;
}

export interface Realm {
  /** What rewritten modules use. */
  readonly helpers: unknown;
  /** A VU's own globals, and the door that guest/boot.js opens. */
  globals(
    call: ScriptHost['call'],
    sample: ScriptHost['sample'],
    texts: ScriptHost['texts'],
    background: ScriptHost['background'],
    boot: string,
  ): { readonly globals: unknown; readonly door: { readonly call: (facts: unknown) => ScriptGenerator } };
  /**
   * Runs the calls on the stack, the innermost last, up to the next wait. The stack is empty when the outermost has returned.
   * @returns the wait, or what the outermost returned @throws what it threw
   */
  resume(stack: ScriptGenerator[], answer: unknown): unknown;
  /** Runs a call that must not wait. @returns its value */
  atOnce(generator: ScriptGenerator): unknown;
  /** From here on code runs for this VU. */
  enter(loop: EventLoop): void;
  /** The next job of the VU, as far as it waits: it has run, or is a call that does. Undefined when there is none left. */
  nextJob(loop: EventLoop): ScriptGenerator | true | undefined;
  /** Runs a module with `await` at its top level to its end. @throws what it throws, or when it waits for what does not come */
  awaited(loop: EventLoop, module: ScriptGenerator): unknown;
  newLoop(): EventLoop;
  /** What nobody caught, when the VU's jobs are done: the first, as an error or whatever it is. */
  uncaught(loop: EventLoop): { readonly error: unknown } | undefined;
  /** A copy of what the engine answers, made of the realm's own objects. */
  copy(value: unknown): unknown;
  /** A copy of what it calls a script with. */
  facts(value: unknown): unknown;
}

/** Calls inside one another that wait; beyond, what recurses without end would take all memory instead of the stack. */
const MOST_CALLS = 5000;
/** Loops and calls between two looks at the time. */
const COUNT = 1000;

const SOURCE = `(function (failed, isOver, functionOf) {
  'use strict';
  // As constants: the globals of a realm are slow to find.
  const { Array, Object, Error, RangeError, Date, Map, WeakMap, Math, Function, String, JSON } = globalThis;
  // k6's engine has neither; and what makes promises of its own would run jobs that are nobody's.
  for (const name of ['WebAssembly', 'Atomics', 'SharedArrayBuffer', 'WeakRef', 'FinalizationRegistry']) delete globalThis[name];
  delete Array.fromAsync;
  const G = function () {};
  const generators = Object.getPrototypeOf(function* () {});
  G.prototype = generators.prototype;
  (${CALLBACKS})(G);
  let loop;
  const promises = (${PROMISES})(G, () => loop);
  Object.defineProperty(globalThis, 'Promise', { value: promises.Promise, writable: true, enumerable: false, configurable: true });
  // Generators of a script: next, return and throw as ever, and no instance of G.
  const PLAIN = Object.create(Object.getPrototypeOf(generators.prototype), Object.getOwnPropertyDescriptors(generators.prototype));
  // Stands for the one wait that a script can have begun, so that waiting costs no generator.
  const WAIT = new G();
  let waiting;
  // Called directly: every function of every VU makes generators of a kind of their own, which no cache could tell apart.
  const { next, throw: raise } = generators.prototype;
  const resume = (stack, given) => {
    let value = given;
    let thrown = false;
    for (;;) {
      let step;
      try {
        const generator = stack[stack.length - 1];
        step = thrown ? raise.call(generator, value) : next.call(generator, value);
      } catch (error) {
        stack.pop();
        if (stack.length === 0) throw error;
        value = error;
        thrown = true;
        continue;
      }
      thrown = false;
      if (step.done) {
        value = step.value;
        stack.pop();
        if (stack.length === 0) return value;
      } else if (step.value === WAIT) {
        return waiting;
      } else if (stack.length < ${MOST_CALLS}) {
        stack.push(step.value);
        value = undefined;
      } else {
        value = new RangeError('Maximum call stack size exceeded');
        thrown = true;
      }
    }
  };
  // Elements of SharedArrays, as texts and, where nobody can change them, as values.
  const arrays = new Map();
  // In a function that cannot wait, what might have waited runs through as long as it does not.
  const atOnce = (generator) => {
    if (generator !== WAIT) {
      const stack = [generator];
      const value = resume(stack, undefined);
      if (stack.length === 0) return value;
    }
    const error = new Error('a call waits inside a function that cannot');
    failed(error.stack);
    throw error;
  };
  const { copy, answer, iteration } = (${COPIES})();
  const nextJob = (of) => {
    const job = of.jobs.shift();
    if (job === undefined) return undefined;
    const got = job();
    return got instanceof G ? got : true;
  };
  const own = {
    resume,
    atOnce,
    nextJob,
    enter: (of) => {
      loop = of;
    },
    newLoop: () => ({ jobs: [], rejected: new Set(), pending: 0 }),
    awaited: (of, module) => {
      const promise = atOnce(promises.async(module));
      const state = promises.look(promise);
      for (let job; state.kind === 0 && (job = nextJob(of)) !== undefined; ) if (job !== true) atOnce(job);
      if (state.kind === 1) return state.value;
      if (state.kind === 2) throw state.value;
      throw new Error('an await at the top level waits for what does not come before the test begins');
    },
    uncaught: (of) => {
      for (const promise of of.rejected) {
        of.rejected.clear();
        return { error: promises.look(promise).value };
      }
      return undefined;
    },
    // A model's answer has no protocol.
    copy: (value) => (value.response?.timings === undefined || value.response.proto !== undefined ? copy(value) : answer(value)),
    facts: (value) => (value.command === 'iteration' ? iteration(value) : copy(value)),
    helpers: {
      G,
      no: atOnce,
      realm: globalThis,
      async: promises.async,
      awaiting: promises.awaiting,
      gen: (made) => {
        Object.setPrototypeOf(made.prototype, PLAIN);
        return made;
      },
      global: (globals, name) => {
        const { globalThis: all } = globals;
        if (name in all) return all[name];
        throw new ReferenceError(name + ' is not defined');
      },
      cb: (value) =>
        typeof value === 'function' && Object.getPrototypeOf(value) === generators
          ? function (...args) {
              return atOnce(value.apply(this, args));
            }
          : value,
      tick: () => {
        if (isOver()) throw new Error('the engine ended this call');
        return ${COUNT};
      },
    },
    globals: (call, sample, texts, background, boot) => {
      const door = { call: undefined };
      const globals = {
        globalThis: undefined,
        Date,
        Math: Object.create(Math),
        Function: undefined,
        console: undefined,
        open: undefined,
        __ENV: undefined,
        __VU: undefined,
        __ITER: undefined,
      };
      globals.globalThis = Object.create(globalThis);
      // Code that a script makes of text is rewritten like its other code.
      globals.Function = function (...texts) {
        const run = functionOf(JSON.stringify(texts.map(String)));
        return atOnce(run(globals, [], own.helpers)).default;
      };
      globals.Function.prototype = Function.prototype;
      // The script's names of them are rewritten to those of the plain object above, which is quick to read.
      for (const name of ['Date', 'Math', 'Function', 'console', 'open', '__ENV', '__VU', '__ITER']) {
        Object.defineProperty(globals.globalThis, name, {
          configurable: true,
          get: () => globals[name],
          set: (value) => {
            globals[name] = value;
          },
        });
      }
      return {
        door,
        globals: Object.assign(globals, {
          globalThis: Object.assign(globals.globalThis, {
            __host: (operation, given) => call(operation, given),
            __suspend: (operation, given) => {
              waiting = [operation, given];
              return WAIT;
            },
            __stop: () => {
              throw new Error('the iteration is over');
            },
            __boot: boot,
            __door: (value) => {
              door.call = value;
            },
            __background: (operation, given, done) => {
              const of = loop;
              of.pending++;
              let open = true;
              background(operation, given, (answer) => {
                if (!open) return false;
                open = false;
                of.pending--;
                of.jobs.push(() => done(own.copy(answer)));
                return true;
              });
              return () => {
                if (!open) return;
                open = false;
                of.pending--;
              };
            },
            __direct: {
              sample: (metric, value, tags, group, check) => sample(metric, value, tags, group, check),
              shared: (name) => {
                let known = arrays.get(name);
                if (known === undefined) {
                  known = { texts: [], values: [] };
                  for (const text of texts(name)) known.texts.push(text);
                  arrays.set(name, known);
                }
                return known;
              },
            },
          }),
        }),
      };
    },
  };
  return own;
})`;

// A pattern that backtracks without end is matched by V8's other engine, which does not: nothing could end it otherwise.
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');

export function compile(context: Context, code: string, filename: string): unknown {
  return new Script(code, { filename }).runInContext(context);
}

/**
 * @param hooks `failed` hears where code that cannot wait was to wait; `isOver` is asked in long loops; `functionOf` rewrites and compiles a
 *   module that exports the function of some texts, the last its body
 */
export function newRealm(
  context: Context,
  hooks: {
    readonly failed: (stack: string) => void;
    readonly isOver: () => boolean;
    readonly functionOf: (texts: string) => unknown;
  },
): Realm {
  const make = compile(context, SOURCE, 'k6:realm') as (
    failed: (stack: string) => void,
    isOver: () => boolean,
    functionOf: (texts: string) => unknown,
  ) => Realm;
  return make(hooks.failed, hooks.isOver, hooks.functionOf);
}
