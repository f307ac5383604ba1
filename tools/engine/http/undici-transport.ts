/** The network: undici, one pool of connections a VU, with k6's split of the time that a request takes. */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { blockOf, type Destinations, destinationOf } from './destinations.ts';
import { decoded } from './encodings.ts';
import { networkError, TIMEOUT } from './errors.ts';
import { canonical } from './headers.ts';
import { type HopRequest, type HopResult, NO_TIMINGS, noAnswer, type Timings, type Transport } from './transport.ts';
import { clientHeaders, clientPath, headerFault, writeAsGo } from './wire.ts';

export interface UndiciOptions {
  readonly insecureSkipTLSVerify: boolean;
  /** A new connection for every request. */
  readonly noConnectionReuse: boolean;
  /** A new connection for every iteration. */
  readonly noVUConnectionReuse: boolean;
  readonly destinations: Destinations;
  /** Hears how long each answer took, ms, when it is there. */
  readonly onAnswer: (duration: number) => void;
}

/** Methods that may be sent twice. */
const RETRIED: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

interface Connecting {
  readonly connecting: number;
  readonly handshaking: number;
  readonly socket: Socket;
}

export function undiciTransport(given: () => UndiciOptions): Transport {
  const sockets = new Set<Socket>();
  /** Sockets opened since a request last asked: a request that finds one here had to wait for it. */
  let opened: Connecting[] = [];
  let sent = 0;
  let received = 0;
  let lastSocket: Socket | undefined;

  let connector: buildConnector.connector | undefined;
  const connect: buildConnector.connector = (target, callback) => {
    const start = performance.now();
    let connectedAt = start;
    const { insecureSkipTLSVerify, destinations } = given();
    connector ??= buildConnector({ rejectUnauthorized: !insecureSkipTLSVerify, timeout: 0 });
    const to = destinationOf(
      destinations,
      target.hostname,
      target.port || (target.protocol === 'https:' ? '443' : '80'),
    );
    const place = to === undefined ? target : { ...target, ...to, servername: target.servername ?? target.hostname };
    const result = connector(place, (error, socket) => {
      if (error !== null) {
        callback(error, null);
        return;
      }
      const end = performance.now();
      const isTls = 'encrypted' in socket;
      opened.push({
        connecting: (isTls ? connectedAt : end) - start,
        handshaking: isTls ? end - connectedAt : 0,
        socket,
      });
      track(socket);
      writeAsGo(socket);
      callback(null, socket);
    }) as unknown as Socket | undefined;
    result?.once?.('connect', () => {
      connectedAt = performance.now();
    });
  };
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      count(socket);
      sockets.delete(socket);
    });
  };
  const counted = new WeakMap<Socket, { sent: number; received: number }>();
  const count = (socket: Socket) => {
    const before = counted.get(socket) ?? { sent: 0, received: 0 };
    const now = { sent: socket.bytesWritten, received: socket.bytesRead };
    sent += Math.max(0, now.sent - before.sent);
    received += Math.max(0, now.received - before.received);
    counted.set(socket, now);
  };

  const newAgent = () => new Agent({ connect, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });
  let agent = newAgent();
  const renew = () => {
    void agent.close();
    agent = newAgent();
  };

  return {
    send(request, cancellation, done) {
      const fault = headerFault(request.headers);
      if (fault !== undefined) {
        setImmediate(() => done(noAnswer(fault, 1000)));
        return;
      }
      const options = given();
      const block = blockOf(options.destinations, request.url.hostname);
      if (block !== undefined) {
        setImmediate(() => done(noAnswer(block, 1111)));
        return;
      }
      const headers = clientHeaders(request.headers);
      const asksToClose = request.headers['Connection']?.toLowerCase() === 'close';
      const timings: Timings = { ...NO_TIMINGS };
      const start = performance.now();
      let sendingAt = Number.NaN;
      let waitingAt = Number.NaN;
      let receivingAt = Number.NaN;
      let settled = false;
      let reused = false;
      let retried = false;
      let controller: Dispatcher.DispatchController | undefined;
      let status = 0;
      let head: { headers: Record<string, string | string[]>; text: string } = {
        headers: {},
        text: '',
      };
      const chunks: Buffer[] = [];

      const takeConnection = () => {
        const fresh = opened.shift();
        reused = fresh === undefined;
        if (fresh === undefined) return;
        timings.connecting = fresh.connecting;
        timings.tls_handshaking = fresh.handshaking;
        lastSocket = fresh.socket;
      };
      const finishTimings = () => {
        const end = performance.now();
        if (Number.isNaN(sendingAt)) return;
        timings.blocked = Math.max(0, sendingAt - start);
        timings.sending = Math.max(0, (Number.isNaN(waitingAt) ? end : waitingAt) - sendingAt);
        if (!Number.isNaN(waitingAt)) {
          timings.waiting = Math.max(0, (Number.isNaN(receivingAt) ? end : receivingAt) - waitingAt);
        }
        if (!Number.isNaN(receivingAt)) timings.receiving = Math.max(0, end - receivingAt);
        timings.duration = timings.sending + timings.waiting + timings.receiving;
      };
      const settle = (result: () => HopResult) => {
        if (settled) return;
        settled = true;
        clearTimeout(timer);
        cancellation.offAbort(onAbort);
        finishTimings();
        done(result());
      };
      const cut = (failure: { error: string; errorCode: number; fatal?: boolean }) => {
        settle(() => ({
          ...noAnswer(failure.error, failure.errorCode, timings),
          ...(failure.fatal === true && { fatal: true }),
          ...(chunks.length > 0 && request.wantBody ? { body: Buffer.concat(chunks) } : {}),
        }));
        controller?.abort(new Error(failure.error));
      };
      const onAbort = () => cut({ error: 'context canceled', errorCode: 1000 });
      const timer = setTimeout(() => cut(TIMEOUT), Math.max(0, request.timeoutMs));
      cancellation.onAbort(onAbort);

      const dispatch = () =>
        agent.dispatch(
          {
            origin: request.url.origin,
            path: clientPath(request.url.pathname + request.url.search),
            method: request.method as Dispatcher.HttpMethod,
            headers,
            body: request.body ?? null,
            reset: options.noConnectionReuse || asksToClose,
          },
          {
            onRequestStart(begun) {
              controller = begun;
              if (settled) {
                begun.abort(new Error('too late'));
                return;
              }
              sendingAt = performance.now();
              takeConnection();
              // undici writes head and body in the same turn of the event loop; what follows is waiting.
              queueMicrotask(() => {
                waitingAt = performance.now();
              });
            },
            onResponseStart(_, code, headers, text) {
              receivingAt = performance.now();
              status = code;
              head = { headers: headers as Record<string, string | string[]>, text: text ?? '' };
            },
            onResponseData(_, chunk) {
              if (request.wantBody) chunks.push(chunk);
            },
            onResponseEnd() {
              settle(() => {
                options.onAnswer(timings.duration);
                return answer(request, status, head.text, head.headers, chunks, timings, lastSocket);
              });
            },
            onResponseError(_, error) {
              // As Go's client does: an idle connection that the server has just closed is no failure of the request.
              if (reused && !retried && Number.isNaN(receivingAt) && !settled && RETRIED.has(request.method)) {
                retried = true;
                dispatch();
              } else cut(networkError(error));
            },
          },
        );
      // Nothing that a script asks for may be thrown out of here: whoever waits would wait for ever.
      try {
        dispatch();
      } catch (error) {
        setImmediate(() => cut(networkError(error)));
      }
    },
    takeBytes() {
      for (const socket of sockets) count(socket);
      const bytes = { sent, received };
      sent = 0;
      received = 0;
      opened = [];
      return bytes;
    },
    endIteration() {
      if (given().noVUConnectionReuse) renew();
    },
    async close() {
      await agent.destroy();
    },
  };
}

