/** From what the arrival rate is taken: session starts, or request counts where sessions are not told apart; or why it is not. */
import { percent } from '../../../lib/model/figures.ts';
import type { SessionResult } from '../pass/sessionizer.ts';
import { type ArrivalsModel, arrivalsByRequests, arrivalsModel, RATE_MINIMUM } from './arrivals-model.ts';
import type { FlowsModel } from './flows-model.ts';
import type { ToldApart } from './told-apart.ts';

export type Arrivals = ArrivalsModel | { readonly refused: string };

/** Above this share of requests from addresses that hold many users, the other sessions do not stand for them. */
const MOST_UNTOLD = 0.5;
/** With more than this share of sessions that fit no flow, sessions by address are held against the request counts. */
const MUCH_UNEXPLAINED = 0.1;
/** With session ids in this share of the requests, sessions are counted. */
const NAMED = 0.5;

/** @param requests that count */
export function arrivalsOf(
  sessions: SessionResult,
  flows: FlowsModel,
  apart: ToldApart,
  requests: number,
  compress = 1,
): Arrivals {
  const { series, firstRequest: first, lastRequest: last } = sessions;
  const { told, untold, untoldShare, namedShare } = apart;
  const hidden = untoldShare > MOST_UNTOLD;
  const needed = flows.flows.reduce((sum, flow) => sum + flow.sessions, 0);
  const usable = flows.kind === 'given' && flows.refused === undefined && needed >= RATE_MINIMUM.sessions;
  const apartBy = Math.abs(needed / Math.max(1, sessions.sessions) - 1);
  const doubtful = namedShare < NAMED && flows.unexplained > MUCH_UNEXPLAINED && apartBy > 0.1;
  if (usable && (hidden || doubtful)) {
    const model = arrivalsByRequests(series, needed, requests, { first, last }, compress);
    if (model !== undefined) return model;
  }
  if (hidden) {
    const why = flows.kind === 'given' ? (flows.refused ?? 'too few requests') : 'the flows are not known beforehand';
    return {
      refused: `${percent(untoldShare, 0)} of the requests come from addresses that hold many users, and request counts do not tell the sessions either (${why}); log a session id`,
    };
  }
  const scale = untold.sessions === 0 ? 1 : withUntold(apart) / Math.max(1, sessions.sessions);
  const model = arrivalsModel(series, { scale, told: Math.min(series.starts, told.sessions), compress });
  if (model !== undefined) return model;
  const seconds = Number.isNaN(series.first) ? 0 : (series.last - series.first) / 1000;
  return {
    refused: `${told.sessions} sessions that began within ${seconds.toFixed(seconds < 10 ? 1 : 0)} s; a rate takes ${RATE_MINIMUM.sessions} sessions that begin over ${RATE_MINIMUM.seconds} s or more`,
  };
}

/** As many sessions as the requests make when those that are not told apart make sessions like the others. */
export function withUntold({ told, untold }: ToldApart): number {
  return told.requests === 0 ? 0 : (told.sessions * (told.requests + untold.requests)) / told.requests;
}
