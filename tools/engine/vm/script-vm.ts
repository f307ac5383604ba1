/** What runs the script of one VU, and what it asks of the engine. */
import type { Receive } from '../clock.ts';
import type { GuestAnswer, GuestRequest } from '../http/exchange.ts';
import type { MemoryImage } from './image.ts';
import type { ScriptSource } from './script-source.ts';

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

/** What runs the script of one VU. */
export interface ScriptVm {
  /**
   * Calls the guest's command door and waits for its end.
   * @returns the command's text, if it has one
   */
  call(facts: Readonly<Record<string, unknown>>): Promise<string | undefined>;
  /** Ends the running call at once; it rejects with InterruptedError. */
  interrupt(): void;
  /** Whether the VU needs another one. */
  readonly isBroken: boolean;
  dispose(): void;
}

/** Images that the first virtual machines of a run leave for the others. */
export interface VmImages {
  /** Whether VUs are copies of the first one after its init code; else each runs the init code itself, as in k6. */
  readonly sharesScript: boolean;
  /** Pages written before anything was loaded. */
  before?: ReadonlySet<number>;
  /** k6's modules loaded, the script not yet. */
  guest?: MemoryImage;
  script?: MemoryImage;
}

export interface VmOptions {
  readonly source: ScriptSource;
  readonly handler: HostHandler;
  readonly env: Readonly<Record<string, string>>;
  /** `__VU`; 0 where k6 reads options, runs setup, teardown and handleSummary. */
  readonly vu: number;
  /** Rehearsal: virtual Date and seeded Math.random. */
  readonly virtual: boolean;
  readonly seed: number;
  readonly optimise: boolean;
  /** Memory that the script of one VU may take, bytes. */
  readonly memoryLimit: number;
  /** What VUs of one run begin from. */
  readonly images: VmImages;
  /** Longest computation between two waits, ms of real time: the guard against loops that never end. */
  readonly computeLimitMs: number;
  /** Time stands still until the work is done (`Clock.hold`). */
  readonly hold: <T>(work: Promise<T>) => Promise<T>;
}
