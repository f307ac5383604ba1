/** Sessions of the workload as requests, to be logged under whatever names them. */
import { syntheticLog } from '../../../tools/lab/traffic/synthetic-log.ts';
import { WORKLOAD } from '../../support/workload-back.ts';

export interface MadeRequest {
  /** ms */
  readonly at: number;
  readonly took: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  readonly session: number;
  /** Number of the request within its session. */
  readonly step: number;
}

/** Twenty sessions a second by a Poisson process. */
export function madeRequests(seconds: number, seed: string): MadeRequest[] {
  const steps = new Map<number, number>();
  return syntheticLog(WORKLOAD, { seconds, seed, format: 'w3c', sessionIds: true })
    .slice(2)
    .map((line) => {
      const [date, time, method = '', path = '', query = '', status, took, id = ''] = line.split(' ');
      return {
        at: Date.parse(`${date}T${time}Z`),
        took: Number(took),
        method,
        path,
        query: query === '-' ? '' : `?${query}`,
        status: Number(status),
        session: Number(id.slice(2)),
      };
    })
    .sort((a, b) => a.at - b.at)
    .map((request) => {
      const step = steps.get(request.session) ?? 0;
      steps.set(request.session, step + 1);
      return { ...request, step };
    });
}

export interface Named {
  readonly id?: string;
  readonly address?: string;
  readonly agent?: string;
}

/** A log of JSON lines in the order in which requests end. */
export function jsonLog(requests: readonly MadeRequest[], nameOf: (request: MadeRequest) => Named): string {
  return [...requests]
    .sort((a, b) => a.at + a.took - b.at - b.took)
    .map((request) => {
      const { id, address = '192.0.2.1', agent = 'Mozilla/5.0' } = nameOf(request);
      return `${JSON.stringify({
        time: new Date(request.at).toISOString(),
        method: request.method,
        uri: `${request.path}${request.query}`,
        status: request.status,
        duration_ms: request.took,
        client_ip: address,
        user_agent: agent,
        ...(id === undefined ? {} : { session_id: id }),
      })}\n`;
    })
    .join('');
}

/** An address for each number. */
export const addressOf = (n: number): string => `198.${18 + ((n >> 16) & 1)}.${(n >> 8) & 255}.${n & 255}`;
