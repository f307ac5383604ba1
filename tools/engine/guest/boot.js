// Runs inside the virtual machine before the script: globals that k6 offers, and the door for the engine's calls.
import { ask, direct, endRun, flush, notOffered, state } from 'k6:core';
import { bufferToLatin1, GoError, inspect, jsonFault, latin1ToBuffer } from 'k6:shared';
import { TextDecoder, TextEncoder } from 'k6:text';
import { crypto } from 'k6:webcrypto';
import { clearInterval, clearTimeout, setInterval, setTimeout, stopTimers } from 'k6/timers';

const setup = JSON.parse(globalThis.__boot);
delete globalThis.__boot;

globalThis.global = globalThis;
globalThis.__ENV = setup.env;
globalThis.crypto = crypto;
globalThis.GoError = GoError;
globalThis.TextEncoder = TextEncoder;
globalThis.TextDecoder = TextDecoder;
for (const name of ['exports', 'module']) {
  Object.defineProperty(globalThis, name, {
    configurable: true,
    get() {
      throw new GoError(
        `you are trying to access identifier "${name}", this likely is due to mixing ECMAScript Modules (ESM) and CommonJS syntax. This isn't supported in the JavaScript standard, please use only one or the other`,
      );
    },
  });
}

if (setup.virtual) {
  // A rehearsal has its own time: a run must not depend on the day.
  const RealDate = Date;
  const now = () => Math.floor(Number(ask('now').t));
  const VirtualDate = function (...args) {
    if (new.target === undefined) return new RealDate(now()).toString();
    return Reflect.construct(RealDate, args.length === 0 ? [now()] : args, new.target);
  };
  VirtualDate.prototype = RealDate.prototype;
  VirtualDate.prototype.constructor = VirtualDate;
  VirtualDate.now = () => (state.now === undefined ? now() : state.now);
  VirtualDate.UTC = RealDate.UTC;
  VirtualDate.parse = RealDate.parse;
  globalThis.Date = VirtualDate;
}

// Virtual machines are copies of one another, dice included; so each VU gets dice of its own.
let dice = 0;
Math.random = () => {
  dice = (dice + 0x6d2b79f5) >>> 0;
  let t = Math.imul(dice ^ (dice >>> 15), 1 | dice);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};

const log =
  (level) =>
  (...args) => {
    ask('log', JSON.stringify([level, args.map((value) => inspect(value)).join(' ')]));
  };
globalThis.console = {
  log: log('info'),
  info: log('info'),
  warn: log('warning'),
  error: log('error'),
  debug: log('debug'),
  trace: log('debug'),
};

globalThis.open = (path, mode, folder) => {
  if (!state.init) throw new GoError('the "open" function is only available in the init stage (i.e. the global scope)');
  const text = ask('open', JSON.stringify([String(path), mode === 'b', folder]));
  return mode === 'b' ? latin1ToBuffer(text) : text;
};

Object.assign(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval });
for (const name of ['require', 'ReadableStream']) {
  globalThis[name] = notOffered(name);
}
// k6's engine lacks these; a script that works here only must not be written by accident.
for (const name of [
  'WeakRef',
  'FinalizationRegistry',
  'SharedArrayBuffer',
  'Atomics',
  'performance',
  'queueMicrotask',
]) {
  delete globalThis[name];
}
delete globalThis.navigator;

/** Whether the init code asked which VU it runs in, so that a copy of it would not do for another VU. */
let readsVu = false;
if (direct === undefined) {
  let vu;
  Object.defineProperty(globalThis, '__VU', {
    configurable: true,
    enumerable: true,
    get: () => {
      if (state.init) readsVu = true;
      return vu;
    },
    set: (value) => {
      vu = value;
    },
  });
}

let script;
export function enter(namespace) {
  script = namespace;
  state.init = false;
}

