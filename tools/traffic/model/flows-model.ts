/** Session shares of flows: by non-negative least squares from request counts, and by counting sessions of each shape. */
import { wilson } from '../fit/intervals.ts';
import { nnls } from '../fit/nnls.ts';
import type { Kind } from '../pass/kinds.ts';
import type { Shape } from '../pass/shapes.ts';
import type { Transition } from '../pass/transitions.ts';
import type { KnownFlow } from './flow-shapes.ts';
import { differing, type ThinkTimeModel, type ThinkTiming, thinkTimeModels } from './think-model.ts';

export interface FlowShare {
  readonly name: string;
  readonly share: number;
  /** 95 % interval of the share. */
  readonly interval: readonly [number, number];
  /** Sessions by least squares. */
  readonly sessions: number;
  /** Sessions whose requests are exactly the flow's. */
  readonly exact: number;
  /** Steps of one session, as endpoint names. */
  readonly steps: readonly string[];
  /** Think times within the sessions of a discovered flow, where they are others than those of all sessions. */
  readonly thinkTimes?: readonly ThinkTimeModel[];
}

export interface FlowsModel {
  readonly kind: 'given' | 'discovered';
  readonly flows: readonly FlowShare[];
  /** Requests per endpoint that the flows do not explain (positive) or explain too many of (negative). */
  readonly residuals: readonly { readonly endpoint: string; readonly requests: number; readonly residual: number }[];
  /** Share of sessions that fit no flow exactly. */
  readonly unexplained: number;
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
  shapes: readonly Shape[],
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
      ? `the flows do not explain the request counts: ${Math.round((100 * leftOver) / asked)} % of the requests are left over or missing; look for lines that a cache in front or another log has, or for users of another kind`
      : undefined;
  const exact = flows.map(() => 0);
  let sessions = 0;
  for (const shape of shapes) {
    sessions += shape.n;
    if (shape.cut) continue;
    const sent = countSteps(shape.steps.map(nameOf));
    const match = flows.findIndex((flow) => sameCounts(flow.requests, sent));
    if (match >= 0) exact[match] = (exact[match] as number) + shape.n;
  }
  const matched = exact.reduce((sum, n) => sum + n, 0);
  if (refused !== undefined) warnings.push(`no shares of flows: ${refused}`);
  else if (sessions > 0 && matched < 0.9 * sessions) {
    warnings.push(
      `${Math.round(100 * (1 - matched / sessions))} % of the sessions send something else than one of the flows; the shares rest on request counts alone`,
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

function stepsOf(flow: KnownFlow): string[] {
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

/** Clusters kept as flows of their own. */
const MAX_FLOWS = 6;

/**
 * Flows found in the log: sessions that ask for the same set of endpoints are one cluster; its most frequent sequence is the
 * flow. Clusters below 1 % of the sessions are left out and stated.
 */
export function discoveredFlows(shapes: readonly Shape[], nameOf: (route: number) => string): FlowsModel {
  const clusters = new Map<string, { n: number; best: Shape }>();
  let sessions = 0;
  for (const shape of shapes) {
    sessions += shape.n;
    if (shape.cut || shape.steps.length === 0) continue;
    const key = [...new Set(shape.steps)].sort((a, b) => a - b).join();
    const cluster = clusters.get(key);
    if (cluster === undefined) clusters.set(key, { n: shape.n, best: shape });
    else {
      cluster.n += shape.n;
      if (shape.n > cluster.best.n) cluster.best = shape;
    }
  }
  const kept = [...clusters.values()]
    .sort((a, b) => b.n - a.n)
    .slice(0, MAX_FLOWS)
    .filter((cluster) => cluster.n >= 0.01 * sessions);
  const total = kept.reduce((sum, cluster) => sum + cluster.n, 0);
  return {
    kind: 'discovered',
    flows: kept.map((cluster, i) => ({
      name: `flow${i + 1}`,
      share: cluster.n / total,
      interval: wilson(cluster.n, total),
      sessions: cluster.n,
      exact: cluster.best.n,
      steps: cluster.best.steps.map(nameOf),
    })),
    residuals: [],
    unexplained: sessions > 0 ? 1 - total / sessions : 0,
    warnings:
      sessions > 0 && total < 0.8 * sessions
        ? [
            `${Math.round(100 * (1 - total / sessions))} % of the sessions belong to rare or very long kinds that are not among these flows`,
          ]
        : [],
  };
}

/**
 * Discovered flows with the think times of their own sessions where these differ from those of all sessions (`all`), which
 * would mix flows that share a step.
 */
export function withThinkTimes(
  flows: FlowsModel,
  kinds: readonly Kind[],
  all: readonly Transition[],
  timing: ThinkTiming,
): FlowsModel {
  const keyOf = (names: Iterable<string>): string => [...new Set(names)].sort().join(' ');
  const byKey = new Map(kinds.map((kind) => [keyOf(kind.routes.map(timing.nameOf)), kind]));
  return {
    ...flows,
    flows: flows.flows.map((flow) => {
      const kind = byKey.get(keyOf(flow.steps));
      return kind === undefined
        ? flow
        : { ...flow, thinkTimes: thinkTimeModels(differing(kind.transitions, all), timing) };
    }),
  };
}
