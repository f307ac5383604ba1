/** What a flow sees of the session that runs it: free of k6, so that Node can run a flow too and count what it sends. */
import type { Endpoint } from '../../scenarios/bookstore/endpoints.ts';
import type { Random } from './random.ts';

/** What came back. One object is used again for every request of a VU: read it before the next one. */
export interface Reply {
  /** HTTP status; 0 when no answer came. */
  status: number;
  /** Body as text when the call reads it and one came. */
  body: string | null;
  /** The id that the request was about, for checks of the answer. */
  about: string;
}

/** One kind of request: its endpoint and what a good answer looks like. */
export interface Call {
  readonly endpoint: Endpoint;
  /** What a good body is, in words: the check is named `endpoint: what`. */
  readonly what?: string;
  /** Whether the reply is that; a failed check never throws. Without it and `unpaid` the body is not read: k6 discards it then. */
  readonly good?: (reply: Reply) => boolean;
  /** Status that says that the test data ran out, which is no fault of the system. */
  readonly exhausted?: number;
  /** Text in the body of an order that was taken and not paid: counted apart, since its answer took another time. */
  readonly unpaid?: string;
  /** A good body, for counting the requests of a flow without a system. */
  readonly example?: string;
}

/**
 * Makes the calls of a steps file, each when a VU first sends it; the function and the key are the call's identity. One
 * function for all of them, because every VU holds each function that stands at the top of a file.
 */
export type CallMaker<Key extends string = string> = (key: Key) => Call;

export interface Visit {
  /** The session's own generator: every random choice of a flow comes from it, in the flow's order. */
  readonly random: Random;
  readonly book: () => string;
  readonly searchTerm: () => string;
  readonly category: () => string;
  /**
   * Sends one request: the call that `calls` makes for `key`.
   * @param path path and query, already encoded
   * @param about id that the answer must be about
   * @param body JSON text
   */
  readonly send: <Key extends string>(
    calls: CallMaker<Key>,
    key: Key,
    path: string,
    about?: string,
    body?: string,
  ) => Reply;
  /** Waits for the think time that the workload gives for `step` (`from->to`), scaled by THINK. */
  readonly think: (step: string) => void;
}

export type Flow = (visit: Visit) => void;
