// Types of what k6 gives: a session as the pieces of the library work on it together.
import type { Params, RefinedResponse } from 'k6/http';
import type { Answer, CallOptions, Parameters, PreparedEndpoint } from '../model/flow.ts';
import type { Random } from '../model/random.ts';
import type { ThinkTimeLaw } from '../model/workload.ts';

export type Response = RefinedResponse<'text'>;

/** Sends a request to an endpoint. */
export type Call = (key: string, parameters?: Parameters, options?: CallOptions) => Answer;
/** Measures an answer and checks it. @param counted only measured: the request is sent again after a new login */
export type Judge = (
  endpoint: PreparedEndpoint,
  response: Response,
  parameters: Parameters,
  counted?: boolean,
) => Answer;
/**
 * Sends a request in place of the session's own way.
 * @param again calls the endpoint once more, by the headers and the way that the session then has
 */
export type Send = (
  endpoint: PreparedEndpoint,
  url: string,
  body: unknown,
  params: Params,
  parameters: Parameters,
  again: () => Answer,
) => Answer;
/** Sends a header with every request from here on; without a value no more. Without a name a session begins with the suite's own. */
export type SetHeader = (name?: string, value?: string) => void;

/** A session as the pieces of the library see it: what flows see, and how they work together. */
export interface OpenSession {
  random: Random;
  call: Call;
  judge: Judge;
  /** Origin of the system under test, with its path prefix, without a slash at the end. */
  baseUrl: string;
  pick: (pool: string) => unknown;
  /** Waits for the think time of a step, or for one of this law. */
  think: (step: string | ThinkTimeLaw) => void;
  header: SetHeader;
  variables: Record<string, unknown>;
  shared: unknown;
  tags: Record<string, string>;
  /** Endpoint of the latest answer, with its status. */
  latest?: PreparedEndpoint | undefined;
  /** Another way to send; set by a page while it collects, and by a session that logs in. */
  send?: Send | undefined;
  /** Logs in again; set by a session that logs in. */
  renew?: (() => void) | undefined;
  /** Requests of a page, which are not sent one by one. */
  collected?: Collected[] | undefined;
  /** The flow is only counted: nothing is sent and no sample taken. */
  recording?: boolean;
  /** Runs what a session does only now and then, while the flow is only counted: its endpoints are known, and count as 0. */
  sometimes?: (now: () => unknown) => void;
  /** Counts a step that is no request, while the flow is only counted. */
  counted?: (name: string) => void;
  /** Endpoints to be called, with their placeholders, while a drawn flow is only counted. */
  countedSteps?: () => readonly (readonly [key: string, placeholders: readonly string[]])[];
}

/** A request of a page: to be sent, or with the answer that counting gives it. */
export interface Collected {
  readonly endpoint: PreparedEndpoint;
  readonly url: string;
  readonly body: unknown;
  readonly params: Params;
  readonly parameters: Parameters;
  readonly again: () => Answer;
  readonly answer?: Answer;
}