function call(name, args) {
  const value = script[name](...args);
  if (value === null || typeof value !== 'object' || typeof value.then !== 'function') return value;
  // An async function: the engine runs the job queue and then asks for what came of it.
  const settled = { state: 'pending' };
  state.promise = settled;
  value.then(
    (result) => {
      settled.state = 'fulfilled';
      settled.value = result;
    },
    (error) => {
      settled.state = 'rejected';
      settled.error = error;
    },
  );
  return settled;
}

/** The value of setup() as text; what Go's JSON cannot hold ends the run. */
function setupText(value) {
  if (value === undefined) return undefined;
  const fault = jsonFault(value);
  if (fault !== undefined) endRun(`error marshaling setup() data to JSON: json: ${fault}`, 255);
  // k6 hands `undefined` inside of setup data on as null.
  return JSON.stringify(value, (_, item) => (item === undefined ? null : item));
}

const COMMANDS = {
  /** This virtual machine becomes that of a VU; it may be a copy of another's. */
  adopt: (facts) => {
    globalThis.__VU = facts.vu;
    dice = (facts.dice ^ Math.imul(facts.vu + 1, 0x9e3779b1)) >>> 0;
    return readsVu ? 'reads __VU' : undefined;
  },
  exports: () =>
    JSON.stringify({
      functions: Object.keys(script).filter((name) => typeof script[name] === 'function'),
      others: Object.keys(script).filter((name) => typeof script[name] !== 'function'),
      options: script.options === undefined ? {} : script.options,
    }),
  iteration: (facts) => {
    // In V8's own code a plain property, quick to set; in the interpreter a global, which there is none before the first iteration.
    if (direct === undefined) globalThis.__ITER = facts.vuIteration;
    else __ITER = facts.vuIteration;
    if (facts.env !== undefined) globalThis.__ENV = { ...setup.env, ...facts.env };
    if (facts.setup !== undefined) state.setupText = facts.setup;
    // A copy for every iteration: what one does to it, the next does not see.
    const data = state.setupText === undefined ? undefined : JSON.parse(state.setupText);
    const value = call(facts.exec, [data]);
    return value !== undefined && value === state.promise ? 'promise' : undefined;
  },
  setup: () => {
    const value = call('setup', []);
    return value === state.promise && value !== undefined ? 'promise' : setupText(value);
  },
  teardown: (facts) => {
    const data = facts.setup === undefined ? undefined : JSON.parse(facts.setup);
    const value = call('teardown', [data]);
    return value !== undefined && value === state.promise ? 'promise' : undefined;
  },
  summary: (facts) => {
    const value = script.handleSummary(JSON.parse(facts.data));
    if (value === undefined || value === null) return JSON.stringify({});
    const files = {};
    for (const key of Object.keys(value)) {
      const content = value[key];
      if (typeof content === 'string') files[key] = { text: content };
      else if (content instanceof ArrayBuffer) files[key] = { binary: bufferToLatin1(content) };
      else files[key] = { wrong: typeof content };
    }
    return JSON.stringify(files);
  },
  state: () => state.promise.state,
  stopTimers,
  settle: () => {
    const settled = state.promise;
    if (settled.state === 'rejected') throw settled.error;
    // One that never settles ends the call as k6 has it: without a value.
    return setupText(settled.value);
  },
};

/** What is asked when a call is over. */
const AFTER = ['settle', 'state', 'stopTimers'];

const door = (given) => {
  const facts = direct === undefined ? JSON.parse(given) : given;
  if (!AFTER.includes(facts.command)) {
    state.call = facts;
    state.group = facts.group === undefined ? '' : facts.group;
    // The VU's own tags outlive an iteration, and end with the scenario.
    if (facts.command !== 'iteration' || facts.env !== undefined) {
      state.vuTags = {};
      state.vuMetadata = {};
    }
    state.now = facts.now;
    state.promise = undefined;
    if (facts.discard !== undefined) state.discardResponseBodies = facts.discard;
  }
  try {
    return COMMANDS[facts.command](facts);
  } finally {
    flush();
  }
};
if (globalThis.__door === undefined) Object.defineProperty(globalThis, '__k6_call', { value: door });
else {
  globalThis.__door(door);
  delete globalThis.__door;
}
