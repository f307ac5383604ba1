/** Phrases that text, report and Markdown share: how long a run was, and counts that may be unknown. */

import { elapsed } from '../../lib/model/figures.ts';

/** ` in 60.0 s`; nothing of a summary that does not tell its length. */
export function during({ window }: { window: { seconds: number; loadSeconds?: number } }): string {
  return window.seconds > 0 ? ` in ${lasted(window)}` : '';
}

/** How long a run lasted, and how long of that it sent load, where that is known and another. */
export function lasted({ seconds, loadSeconds }: { seconds: number; loadSeconds?: number }): string {
  const [whole, load] = [elapsed(seconds), loadSeconds === undefined ? undefined : elapsed(loadSeconds)];
  return load === undefined || load === whole ? whole : `${whole} (${load} of load)`;
}

/** `, 3 without an answer`, where it is known. */
export function withoutAnswer({ requests }: { requests: { noAnswer?: number } }): string {
  return requests.noAnswer === undefined ? '' : `, ${requests.noAnswer} without an answer`;
}

/**
 * Rules that a reader can have judged: the reason names an option or a way to run. Those whose facts the verdict already
 * lists as missing are left out.
 */
export function changeable<Fact extends { readonly rule: string; readonly why: string }>({
  notJudged,
  missing,
}: {
  readonly notJudged: readonly Fact[];
  readonly missing: readonly { readonly rules: readonly string[] }[];
}): readonly Fact[] {
  const listed = new Set(missing.flatMap(({ rules }) => rules));
  return notJudged.filter(({ rule, why }) => !listed.has(rule) && /--[a-z]|bookstore-load run/.test(why));
}
