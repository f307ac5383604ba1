// Runs inside the virtual machine of a VU: the bridge to the engine and the state that k6's modules share.
// Only our own modules may import this one; the loader refuses it to scripts.

import { badTag, GoError, textTags } from 'k6:shared';

const host = globalThis.__host;
/** Ends the iteration where no interrupt does. */
const stop = globalThis.__stop;
/**
 * What the engine offers where the script runs as V8's own code: samples and shared texts without a detour, and everything as the
 * value itself instead of text. Undefined in the interpreter.
 */
export const direct = globalThis.__direct;
/** The call that takes time, answered by what `answered` reads; in V8's own code another one than that which does not. */
export const suspend = globalThis.__suspend ?? host;
/** What goes to the engine with a call that takes time. */
export const encode = direct === undefined ? JSON.stringify : (value) => value;
/** Begins what takes time and holds nobody up; gives what lets its answer not come. */
export const background = globalThis.__background;
for (const name of ['__host', '__suspend', '__stop', '__direct', '__background']) delete globalThis[name];

/** Everything about the running iteration that the k6 modules ask for. */
export const state = {
  init: true,
  group: '',
  /** Samples not yet handed to the engine: [metric, value, tags or 0, group]. */
  pending: [],
  /** Facts of the current call, as the engine sent them. */
  call: {},
  vuTags: {},
  vuMetadata: {},
  responseCallback: undefined,
  discardResponseBodies: false,
};

/** Samples that wait for the next call to the engine, which takes them along, so that order and times stay true. */
export function takePending() {
  if (state.pending.length === 0) return undefined;
  const batch = JSON.stringify(state.pending, (_, value) =>
    value === Infinity || value === -Infinity ? String(value) : value,
  );
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
export function answered(answer) {
  if (typeof answer !== 'string') return answer;
  const kind = answer[0];
  if (kind === '=') return JSON.parse(answer.slice(1));
  if (kind === '$') return answer.slice(1);
  if (kind === '!') throw new GoError(answer.slice(1));
  if (stop !== undefined) stop();
  for (;;);
}

/** One call to the engine that is answered at once. */
export function ask(op, text) {
  return answered(host(op, text, takePending()));
}

/** Ends the run: the embedded engine has no such thing, and the script's own handlers shall not go on as if it had failed. */
export function refuse(name) {
  ask('refused', JSON.stringify([name, state.init]));
  // In the init context there is no iteration to end.
  throw new GoError(`${name} is not offered by the embedded engine; run this script with k6 (--engine k6)`);
}

/** Ends the run with one of k6's exit codes. */
export function endRun(message, code) {
  ask('end', JSON.stringify([message, code, state.init]));
  throw new GoError(message);
}

/** A function that is not here; `refused` says so to whoever only looks. */
export const notOffered = (name) => Object.assign(() => refuse(name), { refused: name });

/**
 * Adds a sample, with the tag `check` on top where there is one.
 * @returns the key of the first tag that has no tag's value, and then adds nothing
 */
export function addSample(metric, value, tags, check) {
  const given = tags === null ? undefined : tags;
  if (direct !== undefined) return direct.sample(metric, value, given, state.group, check);
  const bad = given === undefined ? undefined : badTag(given);
  if (bad !== undefined) return bad;
  const all = given === undefined ? {} : textTags(given);
  if (check !== undefined) all.check = check;
  state.pending.push([metric, value, given === undefined && check === undefined ? 0 : all, state.group]);
  if (state.pending.length >= 1000) flush();
  return undefined;
}
