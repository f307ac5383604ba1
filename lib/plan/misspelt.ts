/** Misspelt variables: k6 hands over whatever `-e` says, and a name that nothing reads would be ignored silently. */

import { editDistance } from '../model/nearest.ts';
import type { Env } from './variable.ts';
import { VARIABLES } from './variables.ts';

/**
 * k6 mixes `-e` into the process's environment, so a name can only be judged by how near it is to one of ours. The shorter the
 * name, the nearer it must be: DATE and STACK are words that an environment may well hold.
 * @throws Error with one sentence for a name that is most likely one of the suite's, misspelt
 */
export function checkNames(env: Env, own: readonly string[] = []): void {
  const known = [...VARIABLES.map(({ name }) => name), ...own];
  for (const name of Object.keys(env)) {
    if (known.includes(name) || !/^[A-Za-z][A-Za-z_]+$/.test(name) || /^(K6_|SESSION_SETTINGS$)/.test(name)) continue;
    // In other letters it is another variable to k6; one of ours in lower case has no other reader.
    const upper = known.find((one) => one === name.toUpperCase());
    const meant = upper ?? (name === name.toUpperCase() ? known.find((one) => resembles(name, one)) : undefined);
    if (meant !== undefined) {
      throw new Error(
        `the suite has no variable ${name}: did you mean ${meant}? (unset ${name} if it is another program's)`,
      );
    }
  }
}

/** What people put behind or before the name of a setting. */
const BEHIND =
  /^(TIMES?|SEC(OND)?S?|MS|MIN(UTE)?S?|COUNT|NUM(BER)?|LAW|FACTOR|SCALE|PER(SEC|SECOND|S)|RPS|VALUE|LENGTH|MODE)$/;
const BEFORE = /^(TEST|LOAD|RUN|SESSIONS?|REQUESTS?|ARRIVAL|USERS?|TOTAL|MAX|MIN|NUM(BER|BEROF)?|TARGET|THE|MY)$/;
/** Names that other programs lengthen so as well. */
const COMMON = /^(CACHE|PROFILE|TRACE|WORKERS|STOCK|POOL|TIMEOUT|SEED)$/;

/** Whether `name` is `known` with a word that says no more: THINK_TIME, ARRIVAL_RATE. Both without underscores. */
function isLengthened(name: string, known: string): boolean {
  if (COMMON.test(known)) return false;
  if (name.startsWith(known)) return BEHIND.test(name.slice(known.length));
  return name.endsWith(known) && BEFORE.test(name.slice(0, -known.length));
}

/** Whether `name`, which differs from `known`, is a slip of the fingers away from it. */
function resembles(name: string, known: string): boolean {
  const longer = name.length - known.length;
  const plain = (text: string) => text.replaceAll('_', '');
  if (isLengthened(plain(name), plain(known))) return true;
  if (Math.abs(longer) > 2) return false;
  if (known === 'VUS' && name === 'VU') return true;
  if (known.length > 3 && (plain(name) === plain(known) || name === `${known}S` || `${name}S` === known)) return true;
  const edits = editDistance(name, known);
  if (known.length >= 8) return edits <= 2;
  if (known.length >= 6) return edits === 1;
  const swapped = longer === 0 && edits === 1 && [...name].sort().join() === [...known].sort().join();
  return swapped || (known.length === 5 && longer !== 0 && name[0] === known[0] && edits === 1);
}
