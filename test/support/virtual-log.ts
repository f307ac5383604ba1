/** A run of the suite on the virtual clock, as the access log that the modelled bookstore would have written. */

import { header, type LogColumn, type LogRecord, line } from '../../bookstore/access-log.ts';
import { hashSeed } from '../../lib/model/random.ts';
import type { Transport } from '../../tools/engine/http/transport.ts';
import { serverSimulation } from '../../tools/engine/model/model-transport.ts';
import { defaultServerModel, type ServerModel } from '../../tools/engine/model/server-model.ts';
import { runEmbedded } from '../../tools/engine/run.ts';
import { virtualClock } from '../../tools/engine/virtual-clock.ts';
import { servedBookstore } from './served-bookstore.ts';

export interface VirtualRun {
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  readonly books: number;
  readonly model?: ServerModel;
}

export interface VirtualLog {
  readonly exitCode: number;
  /** One record a request, in the order in which requests ended. */
  readonly records: readonly LogRecord[];
}

const START = Date.UTC(2024, 2, 4, 10);

/** Runs the script; each session has an address of its own. The pre-flight's requests, which no session sends, are left out. */
export async function virtualRun({
  script,
  env,
  books,
  model = defaultServerModel(20),
}: VirtualRun): Promise<VirtualLog> {
  const clock = virtualClock(START);
  const records: LogRecord[] = [];
  const simulation = serverSimulation(model, clock, 1, servedBookstore(books));
  const logged = (inner: Transport): Transport => ({
    ...inner,
    ignoresHeaders: false,
    send(request, signal, done) {
      const arrivedAt = clock.now();
      inner.send(request, signal, (result) => {
        const sessionId = headerOf(request.headers, 'x-session-id');
        if (sessionId !== undefined) {
          records.push({
            arrivedAt,
            method: request.method,
            target: request.url.pathname + request.url.search,
            status: result.status,
            timeTakenMs: clock.now() - arrivedAt,
            address: addressOf(sessionId),
            userAgent: headerOf(request.headers, 'user-agent'),
            sessionId,
          });
        }
        return done(result);
      });
    },
  });
  let complaints = '';
  const result = await clock.drive(
    runEmbedded({
      script,
      env: { BASE_URL: 'http://127.0.0.1', SESSION_ID: 'on', ...env },
      noSummary: true,
      stdout: () => undefined,
      stderr: (text) => {
        complaints += text;
      },
      clock,
      newTransport: () => logged(simulation.transport()),
      seed: 1,
    }),
  );
  if (records.length === 0) throw new Error(`nothing was sent: ${complaints}`);
  return { exitCode: result.exitCode, records };
}

/** The records as the bookstore's access log with these columns. */
export function accessLog(records: readonly LogRecord[], columns: readonly LogColumn[]): string {
  return header(columns, new Date(START)) + records.map((record) => line(record, columns)).join('');
}

function headerOf(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** One of 2^24 addresses of the loopback net. */
function addressOf(session: string): string {
  const n = hashSeed(session);
  return `127.${(n >>> 16) & 255}.${(n >>> 8) & 255}.${n & 255}`;
}
