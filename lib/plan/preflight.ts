/** The frame of the questions to the target before any load, and the one question that every API can be asked. */

import type { Plan } from './planned.ts';
import type { Env } from './variable.ts';

/** What a target said of itself, for the summary and for judging the run. */
export interface TargetFacts {
  /** One line for people: `payments stub, rate limiter off`. */
  readonly line: string;
  readonly [fact: string]: unknown;
}

export interface TargetAnswer {
  /** 0 when none came. */
  readonly status: number;
  readonly body: string | null;
}

/** Sends one request before the load. @param path path and query, already encoded */
export type SetupRequest = (
  method: string,
  path: string,
  options?: { readonly json?: unknown; readonly body?: string; readonly headers?: Readonly<Record<string, string>> },
) => TargetAnswer;

export interface PreflightInput {
  readonly plan: Plan;
  readonly env: Env;
  /** For messages: without user and password. */
  readonly baseUrl: string;
  /** Values of the suite's own variables. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly rows: (pool: string) => number;
  /** Row of a pool by its place, from 0: the most popular first. */
  readonly row: (pool: string, index: number) => unknown;
  readonly request: SetupRequest;
  /** Says something that does not stop the run. */
  readonly warn: (sentence: string) => void;
}

/**
 * Whether the target answers at all: any HTTP answer to a GET of its root will do, since no path is known of it.
 * @throws Error with one sentence when none comes
 */
export function answersAtAll({ baseUrl, request }: PreflightInput): TargetFacts {
  const { status } = request('GET', '/');
  if (status === 0) throw new Error(`no answer from ${baseUrl}: start the system under test or correct BASE_URL`);
  return { line: `the target answers (GET / gives ${status}); nothing more was asked of it` };
}
