/** Session shares from wanted request shares, and the other way round. */
import { requestShares, requestsPerSession } from '../../lib/workload.ts';
import { UserError } from '../user-error.ts';
import { solveLinear } from './fit/nnls.ts';
import type { KnownFlow } from './model/flow-shapes.ts';
import { flowRequests, stepName } from './model/flow-shapes.ts';

export interface Solution {
  /** Session share per flow. */
  readonly sessions: Readonly<Record<string, number>>;
  /** Request share per endpoint name. */
  readonly requests: Readonly<Record<string, number>>;
  /** Share of requests at endpoints that only this flow asks for, and of all its requests. */
  readonly flows: Readonly<Record<string, { readonly own: number; readonly all: number }>>;
  readonly requestsPerSession: number;
}

/** What session shares look like in a log. @param shares per flow in any unit */
export function fromSessions(flows: readonly KnownFlow[], shares: Readonly<Record<string, number>>): Solution {
  const total = Object.values(shares).reduce((sum, share) => sum + share, 0);
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
            all: (share * sumOf(flow, Object.keys(flow.requests))) / perSession,
          },
        ];
      }),
    ),
    requestsPerSession: perSession,
  };
}

/** Endpoints that no other flow asks for. */
function ownEndpoints(flow: KnownFlow, flows: readonly KnownFlow[]): string[] {
  return Object.keys(flow.requests).filter((name) =>
    flows.every((other) => other === flow || other.requests[name] === undefined),
  );
}

function sumOf(flow: KnownFlow, endpoints: readonly string[]): number {
  return endpoints.reduce((sum, name) => sum + (flow.requests[name] ?? 0), 0);
}

/** One wish: this share of all requests. */
export interface Wish {
  /** Flow name (its own endpoints), `flow:all`, a step name or an endpoint name. */
  readonly subject: string;
  readonly share: number;
}

/** Reads `checkout=15%`, `order=0.05`. @throws UserError */
export function parseWish(text: string): Wish {
  const at = text.lastIndexOf('=');
  const number = text.slice(at + 1).trim();
  const value = Number(number.replace(/%$/, ''));
  const share = number.endsWith('%') ? value / 100 : value;
  if (at <= 0 || number === '' || !(share > 0 && share < 1)) {
    throw new UserError(
      `--requests "${text}" is no wish; write NAME=SHARE with a share between 0 and 100 %, for example checkout=15%`,
    );
  }
  return { subject: text.slice(0, at).trim(), share };
}

/**
 * Session shares under which each wish holds; the flows without a wish keep their proportions. One wish moves one flow, so
 * the equations sum over flows x_f (a_wf - p_w k_f) = 0 are as many as unknowns.
 * @param base session shares now, per flow
 * @throws UserError when a wish names nothing, or no shares can fulfil it
 */
export function solveWishes(
  flows: readonly KnownFlow[],
  base: Readonly<Record<string, number>>,
  wishes: readonly Wish[],
): Solution {
  const moved: KnownFlow[] = [];
  const counts = wishes.map((wish) => {
    const { flow, endpoints } = subjectOf(wish, flows);
    if (moved.includes(flow)) throw new UserError(`two wishes move the flow ${flow.name}; give one for each flow`);
    moved.push(flow);
    return (other: KnownFlow): number => sumOf(other, wish.subject.endsWith(':all') && other !== flow ? [] : endpoints);
  });
  const rest = flows.filter((flow) => !moved.includes(flow));
  if (rest.length === 0)
    throw new UserError('every flow has a wish; leave at least one without, it takes what is left');
  const size = (flow: KnownFlow): number => sumOf(flow, Object.keys(flow.requests));
  const weight = (wish: number, flow: KnownFlow): number =>
    (counts[wish]?.(flow) ?? 0) - (wishes[wish]?.share ?? 0) * size(flow);
  const matrix = wishes.map((_, w) => moved.map((flow) => weight(w, flow)));
  const right = wishes.map((_, w) => -rest.reduce((sum, flow) => sum + (base[flow.name] ?? 0) * weight(w, flow), 0));
  const x = solveLinear(matrix, right);
  if (x === undefined || x.some((value) => !(value >= 0) || !Number.isFinite(value))) {
    throw new UserError(
      `no session shares give ${wishes.map((wish) => `${wish.subject} = ${(100 * wish.share).toFixed(1)} %`).join(' and ')} of the requests; the most that a flow can have is its own share of its requests`,
    );
  }
  const shares: Record<string, number> = {};
  for (const flow of rest) shares[flow.name] = base[flow.name] ?? 0;
  moved.forEach((flow, i) => {
    shares[flow.name] = x[i] as number;
  });
  return fromSessions(flows, shares);
}

function subjectOf(wish: Wish, flows: readonly KnownFlow[]): { flow: KnownFlow; endpoints: readonly string[] } {
  const name = wish.subject.replace(/:all$/, '');
  const flow = flows.find((one) => one.name === name);
  if (flow !== undefined) {
    const endpoints = wish.subject.endsWith(':all') ? Object.keys(flow.requests) : ownEndpoints(flow, flows);
    if (endpoints.length === 0)
      throw new UserError(`the flow ${name} has no endpoint of its own; write ${name}:all=... for all its requests`);
    return { flow, endpoints };
  }
  const endpoints = [...new Set(flows.flatMap((one) => Object.keys(one.requests)))];
  const endpoint = endpoints.find((one) => one === name || stepName(one) === name);
  if (endpoint === undefined) {
    throw new UserError(
      `--requests names "${name}", which is neither a flow (${flows.map((one) => one.name).join(', ')}) nor an endpoint (${endpoints.map(stepName).join(', ')})`,
    );
  }
  // The flow that asks for it most often in proportion.
  const best = [...flows].sort(
    (a, b) =>
      (b.requests[endpoint] ?? 0) / sumOf(b, Object.keys(b.requests)) -
      (a.requests[endpoint] ?? 0) / sumOf(a, Object.keys(a.requests)),
  )[0] as KnownFlow;
  return { flow: best, endpoints: [endpoint] };
}
