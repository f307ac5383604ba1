/** Session shares to request shares, and wishes for request shares to session shares. */
import { largest, smallest } from '../../../lib/model/extremes.ts';
import { percent } from '../../../lib/model/figures.ts';
import { requestShares, requestsPerSession } from '../../../lib/model/workload.ts';
import { UserError } from '../../base/user-error.ts';
import { suiteAtHand } from '../../results/suite-facts.ts';
import { nnls, solveLinear } from '../fit/nnls.ts';
import { flowRequests, type KnownFlow, type StepTable } from '../model/flow-shapes.ts';
import { type Equation, equationsOf, ownEndpoints, sizeOf, sumOf, type Wish, wishText } from './wishes.ts';

export interface Solution {
  /** Session share per flow. */
  readonly sessions: Readonly<Record<string, number>>;
  /** Request share per endpoint name. */
  readonly requests: Readonly<Record<string, number>>;
  /** Share of requests at endpoints that only this flow asks for, and of all its requests. */
  readonly flows: Readonly<Record<string, { readonly own: number; readonly all: number }>>;
  readonly requestsPerSession: number;
  /** How the wishes were fulfilled, in words. */
  readonly how?: string;
}

/** What session shares look like in a log. @param shares per flow in any unit, not all of them 0 */
export function fromSessions(flows: readonly KnownFlow[], shares: Readonly<Record<string, number>>): Solution {
  const total = flows.reduce((sum, flow) => sum + (shares[flow.name] ?? 0), 0);
  const sessions = Object.fromEntries(flows.map((flow) => [flow.name, (shares[flow.name] ?? 0) / total]));
  const vectors = flowRequests(flows);
  const perSession = requestsPerSession(sessions, vectors);
  return {
    sessions,
    requests: requestShares(sessions, vectors),
    flows: Object.fromEntries(
      flows.map((flow) => {
        const share = sessions[flow.name] ?? 0;
        return [
          flow.name,
          {
            own: (share * sumOf(flow, ownEndpoints(flow, flows))) / perSession,
            all: (share * sizeOf(flow)) / perSession,
          },
        ];
      }),
    ),
    requestsPerSession: perSession,
  };
}

/** Shares found, in the flows' order, and which flows they moved; none when all had to change their proportions. */
interface Found {
  readonly shares: readonly number[];
  readonly moved: readonly number[];
}

/** By how much the share of a wish may be missed. */
const MET = 1e-6;

/**
 * Session shares under which each wish holds. Each wish moves one flow and the others keep their proportions; a wish for an
 * endpoint moves the flow with which the shares stay nearest to what they were. Where that cannot be, the shares nearest to
 * what they were are taken, whatever their proportions.
 * @param base session shares now, per flow, in any unit
 * @param suite names the steps
 * @throws UserError when a wish names nothing, cannot be fulfilled, or contradicts another
 */
export function solveWishes(
  flows: readonly KnownFlow[],
  base: Readonly<Record<string, number>>,
  wishes: readonly Wish[],
  suite: StepTable = suiteAtHand(),
): Solution {
  const total = flows.reduce((sum, flow) => sum + (base[flow.name] ?? 0), 0);
  const now = flows.map((flow) => (base[flow.name] ?? 0) / total);
  const equations = equationsOf(wishes, flows, suite);
  refuseWithoutRest(flows, now, equations);
  for (const equation of equations) refuseUnreachable(flows, equation);
  const found = withProportions(flows, now, equations) ?? nearest(flows, now, equations);
  if (found === undefined) {
    throw new UserError(
      `the wishes ${wishes.map(wishText).join(' and ')} contradict each other: each can be fulfilled, but no session shares of ${flows.map((flow) => flow.name).join(', ')} fulfil all; leave one out`,
    );
  }
  const names = (indices: readonly number[]): string => indices.map((i) => flows[i]?.name).join(', ');
  const rest = flows.map((_, i) => i).filter((i) => !found.moved.includes(i));
  return {
    ...fromSessions(flows, Object.fromEntries(flows.map((flow, i) => [flow.name, found.shares[i] as number]))),
    how:
      found.moved.length === 0
        ? 'no shares fulfil the wishes with the proportions of the flows kept: these are the nearest to what they were'
        : `moved ${names(found.moved)}${rest.length > 1 ? `; ${names(rest)} keep their proportions` : ''}`,
  };
}

/** Flows that wishes name are moved; the others must say how what is left is divided. */
function refuseWithoutRest(flows: readonly KnownFlow[], now: readonly number[], equations: readonly Equation[]): void {
  const named = equations.flatMap(({ flow }) => flow ?? []);
  const rest = flows.map((_, i) => i).filter((i) => !named.includes(i));
  if (rest.length === 0)
    throw new UserError('every flow has a wish; leave at least one without, it takes what is left');
  if (named.length > 0 && rest.every((i) => now[i] === 0)) {
    throw new UserError(
      `the flows without a wish (${rest.map((i) => flows[i]?.name).join(', ')}) have no sessions to begin with, so nothing tells how to divide what is left among them; give --sessions in which one of them has some`,
    );
  }
}

