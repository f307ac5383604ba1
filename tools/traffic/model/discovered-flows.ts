/** Flows found in a log: sessions that ask for the same set of endpoints are one flow, and all that is left is one more. */
import { percent } from '../../../lib/model/figures.ts';
import { wilson } from '../fit/intervals.ts';
import type { ClusterGaps, SessionEnds } from '../pass/cluster-gaps.ts';
import type { RouteSequence } from '../pass/route-sequences.ts';
import type { Transition } from '../pass/transitions.ts';
import {
  addCounts,
  addPair,
  addSteps,
  type ChainCounts,
  type Forms,
  formsOf,
  noCounts,
  requestsOf,
  sumOf,
  unseenCounts,
} from './flow-forms.ts';
import type { FlowShare, FlowsModel, SentByFlow } from './flows-model.ts';
import { lawOfRare, type ThinkTiming, thinkTimeModels, unlikeAll } from './think-model.ts';

/** Flows kept as such, besides OTHERS, and the share of the sessions that makes one. */
const MAX_FLOWS = 20;
const LEAST_SHARE = 0.01;
/** The flow of the sessions that belong to none. */
export const OTHERS = 'others';

export interface DiscoveredInput {
  readonly sequences: readonly RouteSequence[];
  readonly sequencesLost: number;
  readonly transitions: readonly Transition[];
  readonly ends?: SessionEnds;
  readonly clusterGaps: readonly ClusterGaps[];
  /** All sessions and requests of the log, and the sessions of addresses that hold many users. */
  readonly sessions: number;
  readonly requests: number;
  readonly sharedSessions: number;
}

/**
 * Each set of endpoints that LEAST_SHARE of the sessions ask for is a flow, MAX_FLOWS at most. The other sessions, and those
 * with more requests than are kept in order, are the flow OTHERS, so that the flows together send what the log did.
 */
export function discoveredFlows(input: DiscoveredInput, timing: ThinkTiming): FlowsModel {
  const { sequences, sequencesLost } = input;
  const { nameOf } = timing;
  const total = sequences.reduce((sum, sequence) => sum + sequence.n, 0) + sequencesLost;
  const whole = sequences.filter((sequence) => !sequence.cut && sequence.steps.length > 0);
  const clusters = clustersOf(whole);
  const kept = clusters.slice(0, MAX_FLOWS).filter((cluster) => cluster.sessions >= LEAST_SHARE * total);
  const flows = kept.map((cluster, i): FlowShare => {
    const sent = sentBy(formsOf(cluster.sequences, cluster.sessions), noCounts(), nameOf);
    const thinkTimes = thinkTimesOf(cluster.sequences, input, timing);
    return flowShare(`flow${i + 1}`, cluster.sessions, total, sent, thinkTimes);
  });
  const covered = kept.reduce((sum, cluster) => sum + cluster.sessions, 0);
  const unseen = unseenOf(input, whole);
  const rare = clusters.slice(kept.length).flatMap((cluster) => cluster.sequences);
  rare.sort((a, b) => b.n - a.n);
  const others = sentBy(formsOf(rare, total - covered), unseen, nameOf);
  const otherSessions = Math.round(rare.reduce((sum, sequence) => sum + sequence.n, 0) + sumOf(unseen.starts));
  if (otherSessions > 0) flows.push(flowShare(OTHERS, otherSessions, total, others));
  const unexplained = total > 0 ? 1 - covered / total : 0;
  const leftOut = input.sessions > 0 ? input.sharedSessions / input.sessions : 0;
  const shares = flows.reduce((sum, flow) => sum + flow.share, 0);
  const sum = flows.reduce((all, flow) => all + flow.share * (flow.sent?.requestsPerSession ?? 0), 0);
  const requestsPerSession = shares > 0 ? sum / shares : 0;
  const rareLaw = lawOfRare(input.transitions, timing);
  return {
    kind: 'discovered',
    flows,
    residuals: [],
    unexplained,
    leftOut,
    requestsPerSession,
    ...(rareLaw === undefined ? {} : { rareThinkTimes: rareLaw }),
    warnings: warningsOf({ unexplained, leftOut, lost: 1 - shares, requestsPerSession }, input, kept.length),
  };
}

interface Cluster {
  sessions: number;
  /** The most frequent first. */
  readonly sequences: RouteSequence[];
}

function clustersOf(sequences: readonly RouteSequence[]): Cluster[] {
  const clusters = new Map<string, Cluster>();
  for (const sequence of sequences) {
    const key = setOf(sequence.steps).join();
    const cluster = clusters.get(key) ?? { sessions: 0, sequences: [] };
    clusters.set(key, cluster);
    cluster.sessions += sequence.n;
    cluster.sequences.push(sequence);
  }
  return [...clusters.values()].sort((a, b) => b.sessions - a.sessions);
}

