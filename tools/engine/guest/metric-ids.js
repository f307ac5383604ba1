// Numbers of k6's own metrics, asked for once per virtual machine.
import { ask } from 'k6:core';

const ids = ask('builtins');
export function builtin(name) {
  return ids[name];
}
