/** What the parts of a workload are made of, whichever way its flows were found. */
import type { Flow, ThinkTimeLaw } from '../../../lib/model/workload.ts';
import type { ThinkFit } from '../fit/think-fit.ts';

/** What the flows of a workload are, and the requests of their steps where no code says them. */
export interface FlowParts {
  readonly flows: Readonly<Record<string, Flow>>;
  readonly endpoints?: Readonly<Record<string, string>>;
}

/** Think time where a log tells none. */
export const ASSUMED_THINK: ThinkTimeLaw = { law: 'uniform', min: 1, max: 5 };

/** Which law was fitted, and by how many of the gaps there are. */
export function lawNote({ best, fitted }: Pick<ThinkFit, 'best' | 'fitted'>, gaps: number): string {
  return `${best} by ${fitted < gaps ? `${fitted} of the ${gaps} gaps` : `the ${gaps} gaps`}`;
}
