/**
 * Reads the k6 arguments of a user, as far as the wrapper must know them: variables, tags and outputs are merged with its
 * own, everything else passes through untouched.
 */
import { UserError } from '../base/user-error.ts';

export interface K6Arguments {
  /** `-e NAME=VALUE`; later ones win, as in k6. */
  readonly env: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
  /** `--out` values in order. */
  readonly outputs: readonly string[];
  readonly quiet: boolean;
  /** `--summary-export` of the user, if any. */
  readonly summaryExport: string | undefined;
  /** All other arguments, in order and untouched. */
  readonly rest: readonly string[];
}

/** Flags of `k6 run` that take a value, so that a value is never taken for a flag. */
const VALUE_FLAGS = new Set(
  (
    'vus duration iterations stage execution-segment execution-segment-sequence max-redirects batch batch-per-host rps ' +
    'user-agent min-iteration-duration blacklist-ip block-hostnames summary-trend-stats summary-time-unit system-tags ' +
    'tag console-output local-ips dns compatibility-mode type env summary-mode summary-export traces-output out ' +
    'features address config log-format log-output secret-source'
  ).split(' '),
);
const SHORT_FLAGS: Readonly<Record<string, string>> = {
  u: 'vus',
  d: 'duration',
  i: 'iterations',
  s: 'stage',
  t: 'type',
  e: 'env',
  o: 'out',
  a: 'address',
  c: 'config',
  q: 'quiet',
};
/** Flags of `run` that neither `archive` nor `inspect` knows, or that would do something there. */
const RUN_ONLY = new Set(['linger', 'no-usage-report', 'address', 'paused', 'summary-export', 'profiling-enabled']);

interface Flag {
  readonly name: string;
  readonly value: string | undefined;
  readonly words: readonly string[];
}

/**
 * @param words what stands after `--` on the command line
 * @throws UserError for a word that is no flag, and for a malformed variable or tag.
 */
export function readK6Arguments(words: readonly string[]): K6Arguments {
  const env: Record<string, string> = {};
  const tags: Record<string, string> = {};
  const outputs: string[] = [];
  const rest: string[] = [];
  let quiet = false;
  let summaryExport: string | undefined;
  for (const flag of flagsOf(words)) {
    if (flag.name === 'env') Object.assign(env, readVariable(flag.value ?? ''));
    else if (flag.name === 'tag') Object.assign(tags, readTag(flag.value ?? ''));
    else if (flag.name === 'out') outputs.push(flag.value ?? '');
    else if (flag.name === 'quiet') quiet = flag.value !== 'false';
    else if (flag.name === 'summary-export') summaryExport = flag.value;
    else rest.push(...flag.words);
  }
  return { env, tags, outputs, quiet, summaryExport, rest };
}

/** `NAME=VALUE`, or `NAME` alone, which k6 takes from the environment. @throws UserError */
export function readVariable(text: string, env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const at = text.indexOf('=');
  const name = at === -1 ? text : text.slice(0, at);
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new UserError(`-e ${text}: NAME=VALUE is needed, the name made of letters, digits and underscores`);
  }
  return { [name]: at === -1 ? (env[name] ?? '') : text.slice(at + 1) };
}

/** `name=value`. @throws UserError */
export function readTag(text: string): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1)
    throw new UserError(`--tag ${text}: name=value is needed, neither of them empty`);
  return { [text.slice(0, at)]: text.slice(at + 1) };
}

/** The arguments with which `k6 archive` sees the same options as `k6 run` will. */
export function argumentsForArchive(rest: readonly string[]): string[] {
  return flagsOf(rest).flatMap((flag) => (RUN_ONLY.has(flag.name) || flag.words[0] === '-l' ? [] : flag.words));
}

function flagsOf(words: readonly string[]): Flag[] {
  const flags: Flag[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (!word.startsWith('-') || word === '-' || word === '--') {
      throw new UserError(`"${word}": k6 options only may follow "--"; the scenario or script stands before it`);
    }
    const { name, value, complete } = splitFlag(word);
    if (complete || !VALUE_FLAGS.has(name)) {
      flags.push({ name, value, words: [word] });
      continue;
    }
    const next = words[++i];
    if (next === undefined) throw new UserError(`${word}: a value is needed after it`);
    flags.push({ name, value: next, words: [word, next] });
  }
  return flags;
}

/** `--name=value`, `--name`, `-nvalue`, `-n=value`, `-n`. */
function splitFlag(word: string): { name: string; value: string | undefined; complete: boolean } {
  if (word.startsWith('--')) {
    const at = word.indexOf('=');
    return at === -1
      ? { name: word.slice(2), value: undefined, complete: false }
      : { name: word.slice(2, at), value: word.slice(at + 1), complete: true };
  }
  const name = SHORT_FLAGS[word[1] ?? ''] ?? word.slice(1);
  if (word.length === 2) return { name, value: undefined, complete: false };
  // A group such as -qv is k6's to take apart.
  if (!VALUE_FLAGS.has(name)) return { name: word.slice(1), value: undefined, complete: true };
  return { name, value: word.slice(word[2] === '=' ? 3 : 2), complete: true };
}
