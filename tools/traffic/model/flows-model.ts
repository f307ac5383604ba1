/** Session shares of flows; of those that are known, by non-negative least squares from request counts. */
import { percent } from '../../../lib/model/figures.ts';
import type { ThinkTimeLaw } from '../../../lib/model/workload.ts';
import { wilson } from '../fit/intervals.ts';
import { nnls } from '../fit/nnls.ts';
import type { RouteSequence } from '../pass/route-sequences.ts';
import type { KnownFlow } from './flow-shapes.ts';
import type { ThinkTimeModel } from './think-model.ts';

export interface FlowShare {
  readonly name: string;
  readonly share: number;
  /** 95 % interval of the share. */
  readonly interval: readonly [number, number];
  /** Sessions by least squares. */
  readonly sessions: number;
  /** Sessions whose requests are exactly the flow's. */
  readonly exact: number;
  /** Steps of one session, as endpoint names; of a discovered flow, of the most frequent one. */
  readonly steps: readonly string[];
  /** What sessions of a discovered flow ask for. */
  readonly sent?: SentByFlow;
  /** Think times of a discovered flow that are not those of all sessions. */
  readonly thinkTimes?: readonly ThinkTimeModel[];
}

/** What the sessions of a discovered flow ask for, as endpoint names and numbers of sessions. */
export interface SentByFlow {
  /** Mean over its sessions. */
  readonly requestsPerSession: number;
  /** The most frequent sequences. */
  readonly forms: readonly { readonly steps: readonly string[]; readonly sessions: number }[];
  /** All other sessions: how often each endpoint comes first, which follows which, and which comes last. */
  readonly chain?: {
    readonly sessions: number;
    readonly starts: Readonly<Record<string, number>>;
    readonly pairs: readonly (readonly [from: string, to: string, n: number])[];
    readonly ends: Readonly<Record<string, number>>;
  };
}

export interface FlowsModel {
  readonly kind: 'given' | 'discovered';
  readonly flows: readonly FlowShare[];
  /** Requests per endpoint that the flows do not explain (positive) or explain too many of (negative). */
  readonly residuals: readonly { readonly endpoint: string; readonly requests: number; readonly residual: number }[];
  /** Share of sessions that fit no flow exactly; of discovered flows, of those in OTHERS. */
  readonly unexplained: number;
  /** Share of all sessions that no flow speaks for: those of addresses that hold many users. */
  readonly leftOut?: number;
  /** Mean over the sessions of all flows, by their shares. */
  readonly requestsPerSession?: number;
  /** Law of the think times of discovered flows at steps that are too rare for one of their own. */
  readonly rareThinkTimes?: { readonly n: number; readonly law: ThinkTimeLaw };
  readonly warnings: readonly string[];
  /** Why request counts tell no shares. */
  readonly refused?: string;
}

/** When more than this share of the requests is left over, the flows are not what the users did. */
const MOST_LEFT_OVER = 0.1;

/** @param requests counted requests per endpoint name */
export function givenFlows(
  flows: readonly KnownFlow[],
  requests: ReadonlyMap<string, number>,
  sequences: readonly RouteSequence[],
  nameOf: (route: number) => string,
): FlowsModel {
  const endpoints = [...new Set(flows.flatMap((flow) => Object.keys(flow.requests)))];
  const counts = endpoints.map((endpoint) => requests.get(endpoint) ?? 0);
  // Counts spread by their square root, so rows are weighted by its inverse.
  const weight = counts.map((n) => 1 / Math.sqrt(Math.max(1, n)));
  const matrix = endpoints.map((endpoint, r) =>
    flows.map((flow) => (flow.requests[endpoint] ?? 0) * (weight[r] as number)),
  );
  const solution = nnls(
    matrix,
    counts.map((n, r) => n * (weight[r] as number)),
  );
  const total = solution.x.reduce((sum, x) => sum + x, 0);
  const warnings: string[] = [];
  if (solution.separation < 1e-6)
    warnings.push('the flows send so much alike that their shares cannot be told apart from request counts');
  const asked = counts.reduce((sum, n) => sum + n, 0);
  const leftOver = solution.residual.reduce((sum, r, i) => sum + Math.abs(r / (weight[i] as number)), 0);
  const refused =
    asked > 0 && leftOver > MOST_LEFT_OVER * asked
      ? `the flows do not explain the request counts: ${percent(leftOver / asked, 0)} of the requests are left over or missing; look for lines that a cache in front or another log has, or for users of another kind`
      : undefined;
  const exact = flows.map(() => 0);
  let sessions = 0;
  for (const sequence of sequences) {
    sessions += sequence.n;
    if (sequence.cut) continue;
    const sent = countSteps(sequence.steps.map(nameOf));
    const match = flows.findIndex((flow) => sameCounts(flow.requests, sent));
    if (match >= 0) exact[match] = (exact[match] as number) + sequence.n;
  }
  const matched = exact.reduce((sum, n) => sum + n, 0);
  if (refused !== undefined) warnings.push(`no shares of flows: ${refused}`);
  else if (sessions > 0 && matched < 0.9 * sessions) {
    warnings.push(
      `${percent(1 - matched / sessions, 0)} of the sessions send something else than one of the flows; the shares rest on request counts alone`,
    );
  }
  return {
    kind: 'given',
    ...(refused === undefined ? {} : { refused }),
    flows: (refused === undefined ? flows : []).map((flow, i) => {
      const x = solution.x[i] as number;
      return {
        name: flow.name,
        share: total > 0 ? x / total : 0,
        interval: wilson(x, total),
        sessions: Math.round(x),
        exact: exact[i] as number,
        steps: stepsOf(flow),
      };
    }),
    residuals: endpoints.map((endpoint, r) => ({
      endpoint,
      requests: counts[r] as number,
      residual: Math.round((solution.residual[r] as number) / (weight[r] as number)),
    })),
    unexplained: sessions > 0 ? 1 - matched / sessions : 0,
    warnings,
  };
}

/** The endpoints that a session of a flow asks for, as often as it does. */
export function stepsOf(flow: KnownFlow): string[] {
  return Object.entries(flow.requests).flatMap(([endpoint, n]) => new Array<string>(n).fill(endpoint));
}

function countSteps(names: readonly string[]): Record<string, number> {
  const sent: Record<string, number> = {};
  for (const name of names) sent[name] = (sent[name] ?? 0) + 1;
  return sent;
}

function sameCounts(a: Readonly<Record<string, number>>, b: Readonly<Record<string, number>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
