/** The shape of a rule: facts and limits in, a reason (or why there is none) out. */
import type { Facts } from './facts.ts';
import type { Limits } from './limits.ts';

/** `note` is worth saying and speaks against nothing. */
export type Severity = 'invalid' | 'suspect' | 'note';

export interface Reason {
  readonly rule: string;
  readonly severity: Severity;
  /** One sentence with the numbers in it. */
  readonly message: string;
  readonly numbers: Readonly<Record<string, number | string>>;
  /** The limit that was passed, in words. */
  readonly limit: string;
  readonly remedy: string;
}

export interface NotJudged {
  readonly rule: string;
  /** What is missing, and how to give it. */
  readonly why: string;
}

export type Judgement =
  | { readonly kind: 'fine' }
  | { readonly kind: 'reasons'; readonly reasons: readonly Reason[] }
  | { readonly kind: 'not judged'; readonly why: string };

export interface Rule {
  readonly id: string;
  /** What it looks at, for the table in the docs. */
  readonly title: string;
  /** A summary alone tells nothing of it, so that it cannot be fine there. */
  readonly needsSamples?: true;
  readonly judge: (facts: Facts, limits: Limits) => Judgement;
}

/** Why a rule that looks at samples says nothing of a summary. */
export const NO_SAMPLES = 'a summary has no raw samples';

export const FINE: Judgement = { kind: 'fine' };

export function notJudged(why: string): Judgement {
  return { kind: 'not judged', why };
}

/** Judgement of any number of reasons; none is fine. */
export function reasons(...found: readonly (Reason | undefined)[]): Judgement {
  const list = found.filter((reason) => reason !== undefined);
  return list.length === 0 ? FINE : { kind: 'reasons', reasons: list };
}

/** Rounded to so many decimals, without trailing zeros. */
export function round(value: number, decimals = 2): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}

/** Milliseconds for people: `41.02 ms`, `5.01 s`. */
export function ms(value: number): string {
  return Math.abs(value) >= 1000 ? `${round(value / 1000, 2)} s` : `${round(value, 2)} ms`;
}

/** `1 request`, `2 requests`. */
export function plural(n: number, word: string): string {
  return `${n.toLocaleString('en-US')} ${word}${n === 1 ? '' : 's'}`;
}
