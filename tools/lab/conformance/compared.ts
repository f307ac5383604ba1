/** Two engines on one script: same, refused in words, or different. */
import type { Shown } from './engine-run.ts';

/** What of a script is chance, or timing. */
export interface Chances {
  /** Its load ends with a time, and not with a count. */
  readonly timed: boolean;
  /** Its thresholds look at times or rates. */
  readonly judgesTimes: boolean;
  /** It throws dice. */
  readonly random: boolean;
}

export type Outcome = 'same' | 'refused' | 'differs' | 'not run';

export interface Comparison {
  readonly outcome: Outcome;
  /** What the engine refuses, or where the two part. */
  readonly what: string;
}

/** The engine's own sentence. */
const REFUSAL = /((?:[^\s"=]|\\"|[ ])*?) (?:is|are) not offered by the embedded engine/;
/** What k6 cannot get here, where there is nothing but loopback. */
const NEEDS_NETWORK = /couldn't be (loaded|found|retrieved)|lookup |no such host|extension|dial tcp|provision/i;

/** @param again k6 a second time, where the first shows a difference: what it does not repeat is chance */
export async function compared(
  k6: Shown,
  embedded: Shown,
  again: () => Promise<Shown>,
  { timed, judgesTimes, random }: Chances,
): Promise<Comparison> {
  const refusal = REFUSAL.exec(embedded.stderr);
  if (refusal !== null && embedded.exit !== 0 && embedded.exit !== 'cut') {
    return { outcome: 'refused', what: (refusal[1] ?? '').replaceAll('\\"', '"').trim() };
  }
  if (k6.exit === 'cut') return { outcome: 'not run', what: 'longer than the time that a script is given' };
  // How often something happens within a time is timing.
  const first = differences(k6, embedded).filter(
    ({ key, presence, text }) =>
      (presence || !(timed || random)) && !(judgesTimes && key === 'exit' && /\b(0 and 99|99 and 0)$/.test(text)),
  );
  if (first.length === 0) return { outcome: 'same', what: '' };
  if (k6.exit !== 0 && Object.keys(k6.rows).length === 0 && NEEDS_NETWORK.test(k6.stderr)) {
    return { outcome: 'not run', what: 'k6 itself would fetch a part of it from elsewhere' };
  }
  const second = await again();
  const repeated = new Set(differences(k6, second).map(({ key }) => key));
  const left = differences(second, embedded).filter(
    ({ key, presence }) => first.some((one) => one.key === key) && (presence || !repeated.has(key)),
  );
  const real = left.filter(({ key }) => !repeated.has(key));
  if (real.length === 0) return { outcome: 'same', what: 'but for what k6 does not repeat' };
  return { outcome: 'differs', what: real.map(({ text }) => text).join(' | ') };
}

interface Difference {
  readonly key: string;
  /** One of the two has none of it. */
  readonly presence: boolean;
  readonly text: string;
}

function differences(a: Shown, b: Shown): Difference[] {
  const found: Difference[] = [];
  if (a.exit !== b.exit) found.push({ key: 'exit', presence: true, text: `exit ${a.exit} and ${b.exit}` });
  for (const key of new Set([...Object.keys(a.rows), ...Object.keys(b.rows)])) {
    const [one, other] = [a.rows[key], b.rows[key]];
    if (one === other) continue;
    const presence = one === undefined || other === undefined;
    // Whether a VU was free is timing.
    if (key.startsWith('dropped_iterations')) continue;
    found.push({ key, presence, text: `${key}: ${one ?? 'none'} and ${other ?? 'none'}` });
  }
  const [one, other] = [a.console, b.console].map((lines) => lines.map(withoutTimes).sort().join('\n'));
  if (one !== other) found.push({ key: 'console', presence: false, text: consoleText(a.console, b.console) });
  return found;
}

const withoutTimes = (line: string) => line.replaceAll(/\b\d+(\.\d+)?(ms|µs|s)\b/g, 'TIME');

function consoleText(a: readonly string[], b: readonly string[]): string {
  const only = (some: readonly string[], others: readonly string[]) => some.find((line) => !others.includes(line));
  return `console ${JSON.stringify(only(a, b) ?? a.length)} and ${JSON.stringify(only(b, a) ?? b.length)}`;
}
