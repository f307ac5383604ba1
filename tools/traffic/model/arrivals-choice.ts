/** From what the arrival rate is taken: session starts, or request counts where sessions are not told apart; or why it is not. */
import { percent } from '../../../lib/model/figures.ts';
import type { SessionResult } from '../pass/sessionizer.ts';
import { type ArrivalsModel, arrivalsByRequests, arrivalsModel, RATE_MINIMUM } from './arrivals-model.ts';
import type { FlowsModel } from './flows-model.ts';
import type { SessionIdentification } from './session-identification.ts';

export type Arrivals = ArrivalsModel | { readonly refused: string };

/** Above this share of requests from addresses that hold many users, the other sessions do not stand for them. */
const MOST_UNIDENTIFIED = 0.5;
/** With more than this share of sessions that fit no flow, sessions by address are held against the request counts. */
const MUCH_UNEXPLAINED = 0.1;
/** With session ids in this share of the requests, sessions are counted. */
const NAMED = 0.5;

/** @param requests that count */
export function arrivalsOf(
  sessions: SessionResult,
  flows: FlowsModel,
  identification: SessionIdentification,
  requests: number,
  compress = 1,
): Arrivals {
  const { series, firstRequest: first, lastRequest: last } = sessions;
  const { identified, unidentified, unidentifiedShare, namedShare } = identification;
  const hidden = unidentifiedShare > MOST_UNIDENTIFIED;
  const needed = flows.flows.reduce((sum, flow) => sum + flow.sessions, 0);
  const usable = flows.kind === 'given' && flows.refused === undefined && needed >= RATE_MINIMUM.sessions;
  const excess = Math.abs(needed / Math.max(1, sessions.sessions) - 1);
  const doubtful = namedShare < NAMED && flows.unexplained > MUCH_UNEXPLAINED && excess > 0.1;
  if (usable && (hidden || doubtful)) {
    const model = arrivalsByRequests(series, needed, requests, { first, last }, compress);
    if (model !== undefined) return model;
  }
  if (hidden) {
    const why = flows.kind === 'given' ? (flows.refused ?? 'too few requests') : 'the flows are not known beforehand';
    return {
      refused: `${percent(unidentifiedShare, 0)} of the requests come from addresses that hold many users, and request counts do not tell the sessions either (${why}); log a session id`,
    };
  }
  const scale = unidentified.sessions === 0 ? 1 : withUnidentified(identification) / Math.max(1, sessions.sessions);
  const model = arrivalsModel(series, { scale, identified: Math.min(series.starts, identified.sessions), compress });
  if (model !== undefined) return model;
  const seconds = Number.isNaN(series.first) ? 0 : (series.last - series.first) / 1000;
  return {
    refused: `${identified.sessions} sessions that began within ${seconds.toFixed(seconds < 10 ? 1 : 0)} s; a rate takes ${RATE_MINIMUM.sessions} sessions that begin over ${RATE_MINIMUM.seconds} s or more`,
  };
}

/** As many sessions as the requests make when those that are not told apart make sessions like the others. */
export function withUnidentified({ identified, unidentified }: SessionIdentification): number {
  return identified.requests === 0
    ? 0
    : (identified.sessions * (identified.requests + unidentified.requests)) / identified.requests;
}
