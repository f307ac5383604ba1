/**
 * Which sessions by address and agent are those of one user, and which are the requests of many behind one address: some such
 * addresses show it by requests that overlap or come too fast (the pass marks them), others only by sessions far longer than
 * all others, or by requests that follow each other as no flow sends them.
 */
import { percent } from '../../../lib/model/figures.ts';
import { type Amount, NO_SESSIONS, sumOf } from '../pass/outliers.ts';
import type { SessionResult } from '../pass/sessionizer.ts';
import type { Transition } from '../pass/transitions.ts';
import type { KnownFlow } from './flow-shapes.ts';
import { stepsOf } from './flows-model.ts';

export interface SessionIdentification {
  /** Sessions of one user each. */
  readonly identified: Amount;
  /** The others, and their share of the requests. */
  readonly unidentified: Amount;
  readonly unidentifiedShare: number;
  /** Those of the others that no overlap shows: found by their length, or because their requests are mixed up. */
  readonly inferred: Amount & { readonly why: 'none' | 'longer' | 'mixed' };
  /** Share of the requests whose session a session id names. */
  readonly namedShare: number;
  /** Gaps that are one user's. */
  readonly transitions: readonly Transition[];
}

/** So many gaps say whether requests are mixed up. */
const LEAST_GAPS = 100;
/** Steps that no flow takes: of one user's, some when lines are missing; of two users' that take turns, more than this. */
const MIXED = 0.05;

/** @param flows that the log is explained by, `undefined` when they are found in it */
export function identifySessions(
  sessions: SessionResult,
  flows: readonly KnownFlow[] | undefined,
  nameOf: (route: number) => string,
): SessionIdentification {
  const { long, outliers, shared, byId } = sessions;
  const requests = Math.max(1, sessions.requests);
  const mixed = flows !== undefined && isMixed(sessions, flows, nameOf);
  const inferred = mixed
    ? { ...long, why: 'mixed' as const }
    : outliers.sessions > 0
      ? { ...outliers, why: 'longer' as const }
      : { ...NO_SESSIONS, why: 'none' as const };
  const unidentified = sumOf([shared, inferred]);
  const dropLong = mixed || outliers.requests > 0.5 * long.requests;
  return {
    identified: {
      sessions: Math.max(0, sessions.sessions - unidentified.sessions),
      requests: Math.max(0, sessions.requests - unidentified.requests),
      length: Math.max(0, sessions.totalLength - unidentified.length),
    },
    unidentified,
    unidentifiedShare: unidentified.requests / requests,
    inferred,
    namedShare: byId.requests / requests,
    transitions: dropLong ? sessions.shortTransitions : sessions.transitions,
  };
}

/** Whether long sessions take steps that no flow and no next flow takes, much more often than short ones do. */
function isMixed(
  { shortTransitions, longTransitions }: SessionResult,
  flows: readonly KnownFlow[],
  nameOf: (route: number) => string,
): boolean {
  const steps = flows.map(stepsOf);
  const known = new Set(steps.flat());
  const possible = new Set<string>();
  for (const flow of steps) for (let i = 1; i < flow.length; i++) possible.add(`${flow[i - 1]} > ${flow[i]}`);
  for (const boundary of boundaries(flows)) possible.add(boundary);
  const impossible = (transitions: readonly Transition[]): { share: number; n: number } => {
    let n = 0;
    let other = 0;
    for (const { from, to, gaps } of transitions) {
      // What lies outside of the flows says nothing of their order.
      if (!known.has(nameOf(from)) || !known.has(nameOf(to))) continue;
      n += gaps.n;
      if (!possible.has(`${nameOf(from)} > ${nameOf(to)}`)) other += gaps.n;
    }
    return { share: n > 0 ? other / n : 0, n };
  };
  const inLong = impossible(longTransitions);
  const inShort = impossible(shortTransitions);
  const usual = inShort.n >= LEAST_GAPS ? inShort.share : 0;
  return inLong.n >= LEAST_GAPS && inLong.share > Math.max(MIXED, 2 * usual);
}

/** The steps from the end of a session to the beginning of the next one. */
function boundaries(flows: readonly KnownFlow[]): Set<string> {
  const steps = flows.map(stepsOf);
  return new Set(steps.flatMap((flow) => steps.map((next) => `${flow.at(-1)} > ${next[0]}`)));
}

/**
 * The gaps when one session may follow another without a silence that tells: of steps that also lead from one session to the
 * next only those within sessions that are told apart.
 */
export function withoutSessionBoundaries(
  { transitions }: SessionIdentification,
  { shortTransitions }: SessionResult,
  flows: readonly KnownFlow[],
  nameOf: (route: number) => string,
): Transition[] {
  const boundarySteps = boundaries(flows);
  const isBoundary = ({ from, to }: Transition): boolean => boundarySteps.has(`${nameOf(from)} > ${nameOf(to)}`);
  return [...transitions.filter((one) => !isBoundary(one)), ...shortTransitions.filter(isBoundary)].sort(
    (a, b) => b.gaps.n - a.gaps.n,
  );
}

/** What is to be said of them. */
export function identificationRemarks(
  identification: SessionIdentification,
  byRequests: boolean,
  estimated: number,
): string[] {
  const { inferred, unidentifiedShare, identified } = identification;
  const remarks: string[] = [];
  const amount = `${inferred.sessions} sessions by address with ${inferred.requests} requests`;
  if (inferred.why === 'mixed')
    remarks.push(
      `${amount} take steps that no flow takes: many users share these addresses; their sessions are not told apart and give no think times, log a session id to have them`,
    );
  if (inferred.why === 'longer')
    remarks.push(
      `${amount} are far longer than the others: many users share these addresses, or a machine uses one; they give no think times, log a session id to have them`,
    );
  if (unidentifiedShare > 0.5)
    remarks.push(
      `sessions cannot be told apart: ${percent(unidentifiedShare, 0)} of the requests come from addresses that hold many users`,
    );
  if (!byRequests && estimated > 0 && identified.sessions > 0)
    remarks.push(
      `${percent(unidentifiedShare)} of the requests come from addresses that hold many users; they count as ${estimated} sessions in the arrival rate, as many requests each as the sessions of the other clients (${(identified.requests / identified.sessions).toFixed(2)})`,
    );
  return remarks;
}
