/** One request to one server: the seam between the engine and the network, or a model of it. */

import type { Cancellation } from '../cancellation.ts';
import type { Receive } from '../clock.ts';
import type { Target } from './target.ts';

/** Times of one request, ms, with k6's meanings; `duration` is sending + waiting + receiving. */
export interface Timings {
  duration: number;
  blocked: number;
  looking_up: number;
  connecting: number;
  tls_handshaking: number;
  sending: number;
  waiting: number;
  receiving: number;
}

export interface HopRequest {
  readonly method: string;
  readonly url: Target;
  /** The `name` tag: the endpoint. */
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** Time that this hop may take, ms. */
  readonly timeoutMs: number;
  readonly wantBody: boolean;
}

export interface HopResult {
  /** 0 without an answer. */
  readonly status: number;
  readonly statusText: string;
  /** Names in canonical case, values joined as k6 joins them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly setCookies: readonly string[];
  readonly body: Buffer | string | undefined;
  readonly timings: Timings;
  /** `HTTP/1.1`; empty without an answer. */
  readonly proto: string;
  readonly tlsVersion: string;
  readonly remoteIp: string;
  readonly remotePort: number;
  /** k6's words and number; empty and 0 when there was an answer. */
  readonly error: string;
  readonly errorCode: number;
  /** The script is thrown the error whatever it asked for. */
  readonly fatal?: boolean;
}

/** The connections of one VU. */
export interface Transport {
  /** Headers and cookies of requests are not looked at, and need not be made: a model of a server. */
  readonly ignoresHeaders?: boolean;
  /** `done` hears the result, later than now. */
  send(request: HopRequest, cancellation: Cancellation, done: Receive<HopResult>): void;
  /** Bytes on the wire since the last call. */
  takeBytes(): { sent: number; received: number };
  /** Called after every iteration; drops idle connections where the options ask for it. */
  endIteration(): void;
  close(): Promise<void>;
}

export const NO_TIMINGS: Readonly<Timings> = {
  duration: 0,
  blocked: 0,
  looking_up: 0,
  connecting: 0,
  tls_handshaking: 0,
  sending: 0,
  waiting: 0,
  receiving: 0,
};

const NO_HEADERS: HopResult['headers'] = {};

/** The result of a request that got no answer. */
export function noAnswer(error: string, errorCode: number, timings: Timings = { ...NO_TIMINGS }): HopResult {
  return {
    status: 0,
    statusText: '',
    headers: NO_HEADERS,
    setCookies: [],
    body: undefined,
    timings,
    proto: '',
    tlsVersion: '',
    remoteIp: '',
    remotePort: 0,
    error,
    errorCode,
  };
}
