/** What a session of a flow that is data sends on average: its forms counted, its chain solved. */
import type { FlowSessions, StepChain } from '../../../lib/model/workload.ts';

/** Visits that are still to come fall by a share each round; below this they are nothing. */
const NOTHING = 1e-12;
const MOST_ROUNDS = 100_000;

/** Mean number of each step in a session: those of the forms by their shares, and the chain's for the sessions that are left. */
export function meanSteps({ forms, chain }: FlowSessions): Record<string, number> {
  const means: Record<string, number> = {};
  const add = (step: string, n: number): void => {
    means[step] = (means[step] ?? 0) + n;
  };
  let left = 1;
  for (const { share, steps } of forms) {
    left -= share;
    for (const step of steps) add(step, share);
  }
  if (chain !== undefined && left > 0) for (const [step, n] of visits(chain)) add(step, left * n);
  return means;
}

/** Mean visits of each step: starts, what follows them, what follows that, and so on (the sum of start * next^k). */
function visits({ starts, next }: StepChain): Map<string, number> {
  const sum = new Map<string, number>();
  let now = new Map(Object.entries(starts));
  for (let round = 0; round < MOST_ROUNDS && now.size > 0; round++) {
    const after = new Map<string, number>();
    for (const [step, n] of now) {
      sum.set(step, (sum.get(step) ?? 0) + n);
      for (const [to, chance] of Object.entries(next[step] ?? {})) {
        const more = (after.get(to) ?? 0) + n * chance;
        if (more > NOTHING) after.set(to, more);
      }
    }
    now = after;
  }
  return sum;
}
