/**
 * The one table of `-e` variables. Each is a constant of its own, so that a VU's code holds only those it reads; the whole
 * table (`variables.ts`) is needed where options are read and for the README.
 */
import { bareSeconds } from '../k6/duration.ts';
import type { PopularityLaw } from '../model/workload.ts';

/**
 * Help texts are for people: the build defines BUNDLED, and they fold away. Asked for at each text, because esbuild folds no
 * constant of a file that imports values.
 */
declare const BUNDLED: boolean | undefined;

/** Least and greatest `g` of the power law: beyond them all draws fall on the last or the first item. */
export const POWER_RANGE = [0.01, 100] as const;
/** Least and greatest exponent of the Zipf law: at 20 one draw in a million is not the first item. */
export const ZIPF_RANGE = [0, 20] as const;

/** What `-e` gives: k6's `__ENV`. */
export type Env = Readonly<Record<string, string | undefined>>;

interface Common<T> {
  readonly name: string;
  readonly help: string;
  /** Taken when the variable is unset or empty. */
  readonly default: T;
  /** Default in words where the value alone does not say it. */
  readonly defaultText?: string;
}
/** A number, or a duration in seconds written as `90`, `90s`, `3m`, `1h30m` or `500ms`. */
export interface NumberVariable<T extends number | undefined> extends Common<T> {
  readonly kind: 'number' | 'integer' | 'duration';
  readonly min: number;
  readonly max: number;
}
export interface ChoiceVariable<T extends string> extends Common<T> {
  readonly kind: 'choice';
  readonly of: readonly T[];
}
export interface TextVariable extends Common<string> {
  readonly kind: 'text';
  /** Refused when it is given as the empty text: a shell variable that was not set must not choose the target. */
  readonly neverEmpty?: true;
  /** Only the environment holds it: it stands in no option, no file and no text of a run. */
  readonly secret?: boolean;
}
/** A popularity law as `single`, `single:<index>`, `uniform`, `power:<g>` or `zipf:<s>`, or `once`: every book one time. */
export interface PopularityVariable extends Common<PopularityLaw | 'once' | undefined> {
  readonly kind: 'popularity';
}
export type Variable = NumberVariable<number | undefined> | ChoiceVariable<string> | TextVariable | PopularityVariable;

/**
 * Value of a variable.
 * @throws Error with one sentence that names the variable, what was given and what would be right.
 */
export function read<V extends Variable>(variable: V, env: Env): V['default'] {
  const raw = env[variable.name];
  if (raw === '' && 'neverEmpty' in variable) {
    throw new Error(`${variable.name} is empty: give it a value, or leave it out for ${variable.default}`);
  }
  if (raw === undefined || raw === '') return variable.default;
  const shown = escaped(raw);
  const wrong = (expected: string) => new Error(`${variable.name}=${shown} is not valid: give ${expected}`);
  switch (variable.kind) {
    case 'text':
      // It ends up in headers, URLs and one-line messages.
      if (shown !== raw) throw wrong('text on one line, without control characters');
      return raw;
    case 'choice':
      if (variable.of.includes(raw)) return raw;
      throw wrong(`one of ${rangeOf(variable)}`);
    case 'popularity': {
      const law = parsePopularity(raw);
      if (law === undefined) throw wrong(`one of ${rangeOf(variable)}`);
      return law;
    }
    default: {
      const plain = /^[-+.e\d]+$/i.test(raw) ? Number(raw) : Number.NaN;
      const value = variable.kind === 'duration' ? (bareSeconds(raw) ?? Number.NaN) : plain;
      const { min, max } = variable;
      const whole = variable.kind !== 'integer' || value % 1 === 0;
      if (value >= min && value <= max && whole) return value;
      throw wrong(rangeOf(variable));
    }
  }
}

/** Control characters (C0, DEL, C1) as `\u000a`; k6's engine knows no `\p{Cc}`. */
function escaped(text: string): string {
  let result = '';
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    result += control ? `\\u00${code < 16 ? '0' : ''}${code.toString(16)}` : text[i];
  }
  return result;
}