function answer(
  request: HopRequest,
  status: number,
  text: string,
  raw: Readonly<Record<string, string | string[]>>,
  chunks: readonly Buffer[],
  timings: Timings,
  socket: Socket | undefined,
): HopResult {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    headers[canonical(name)] = Array.isArray(value) ? value.join(', ') : value;
  }
  // Go's client keeps these to itself.
  delete headers['Transfer-Encoding'];
  delete headers['Trailer'];
  if (headers['Connection']?.toLowerCase() === 'close') delete headers['Connection'];
  const cookies = raw['set-cookie'];
  const hasBody = request.wantBody && status !== 204 && status !== 304;
  let body: Buffer | undefined;
  try {
    if (hasBody) body = decoded(Buffer.concat(chunks), headers['Content-Encoding']);
  } catch (error) {
    return noAnswer((error as Error).message, 1701, timings);
  }
  return {
    status,
    statusText: text === '' ? String(status) : `${status} ${text}`,
    headers,
    setCookies: cookies === undefined ? [] : Array.isArray(cookies) ? cookies : [cookies],
    body,
    timings,
    proto: 'HTTP/1.1',
    tlsVersion: socket !== undefined && 'encrypted' in socket ? tlsVersion(socket as TLSSocket) : '',
    remoteIp: socket?.remoteAddress ?? '',
    remotePort: socket?.remotePort ?? 0,
    error: '',
    errorCode: 0,
  };
}

function tlsVersion(socket: TLSSocket): string {
  const version = socket.getProtocol();
  return version === null
    ? ''
    : version
        .toLowerCase()
        .replace('tlsv', 'tls')
        .replace(/^tls1$/, 'tls1.0');
}
