/** Phrases that text, report and Markdown share: lengths of time, and counts that may be unknown. */

/** A time that has passed: `8.0 s`, `5.2 min`, `1.5 h`. */
export function elapsed(seconds: number): string {
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  return seconds < 7200 ? `${(seconds / 60).toFixed(1)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

/** A length that a test must have at least: rounded up, `72 s`, `5 min`, `1.5 h`. */
export function needed(seconds: number): string {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${(Math.ceil(seconds / 360) / 10).toFixed(1)} h`;
}

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
