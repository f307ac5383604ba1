// The module `k6` inside the virtual machine.
import { addSample, answered, ask, encode, notOffered, state, suspend, takePending } from 'k6:core';
import { builtin } from 'k6:metric-ids';
import { badTag, badTagMessage, GoError } from 'k6:shared';

const CHECKS = builtin('checks');
const GROUP_DURATION = builtin('group_duration');

function inIteration(what) {
  if (state.init) throw new GoError(`${what} is not supported in the init context`);
}

export function check(value, sets, tags) {
  inIteration('using check()');
  let all = true;
  if (tags !== undefined && tags !== null) {
    const bad = badTag(tags);
    if (bad !== undefined) throw new GoError(badTagMessage(bad));
  }
  for (const name of Object.keys(sets)) {
    if (name.includes('::')) throw new GoError("group and check names may not contain '::'");
    const test = sets[name];
    let passed = false;
    let thrown;
    try {
      passed = Boolean(typeof test === 'function' ? test(value) : test);
    } catch (error) {
      thrown = { error };
    }
    addSample(CHECKS, passed ? 1 : 0, tags, name);
    if (thrown !== undefined) throw thrown.error;
    if (!passed) all = false;
  }
  return all;
}

export function group(name, body) {
  inIteration('using group()');
  if (typeof body !== 'function') throw new GoError('group() requires a callback as a second argument');
  if (String(name).includes('::')) throw new GoError("group and check names may not contain '::'");
  if (body.constructor !== undefined && body.constructor.name === 'AsyncFunction') {
    throw new GoError('group() does not support async functions as arguments');
  }
  const outer = state.group;
  state.group = `${outer}::${name}`;
  const started = ask('now').t;
  try {
    return body();
  } finally {
    addSample(GROUP_DURATION, ask('now').t - started);
    state.group = outer;
  }
}

export function sleep(seconds) {
  inIteration('sleep()');
  const ms = Number(seconds) * 1000;
  if (ms > 0) state.now = answered(suspend('sleep', encode(ms), takePending())).now;
}

export function fail(message) {
  throw new GoError(String(message));
}

export const randomSeed = notOffered('randomSeed');

export default { check, group, sleep, fail, randomSeed };
