/** What the server saw: answers by endpoint and status, connections, delay of the event loop. */
import type { Server } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { ENDPOINTS } from '../scenarios/bookstore/endpoints.ts';
import { CLIENT_CLOSED } from './access-log.ts';
import { endpointOf } from './faults/hook.ts';
import { whenOver } from './when-over.ts';

export interface Counters {
  /** Answers per endpoint name and status; requests that no endpoint is for stand under `other`. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Requests that have come and are not answered yet: the concurrency that Little's law speaks of. */
  underWay(): number;
  connections(): { readonly open: number; readonly accepted: number };
  /** How late the event loop's timers were since the last look, milliseconds. */
  eventLoopDelay(): { readonly mean: number; readonly p50: number; readonly p99: number; readonly max: number };
  stop(): void;
}

/** Interval at which the event loop's delay is sampled. */
const SAMPLE_MS = 10;

export function countRequests(app: FastifyInstance): Counters {
  const answers: Record<string, Record<string, number>> = {};
  let underWay = 0;
  app.addHook('onRequest', (request, reply, done) => {
    underWay++;
    const endpoint = endpointOf(request);
    const name = endpoint === undefined ? 'other' : ENDPOINTS[endpoint].name;
    whenOver(request.raw, reply.raw, () => {
      underWay--;
      const status = reply.raw.writableFinished ? reply.raw.statusCode : CLIENT_CLOSED;
      answers[name] ??= {};
      const byStatus = answers[name];
      byStatus[status] = (byStatus[status] ?? 0) + 1;
    });
    done();
  });

  const server: Server = app.server;
  let accepted = 0;
  let open = 0;
  server.on('connection', (socket) => {
    accepted++;
    open++;
    socket.once('close', () => {
      open--;
    });
  });

  const histogram = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  histogram.enable();
  return {
    answers,
    underWay: () => underWay,
    connections: () => ({ open, accepted }),
    eventLoopDelay: () => {
      // Node records the whole interval between two samples; what is beyond the interval asked for is the delay.
      const ms = (nanoseconds: number): number =>
        Number.isFinite(nanoseconds) ? Math.max(0, Math.round((nanoseconds / 1e6 - SAMPLE_MS) * 100) / 100) : 0;
      const delay = {
        mean: ms(histogram.mean),
        p50: ms(histogram.percentile(50)),
        p99: ms(histogram.percentile(99)),
        max: ms(histogram.max),
      };
      histogram.reset();
      return delay;
    },
    stop: () => histogram.disable(),
  };
}