function setOf(steps: readonly number[]): number[] {
  return [...new Set(steps)].sort((a, b) => a - b);
}

/** Sessions whose steps are not in the sequences. */
function unseenOf({ transitions, ends }: DiscoveredInput, whole: readonly RouteSequence[]): ChainCounts {
  if (ends === undefined) return noCounts();
  const known = noCounts();
  for (const { steps, n } of whole) addSteps(known, steps, n);
  const sessions = ends.sessions - sumOf(known.ends);
  if (sessions <= 0) return noCounts();
  const all: ChainCounts = { starts: new Map(), ends: new Map(ends.ends), pairs: new Map() };
  for (const { from, to, gaps } of transitions) addPair(all, from, to, gaps.n);
  return unseenCounts({ all, known, sessions, requests: ends.requests - requestsOf(known) });
}

function sentBy({ forms, others }: Forms, unseen: ChainCounts, nameOf: (route: number) => string): SentByFlow {
  const counts = noCounts();
  for (const { steps, n } of others) addSteps(counts, steps, n);
  addCounts(counts, unseen);
  const inChain = sumOf(counts.starts);
  const inForms = forms.reduce((sum, form) => sum + form.sessions, 0);
  const requests = requestsOf(counts) + forms.reduce((sum, form) => sum + form.sessions * form.steps.length, 0);
  const named = (table: ReadonlyMap<number, number>): Record<string, number> => {
    const found: Record<string, number> = {};
    for (const [route, n] of table) found[nameOf(route)] = rounded((found[nameOf(route)] ?? 0) + n);
    return found;
  };
  return {
    requestsPerSession: inChain + inForms > 0 ? requests / (inChain + inForms) : 0,
    forms: forms.map(({ steps, sessions }) => ({ steps: steps.map(nameOf), sessions })),
    ...(inChain === 0
      ? {}
      : {
          chain: {
            sessions: Math.round(inChain),
            starts: named(counts.starts),
            pairs: [...counts.pairs].flatMap(([from, row]) =>
              [...row].map(([to, n]) => [nameOf(from), nameOf(to), rounded(n)] as const),
            ),
            ends: named(counts.ends),
          },
        }),
  };
}

function flowShare(
  name: string,
  sessions: number,
  total: number,
  sent: SentByFlow,
  thinkTimes: FlowShare['thinkTimes'] = [],
): FlowShare {
  return {
    name,
    share: sessions / total,
    interval: wilson(sessions, total),
    sessions,
    exact: sent.forms[0]?.sessions ?? 0,
    steps: sent.forms[0]?.steps ?? [],
    sent,
    ...(thinkTimes.length === 0 ? {} : { thinkTimes }),
  };
}

/** Think times of the flow's own sessions where they are not those of all: those would mix flows that share a step. */
function thinkTimesOf(
  sequences: readonly RouteSequence[],
  { clusterGaps, transitions }: DiscoveredInput,
  timing: ThinkTiming,
): FlowShare['thinkTimes'] {
  const key = setOf(sequences[0]?.steps ?? []).join();
  const cluster = clusterGaps.find(({ routes }) => routes.join() === key);
  return cluster === undefined ? [] : thinkTimeModels(unlikeAll(cluster.transitions, transitions), timing);
}

interface Missed {
  readonly unexplained: number;
  readonly leftOut: number;
  /** Share that is in no flow although it belongs there. */
  readonly lost: number;
  readonly requestsPerSession: number;
}

function warningsOf(
  { unexplained, leftOut, lost, requestsPerSession }: Missed,
  { sessions, requests }: DiscoveredInput,
  flows: number,
): string[] {
  const warnings: string[] = [];
  if (unexplained > 0) {
    warnings.push(
      `${percent(unexplained)} of the sessions fit none of the ${flows} flows (a set of endpoints that less than ${percent(LEAST_SHARE)} of the sessions ask for or that is not among the ${MAX_FLOWS} most frequent, or more than 15 requests)${lost > 1e-6 ? '' : `; they are the flow "${OTHERS}"`}`,
    );
  }
  if (lost > 1e-6) {
    warnings.push(
      `${percent(lost)} of the sessions are in no flow, because their steps were not counted: the workload's shares are those among the others`,
    );
  }
  if (leftOut > 0) {
    warnings.push(
      `${percent(leftOut)} of the sessions are left out of the flows, because their addresses hold many users; log a session id to have them`,
    );
  }
  const logged = sessions > 0 ? requests / sessions : 0;
  if (flows > 0 && Math.abs(requestsPerSession - logged) > 0.02 * logged) {
    warnings.push(
      `a session of the flows sends ${requestsPerSession.toFixed(2)} requests on average, one of the log ${logged.toFixed(2)}`,
    );
  }
  return warnings;
}

function rounded(n: number): number {
  return Number(n.toPrecision(9));
}
