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