/** The values that a variable takes, in words. */
export function rangeOf(variable: Variable): string {
  switch (variable.kind) {
    case 'choice':
      return variable.of.filter((value) => value !== '').join(', ');
    case 'text':
      return 'text';
    case 'popularity':
      return `single, single:<index>, uniform, power:<g> (${POWER_RANGE.join(' to ')}), zipf:<s> (${ZIPF_RANGE.join(' to ')}), once`;
    case 'duration':
      return `a duration from ${variable.min}s to ${variable.max}s, as in 90s, 3m or 1h30m`;
    default:
      return `${variable.kind === 'integer' ? 'a whole number' : 'a number'} from ${variable.min} to ${variable.max}`;
  }
}

function parsePopularity(raw: string): PopularityLaw | 'once' | undefined {
  if (raw === 'once' || raw === 'uniform') return raw === 'once' ? raw : { law: raw };
  const colon = raw.indexOf(':');
  const law = colon < 0 ? raw : raw.slice(0, colon);
  const text = colon < 0 ? undefined : raw.slice(colon + 1);
  const value = text !== undefined && /^\d*\.?\d+$/.test(text) ? Number(text) : undefined;
  if (law === 'single') {
    if (text === undefined) return { law };
    return value !== undefined && value % 1 === 0 ? { law, index: value } : undefined;
  }
  const within = ([least, most]: readonly [number, number]) => value !== undefined && value >= least && value <= most;
  if (law === 'power')
    return text === undefined ? { law, g: 3 } : within(POWER_RANGE) ? { law, g: value as number } : undefined;
  if (law === 'zipf') {
    return text === undefined ? { law, s: 2 / 3 } : within(ZIPF_RANGE) ? { law, s: value as number } : undefined;
  }
  return undefined;
}

export const BASE_URL: TextVariable = {
  name: 'BASE_URL',
  kind: 'text',
  default: 'http://127.0.0.1:8080',
  neverEmpty: true,
  help: typeof BUNDLED === 'undefined' ? 'Origin of the system under test, with an optional path prefix.' : '',
};
export const SEED: TextVariable = {
  name: 'SEED',
  kind: 'text',
  default: '1',
  help: typeof BUNDLED === 'undefined' ? 'Seed of every random choice: the same seed gives the same sessions.' : '',
};
export const THINK: NumberVariable<number> = {
  name: 'THINK',
  kind: 'number',
  min: 0,
  max: 100,
  default: 1,
  help: typeof BUNDLED === 'undefined' ? 'Factor on every think time; 0 switches thinking off.' : '',
};
export const POPULARITY: PopularityVariable = {
  name: 'POPULARITY',
  kind: 'popularity',
  default: undefined,
  defaultText: 'the workload’s law',
  help:
    typeof BUNDLED === 'undefined'
      ? 'Law by which sessions pick books; `once` takes every book one time, see POOL.'
      : '',
};
export const POOL: ChoiceVariable<'stop' | 'wrap'> = {
  name: 'POOL',
  kind: 'choice',
  of: ['stop', 'wrap'],
  default: 'stop',
  help:
    typeof BUNDLED === 'undefined'
      ? 'What a used-up data pool does: refuse further sessions, or begin again; both are counted as `data_exhausted`.'
      : '',
};
export const TIMEOUT: NumberVariable<number> = {
  name: 'TIMEOUT',
  kind: 'duration',
  min: 0.01,
  max: 600,
  default: 60,
  help: typeof BUNDLED === 'undefined' ? 'Time after which a request counts as unanswered.' : '',
};
export const SESSION_ID: ChoiceVariable<'off' | 'on'> = {
  name: 'SESSION_ID',
  kind: 'choice',
  of: ['off', 'on'],
  default: 'off',
  help:
    typeof BUNDLED === 'undefined'
      ? 'Send the header `X-Session-Id`, so that the access log can be grouped by session.'
      : '',
};
export const TRACE: ChoiceVariable<'off' | 'on'> = {
  name: 'TRACE',
  kind: 'choice',
  of: ['off', 'on'],
  default: 'off',
  help: typeof BUNDLED === 'undefined' ? 'Log one line a session with what it drew: flow, books, think times.' : '',
};
