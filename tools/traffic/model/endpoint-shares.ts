/** Shares of endpoints with intervals that know that the requests of one session come together. */

import { wilson } from '../fit/intervals.ts';
import type { RouteSequence } from '../pass/route-sequences.ts';

export interface EndpointShare {
  readonly name: string;
  readonly requests: number;
  readonly share: number;
  /** 95 % interval of the share. */
  readonly interval: readonly [number, number];
  readonly statusClasses: Readonly<Record<string, number>>;
  readonly latency?: { readonly n: number; readonly meanMs: number; readonly p50Ms: number; readonly p95Ms: number };
}

/**
 * Interval of the share of requests that go to a route: a ratio of sums over sessions, whose variance is
 * sum (y_i - share m_i)^2 / (sum m_i)^2 for y_i of the m_i requests of session i (W. G. Cochran, "Sampling Techniques").
 */
export function shareInterval(
  route: number,
  requests: number,
  total: number,
  sequences: readonly RouteSequence[],
): readonly [number, number] {
  const share = requests / total;
  let squares = 0;
  let sum = 0;
  for (const sequence of sequences) {
    if (sequence.cut) continue;
    const m = sequence.steps.length;
    let y = 0;
    for (const step of sequence.steps) if (step === route) y++;
    squares += sequence.n * (y - share * m) ** 2;
    sum += sequence.n * m;
  }
  // Sessions cover too little of the log to speak for it.
  if (sum < 0.5 * total || squares === 0) return wilson(requests, total);
  const half = (1.96 * Math.sqrt(squares)) / sum;
  return [Math.max(0, share - half), Math.min(1, share + half)];
}
