/** The guard against scripts that compute without end: how often QuickJS looks at the time, and when it is over. */
import type { QuickJSAsyncContext } from 'quickjs-emscripten';
import type { WasmMemory } from './module.ts';

/** Loops and calls after which QuickJS itself looks. */
const USUAL_LOOK = 10_000;
/** The same after a wait, when nothing is known of what comes. */
const FIRST_LOOK = 20;
/** The most: light loops may be followed by heavy ones at once. A look costs as much as a dozen light loops. */
const LAST_LOOK = 500;
const LOOK_EVERY_MS = 20;
/** Length of QuickJS's context at most, bytes. */
const CONTEXT_BYTES = 1024;

/**
 * Ten thousand loops take no time, or minutes when each calls a built-in for megabytes; so the number of loops to the next look
 * follows from the time that the last ones took.
 */
export class LoopGuard {
  private readonly memory: WasmMemory;
  /** Place of QuickJS's count of loops in its memory. */
  private counter: number | 'not looked for' | undefined = 'not looked for';
  private readonly context: number;
  private readonly limitMs: number;
  private end = 0;
  private lookedAt = 0;
  private looks = FIRST_LOOK;

  /** @param context just made @param limitMs longest computation between two waits, ms of real time */
  constructor(context: QuickJSAsyncContext, memory: WasmMemory, limitMs: number) {
    this.memory = memory;
    this.limitMs = limitMs;
    this.context = addressOf(context);
  }

  /** A computation begins. */
  start(): void {
    this.lookedAt = performance.now();
    this.end = this.lookedAt + this.limitMs;
    this.lookAfter(FIRST_LOOK);
  }

  /** Whether the computation has taken too long; asked by QuickJS. */
  isOver(): boolean {
    // At the first look, which comes with the first loop of all, the count has just been set to its usual value.
    if (this.counter === 'not looked for') this.counter = findCounter(this.memory, this.context);
    const now = performance.now();
    const took = Math.max(now - this.lookedAt, 0.001);
    this.lookedAt = now;
    this.lookAfter(this.looks * Math.min(2, LOOK_EVERY_MS / took));
    return now >= this.end;
  }

  private lookAfter(count: number): void {
    this.looks = Math.max(1, Math.min(LAST_LOOK, Math.round(count)));
    if (typeof this.counter === 'number') new DataView(this.memory.buffer).setInt32(this.counter, this.looks, true);
  }
}

/** Address of QuickJS's own context; the library keeps it to itself. */
const addressOf = (context: QuickJSAsyncContext): number =>
  Number((context as unknown as { readonly ctx?: { readonly value?: number } }).ctx?.value ?? 0);

/** The count of loops, by its usual value; undefined when that is not to be found, and then QuickJS's own measure stays. */
function findCounter(memory: WasmMemory, context: number): number | undefined {
  if (context === 0) return undefined;
  const view = new DataView(memory.buffer);
  const found: number[] = [];
  for (let at = context; at < context + CONTEXT_BYTES; at += 4) {
    if (view.getInt32(at, true) === USUAL_LOOK) found.push(at);
  }
  return found.length === 1 ? found[0] : undefined;
}
