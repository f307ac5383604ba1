// Runs inside the virtual machine of a VU: the bridge to the engine and the state that k6's modules share.
// Only our own modules may import this one; the loader refuses it to scripts.

const host = globalThis.__host;
/** The call that takes time; where the script runs as V8's own code, another one than that which does not. */
const suspend = globalThis.__suspend ?? host;
/** Ends the iteration where no interrupt does. */
const stop = globalThis.__stop;
/** Whether the script runs as V8's own code; what goes to the engine is then the value itself, made for the engine alone, else text. */
export const direct = globalThis.__direct === true;
const encode = direct ? (value) => value : JSON.stringify;
for (const name of ['__host', '__suspend', '__stop', '__direct']) delete globalThis[name];

/** Everything about the running iteration that the k6 modules ask for. */
export const state = {
  init: true,
  group: '',
  /** Samples not yet handed to the engine: [metric, value, tags or 0, group]. */
  pending: [],
  /** Facts of the current call, as the engine sent them. */
  call: {},
  vuTags: {},
  responseCallback: undefined,
  discardResponseBodies: false,
};

/** k6 reports errors of its own functions under this name. */
export class GoError extends Error {
  constructor(message) {
    super(message);
    this.name = 'GoError';
  }
}

function takePending() {
  if (state.pending.length === 0) return undefined;
  const batch = encode(state.pending);
  state.pending = [];
  return batch;
}

/** Hands collected samples over. */
export function flush() {
  const batch = takePending();
  if (batch !== undefined) host('samples', batch);
}

/**
 * What an answer holds. Its first character says what it is: `=` JSON, `$` text, `!` an error to throw, `~` the iteration is over
 * (the loop below runs until the engine's interrupt ends it, which no `catch` can stop).
 */
function answered(answer) {
  if (typeof answer !== 'string') return answer;
  const kind = answer[0];
  if (kind === '=') return JSON.parse(answer.slice(1));
  if (kind === '$') return answer.slice(1);
  if (kind === '!') throw new GoError(answer.slice(1));
  if (stop !== undefined) stop();
  for (;;);
}

/** One call to the engine that is answered at once; collected samples go with it, so that order and times stay true. */
export function ask(op, text) {
  const batch = takePending();
  return answered(batch === undefined ? host(op, text) : host(op, text === undefined ? '' : text, batch));
}

/** As `ask`, for what takes time: only this VU waits. */
export function wait(op, value) {
  const batch = takePending();
  const given = encode(value);
  return answered(batch === undefined ? suspend(op, given) : suspend(op, given, batch));
}

export function addSample(metric, value, tags) {
  state.pending.push([metric, value, tags, state.group]);
  if (state.pending.length >= 1000) flush();
}

/** k6 takes strings, numbers and booleans as tag values and nothing else. Returns the first bad key. */
export function badTag(tags) {
  for (const key of Object.keys(tags)) {
    const type = typeof tags[key];
    if (type !== 'string' && type !== 'number' && type !== 'boolean') return key;
  }
  return undefined;
}

export function badTagMessage(key) {
  return `invalid value for metric tag '${key}': only String, Boolean and Number types are accepted as a metric tag values`;
}

export function textTags(tags) {
  const out = {};
  for (const key of Object.keys(tags)) out[key] = String(tags[key]);
  return out;
}

export function refuse(name) {
  throw new GoError(`${name} is not offered by the embedded engine; run this script with k6 (--engine k6)`);
}

export function notOffered(name) {
  return () => refuse(name);
}

/** An object whose missing members explain themselves when they are touched. */
export function refusing(target, prefix, members) {
  const base = {};
  for (const name of members) {
    if (!(name in target)) Object.defineProperty(base, name, { get: notOffered(`${prefix}.${name}`) });
  }
  return Object.setPrototypeOf(target, base);
}

const UNITS = { d: 864e5, h: 36e5, m: 6e4, s: 1e3, ms: 1, us: 1e-3, µs: 1e-3, ns: 1e-6 };

/** Milliseconds of a k6 duration: a number of milliseconds or text such as `1m30s`. */
export function durationMs(value, what) {
  if (typeof value === 'number') return value;
  const text = String(value).trim();
  if (/^[0-9.]+$/.test(text)) return Number(text);
  let sum = 0;
  let rest = text;
  while (rest !== '') {
    const part = /^([0-9]*\.?[0-9]+)(ms|us|µs|ns|d|h|m|s)/.exec(rest);
    if (part === null) throw new GoError(`invalid ${what}: time: invalid duration "${text}"`);
    sum += Number(part[1]) * UNITS[part[2]];
    rest = rest.slice(part[0].length);
  }
  return sum;
}

/** Text of a value the way k6's console prints it. */
export function inspect(value, nested = false, depth = 0) {
  if (typeof value === 'string') return nested ? JSON.stringify(value) : value;
  if (typeof value === 'function') return '[object Function]';
  if (value instanceof Error) return String(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (depth > 4) return '[object Object]';
  if (Array.isArray(value)) return `[ ${value.map((item) => inspect(item, true, depth + 1)).join(', ')} ]`;
  const fields = Object.keys(value).map((key) => `${key}: ${inspect(value[key], true, depth + 1)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

function deepFreeze(value) {
  if (value !== null && typeof value === 'object') {
    for (const key of Object.keys(value)) deepFreeze(value[key]);
    Object.freeze(value);
  }
  return value;
}

export function frozenJson(text) {
  return deepFreeze(JSON.parse(text));
}

export function latin1ToBuffer(text) {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes.buffer;
}

export function bufferToLatin1(buffer) {
  const bytes = new Uint8Array(buffer);
  let text = '';
  for (let i = 0; i < bytes.length; i++) text += String.fromCharCode(bytes[i]);
  return text;
}
