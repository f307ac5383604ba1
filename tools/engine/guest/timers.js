// The module `k6/timers` inside the virtual machine, and the globals of the same names.
import { ask, background } from 'k6:core';
import { GoError } from 'k6:shared';

let latest = 0;
/** Open timers by number: what lets them not come, and the name of the function that made them. */
const open = {};

const refused = (name, callback) => {
  if (typeof callback !== 'function') throw new GoError(`${name}'s callback isn't a callable function`);
};
/** What is no number is none. */
const milliseconds = (delay) => Math.max(0, Number(delay) || 0);

export function setTimeout(callback, delay, ...args) {
  refused('setTimeout', callback);
  const id = ++latest;
  const cancel = background('sleep', milliseconds(delay), () => {
    delete open[id];
    return callback(...args);
  });
  open[id] = { name: 'setTimeout', cancel };
  return id;
}

export function setInterval(callback, delay, ...args) {
  refused('setInterval', callback);
  const id = ++latest;
  // k6 lets no interval come more often than that.
  const ms = Math.max(1, milliseconds(delay));
  const arm = () => {
    const cancel = background('sleep', ms, () => {
      arm();
      return callback(...args);
    });
    open[id] = { name: 'setInterval', cancel };
  };
  arm();
  return id;
}

export function clearTimeout(id) {
  const timer = open[id];
  if (timer === undefined) return;
  delete open[id];
  timer.cancel();
}

export const clearInterval = clearTimeout;

/** The iteration is over before its timers are. */
export function stopTimers() {
  for (const id of Object.keys(open)) {
    const { name, cancel } = open[id];
    delete open[id];
    cancel();
    const text = `${name} ${id} was stopped because the VU iteration was interrupted`;
    ask('log', JSON.stringify(['warning', text, false]));
  }
}

export default { setTimeout, setInterval, clearTimeout, clearInterval };
