/** What runs the script of one VU, and what it asks of the engine. */
import type { Receive } from '../clock.ts';
import type { GuestAnswer, GuestRequest } from '../http/exchange.ts';

/** Answer to the guest, see `answered` in guest/core.js: undefined, or text whose first character says what it is. */
export type HostAnswer = string | undefined;
/** The engine's side of every call out of the script. */
export interface HostHandler {
  samples(batch: readonly GuestSample[]): void;
  /**
   * One sample, with tags as the script gave them, and `check` on top.
   * @returns the key of the first tag that is neither text, number nor boolean, and then adds nothing
   */
  sample(metric: number, value: number, tags: GivenTags, group: string, check: string | undefined): string | undefined;
  /** The elements of a SharedArray, each as JSON. */
  texts(name: string): readonly string[];
  /** Operations that are answered at once. */
  ask(operation: string, text: string): HostAnswer;
  /** What may take time. `done` hears the answer once, or the error that the script shall throw. */
  sleep(ms: number, done: Receive<Slept>): void;
  http(request: GuestRequest, done: Receive<(GuestAnswer & Slept) | Error>): void;
  batch(
    requests: readonly GuestRequest[],
    done: Receive<({ readonly list: readonly GuestAnswer[] } & Slept) | Error>,
  ): void;
}

/** The virtual time after a wait, ms; undefined on a real clock. */
export interface Slept {
  readonly now: number | undefined;
}
export type GivenTags = Readonly<Record<string, unknown>> | undefined;
/** Metric number, value, tags or 0, group. */
export type GuestSample = readonly [number, number, Readonly<Record<string, string>> | 0, string];

export interface VmOptions {
  readonly handler: HostHandler;
  readonly env: Readonly<Record<string, string>>;
  /** `__VU`; 0 where k6 reads options, runs setup, teardown and handleSummary. */
  readonly vu: number;
  /** Rehearsal: virtual Date and seeded Math.random. */
  readonly virtual: boolean;
  readonly seed: number;
  /** Bytes that a script may add to the heap between two waits, beside a share of what V8 may have at all. */
  readonly memoryLimit: number | undefined;
  /** Longest computation between two waits, ms of real time: the guard against loops that never end. */
  readonly computeLimitMs: number;
}
