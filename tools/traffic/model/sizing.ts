/** What a system must be ready for: open sessions, item views and orders. */
import type { LogFacts } from '../pass/analyse-log.ts';
import type { Arrivals } from './arrivals-choice.ts';
import type { SessionIdentification } from './session-identification.ts';

export interface Sizing {
  readonly openSessions?: number;
  readonly meanLatencyMs?: number;
  readonly p95LatencyMs?: number;
  readonly itemViewsPerSecond?: number;
  readonly ordersPerHour?: number;
}

/** @param requests counted requests per endpoint name */
export function sizingOf(
  facts: LogFacts,
  arrivals: Exclude<Arrivals, { refused: string }> | undefined,
  { identified }: SessionIdentification,
  requests: ReadonlyMap<string, number>,
): Sizing {
  const { sessions, latencies } = facts.pass;
  const all = latencies.all;
  const seconds = (sessions.lastRequest - sessions.firstRequest) / 1000;
  const perSecond = arrivals === undefined || !(seconds > 0) ? undefined : 1 / seconds;
  const orders = requests.get('POST /api/orders');
  return {
    // Little's law: rate times mean length.
    ...(arrivals === undefined || arrivals.basis === 'requests' || identified.sessions === 0
      ? {}
      : { openSessions: (arrivals.rate * identified.length) / identified.sessions / 1000 }),
    ...(all === undefined ? {} : { meanLatencyMs: all.meanMs, p95LatencyMs: all.quantileMs(0.95) }),
    ...(perSecond === undefined ? {} : { itemViewsPerSecond: sessions.items.views * perSecond }),
    ...(perSecond === undefined || orders === undefined ? {} : { ordersPerHour: orders * perSecond * 3600 }),
  };
}