/** The share that a wish speaks of is a mean of its shares in each flow's own requests, so it lies between their extremes. */
function refuseUnreachable(flows: readonly KnownFlow[], { wish, counts }: Equation): void {
  const shares = flows.map((flow, i) => (counts[i] as number) / sizeOf(flow));
  const low = smallest(shares);
  const high = largest(shares);
  if (wish.share >= low - 1e-12 && wish.share <= high + 1e-12) return;
  throw new UserError(
    `no session shares give ${wishText(wish)} of the requests: sessions of ${flows.map((flow) => flow.name).join(', ')}, however mixed, give ${percent(low)} to ${percent(high)}`,
  );
}

/** One flow moved for each wish, all assignments tried, the nearest taken; wishes that others imply need no flow. */
function withProportions(
  flows: readonly KnownFlow[],
  now: readonly number[],
  equations: readonly Equation[],
): Found | undefined {
  let best: Found | undefined;
  const all = flows.map((_, i) => i);
  const many = flows.length ** equations.length > MOST_TRIES;
  const assign = (at: number, moved: readonly number[]): void => {
    const equation = equations[at];
    if (equation === undefined) {
      const shares = solveFor(flows, now, equations, moved);
      if (shares !== undefined && (best === undefined || distance(shares, now) < distance(best.shares, now) - 1e-12))
        best = { shares, moved };
      return;
    }
    const choice = equation.flow !== undefined ? [equation.flow] : many ? [equation.most] : all;
    for (const flow of choice) if (!moved.includes(flow)) assign(at + 1, [...moved, flow]);
  };
  if (equations.length < flows.length) assign(0, []);
  if (best !== undefined || equations.length === 1) return best;
  for (let left = 0; left < equations.length; left++) {
    const found = withProportions(
      flows,
      now,
      equations.filter((_, i) => i !== left),
    );
    if (found !== undefined && isMet(flows, equations[left] as Equation, found.shares)) return found;
  }
  return undefined;
}

const MOST_TRIES = 50_000;

/**
 * Unknown are the shares x_f of the moved flows and the factor s of the others: for each wish, flows' requests k and the
 * counted ones a, sum of x_f (a_f - p k_f) is 0, and all shares add up to 1.
 */
function solveFor(
  flows: readonly KnownFlow[],
  now: readonly number[],
  equations: readonly Equation[],
  moved: readonly number[],
): number[] | undefined {
  const weights = [...equations.map((equation) => weightsOf(flows, equation)), flows.map(() => 1)];
  const matrix = weights.map((weight) => [
    ...moved.map((f) => weight[f] as number),
    weight.reduce((sum, w, f) => (moved.includes(f) ? sum : sum + w * (now[f] as number)), 0),
  ]);
  const x = solveLinear(
    matrix,
    weights.map((_, i) => (i === equations.length ? 1 : 0)),
  );
  if (x === undefined || !x.every((value) => value >= -1e-12 && Number.isFinite(value))) return undefined;
  const factor = x[moved.length] as number;
  const shares = now.map((share, f) =>
    Math.max(0, moved.includes(f) ? (x[moved.indexOf(f)] as number) : factor * share),
  );
  return equations.every((equation) => isMet(flows, equation, shares)) ? shares : undefined;
}

/** Least squares with the wishes weighing so much more than the distance that they hold, if they can. */
function nearest(
  flows: readonly KnownFlow[],
  now: readonly number[],
  equations: readonly Equation[],
): Found | undefined {
  const heavy = 1e4;
  const rows = [...equations.map((equation) => weightsOf(flows, equation)), flows.map(() => 1)];
  const { x } = nnls(
    [...rows.map((row) => row.map((w) => w * heavy)), ...flows.map((_, i) => flows.map((_, k) => (i === k ? 1 : 0)))],
    [...rows.map((_, i) => (i === equations.length ? heavy : 0)), ...now],
  );
  const shares = Array.from(x);
  return equations.every((equation) => isMet(flows, equation, shares)) ? { shares, moved: [] } : undefined;
}

function weightsOf(flows: readonly KnownFlow[], { wish, counts }: Equation): number[] {
  return flows.map((flow, i) => (counts[i] as number) - wish.share * sizeOf(flow));
}

function isMet(flows: readonly KnownFlow[], { wish, counts }: Equation, shares: readonly number[]): boolean {
  const all = flows.reduce((sum, flow, i) => sum + (shares[i] as number) * sizeOf(flow), 0);
  const counted = counts.reduce((sum, n, i) => sum + (shares[i] as number) * n, 0);
  return all > 0 && Math.abs(counted / all - wish.share) < MET;
}

function distance(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x, i) => sum + (x - (b[i] as number)) ** 2, 0);
}
