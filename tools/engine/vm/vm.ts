/**
 * The virtual machine of one VU: loads the script with k6's modules around it, calls its functions, and lets a
 * synchronous `http.get` or `sleep` wait without holding up any other VU.
 */
import type { QuickJSAsyncContext, QuickJSHandle } from 'quickjs-emscripten';
import type { Receive } from '../clock.ts';
import type { GuestRequest } from '../http/exchange.ts';
import { GuardedPromise } from './guarded-promise.ts';
import { LOADED_MODULES } from './guest.ts';
import { layImage, type MemoryImage, takeImage, writtenPages } from './image.ts';
import { LoopGuard } from './loop-guard.ts';
import { newModule, type WasmMemory } from './module.ts';
import { BrokenVmError, InterruptedError, type ScriptError, scriptErrorOf } from './script-error.ts';
import type { GuestSample, HostAnswer, HostHandler, ScriptVm, VmOptions } from './script-vm.ts';

const AFTER_AWAIT =
  '!requests and sleeps after an await are not offered by the embedded engine; run this script with k6 (--engine k6)';

/** Operations that take time. */
const WAITS: ReadonlySet<string> = new Set(['http', 'batch', 'sleep']);

/** Begins an operation that takes time; undefined for the others. */
function startWait(handler: HostHandler, name: string, text: string): Promise<unknown> | undefined {
  switch (name) {
    case 'http':
      return promised((done) => handler.http(JSON.parse(text) as GuestRequest, done));
    case 'batch':
      return promised((done) => handler.batch(JSON.parse(text) as GuestRequest[], done));
    case 'sleep':
      return promised((done) => handler.sleep(Number(text), done));
    default:
      return undefined;
  }
}

function promised(begin: (done: Receive<unknown>) => void): Promise<unknown> {
  return new Promise((resolve, reject) =>
    begin((answer) => {
      if (answer instanceof Error) reject(answer);
      else resolve(answer);
      return false;
    }),
  );
}

function samplesOf(handler: HostHandler, text: string): undefined {
  handler.samples(JSON.parse(text) as GuestSample[]);
}

/** quickjs-emscripten makes an Error at every suspension; its stack trace costs as much as all the rest. */
function withoutStackTraces(): void {
  const limit = Error.stackTraceLimit;
  if (limit === 0) return;
  Error.stackTraceLimit = 0;
  queueMicrotask(() => {
    Error.stackTraceLimit = limit;
  });
}

/** Far below the stack of the host, so that deep recursion ends as an exception of the script. */
const STACK_LIMIT = 256 * 1024;

export class Vm implements ScriptVm {
  private readonly context: QuickJSAsyncContext;
  private readonly memory: WasmMemory;
  private readonly options: VmOptions;
  private readonly guard: LoopGuard;
  private interrupted = false;
  private outOfTime = false;
  private wake: ((answer: HostAnswer) => void) | undefined;
  private broken = false;
  /** Rejects the running call when the instance breaks down while it is resumed. */
  private onBreak: ((error: unknown) => void) | undefined;
  /** While jobs of async functions run, nothing can be suspended. */
  private draining = false;

  private constructor(context: QuickJSAsyncContext, memory: WasmMemory, options: VmOptions) {
    this.context = context;
    this.memory = memory;
    this.options = options;
    this.guard = new LoopGuard(context, memory, options.computeLimitMs);
  }

  /**
   * A virtual machine with the script loaded, its init code run.
   * @throws ScriptError when init throws, BrokenVmError when it never ends or takes all memory
   */
  static async load(options: VmOptions): Promise<Vm> {
    const { module, memory } = await newModule(options.memoryLimit, options.optimise);
    const context = module.newContext();
    const vm = new Vm(context, memory, options);
    const { runtime } = context;
    runtime.setMaxStackSize(STACK_LIMIT);
    runtime.setInterruptHandler(() => vm.shouldInterrupt());
    runtime.setModuleLoader(
      (name) => options.source.load(name),
      (base, requested) => options.source.normalise(base, requested),
    );
    vm.exposeHost();
    try {
      await vm.loadScript(memory);
    } catch (error) {
      vm.dispose();
      throw error;
    }
    return vm;
  }

  /** k6's modules and then the script, each from an image where there is one. */
  private async loadScript(memory: WasmMemory): Promise<void> {
    const { images, source, env, virtual, seed, vu } = this.options;
    const fits = (image: MemoryImage | undefined) => image !== undefined && image.length === memory.buffer.byteLength;
    const ready = images.sharesScript && vu > 0 ? images.script : undefined;
    const identity = { command: 'adopt', vu, dice: virtual ? seed : Math.floor(Math.random() * 2 ** 32) };
    if (ready !== undefined && fits(ready)) {
      layImage(memory, ready);
      await this.callOnce(identity);
      return;
    }
    images.before ??= writtenPages(memory);
    if (images.guest !== undefined && fits(images.guest)) layImage(memory, images.guest);
    else {
      const boot = JSON.stringify({ env, virtual });
      this.context.newString(boot).consume((text) => this.context.setProp(this.context.global, '__boot', text));
      this.runModule(LOADED_MODULES.reduce((code, name) => `${code}import '${name}';`, "import 'k6:boot';"));
      images.guest = takeImage(memory, images.before);
    }
    await this.callOnce(identity);
    const entry = JSON.stringify(source.entry);
    this.runModule(`import { enter } from 'k6:boot'; import * as script from ${entry}; enter(script);`);
    if (!images.sharesScript || vu === 0) return;
    // The dice begin anew whatever the init code drew, as in the copies.
    const dependsOnVu = (await this.callOnce(identity)) !== undefined;
    if (!dependsOnVu) images.script = takeImage(memory, images.before);
  }

  async call(facts: Readonly<Record<string, unknown>>): Promise<string | undefined> {
    let text = await this.callOnce(facts);
    if (text !== 'promise') return text;
    for (let round = 0; round < 1000; round++) {
      this.startSlice();
      this.draining = true;
      try {
        this.guarded(() => this.context.runtime.executePendingJobs(-1)).dispose();
      } finally {
        this.draining = false;
      }
      text = await this.callOnce({ command: 'settle' });
      if (text !== 'pending') return text;
      await this.options.hold(new Promise((resolve) => setImmediate(resolve)));
    }
    throw scriptErrorOf('the promise of an async function never settled');
  }

  interrupt(): void {
    this.interrupted = true;
    this.wake?.('~');
  }

  get isBroken(): boolean {
    return this.broken;
  }

  dispose(): void {
    // A broken instance is simply dropped: freeing it would run its damaged code.
    if (!this.broken) {
      try {
        this.context.dispose();
      } catch {
        this.broken = true;
      }
    }
  }

  private async callOnce(facts: Readonly<Record<string, unknown>>): Promise<string | undefined> {
    this.startSlice();
    this.interrupted = false;
    const code = `__k6_call(${JSON.stringify(JSON.stringify(facts))})`;
    let result: Awaited<ReturnType<QuickJSAsyncContext['evalCodeAsync']>>;
    try {
      const breaks = new Promise<never>((_, reject) => {
        this.onBreak = reject;
      });
      result = await Promise.race([this.context.evalCodeAsync(code, '<eval>', { type: 'global' }), breaks]);
    } catch (error) {
      throw this.breakDown(error);
    }
    if (result.error) throw this.failure(result.error);
    return result.value.consume((handle) =>
      this.context.typeof(handle) === 'string' ? this.context.getString(handle) : undefined,
    );
  }

  private runModule(code: string): void {
    this.startSlice();
    const result = this.guarded(() => this.context.evalCode(code, 'k6:main', { type: 'module' }));
    if (result.error) throw this.failure(result.error);
    result.value.dispose();
  }

  private guarded<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      throw this.breakDown(error);
    }
  }

  /** An exception of WebAssembly itself leaves the instance in an unknown state. */
  private breakDown(error: unknown): Error {
    this.broken = true;
    const detail = error instanceof Error ? error.message : String(error);
    const why = /unreachable|out of bounds/.test(detail)
      ? 'a request or a sleep so deep inside function calls is not offered by the embedded engine; run this script with k6 (--engine k6)'
      : `it broke down: ${detail}`;
    return new BrokenVmError(`the script's virtual machine was lost: ${why}`);
  }

  private failure(handle: QuickJSHandle): ScriptError | InterruptedError | BrokenVmError {
    const { memoryLimit, computeLimitMs } = this.options;
    const thrown: unknown = this.guarded(() => handle.consume((error) => this.context.dump(error)));
    if (this.interrupted) {
      this.broken = true;
      return new InterruptedError('interrupted');
    }
    if (this.outOfTime) {
      this.outOfTime = false;
      this.broken = true;
      return new BrokenVmError(
        `the script computed for more than ${computeLimitMs / 1000} s without a request or a sleep, so the engine ended it; look for a loop without an end`,
      );
    }
    const error = scriptErrorOf(thrown);
    // Without memory for an error QuickJS throws null, as a script can; memory that was ever taken stays taken.
    const full = this.memory.buffer.byteLength > 0.8 * memoryLimit;
    if (/InternalError: out of memory/.test(error.message) || (thrown === null && full)) {
      this.broken = true;
      return new BrokenVmError(
        `the script of one VU took more than ${Math.round(memoryLimit / 2 ** 20)} MB, so the engine ended it; look for data that grows with every iteration`,
      );
    }
    return error;
  }

  private startSlice(): void {
    this.outOfTime = false;
    this.guard.start();
  }

  private shouldInterrupt(): boolean {
    if (this.interrupted) return true;
    if (!this.guard.isOver()) return false;
    this.outOfTime = true;
    return true;
  }

  private exposeHost(): void {
    const { context } = this;
    const answered = (answer: HostAnswer) => (answer === undefined ? context.undefined : context.newString(answer));
    const textOf = (handle: QuickJSHandle | undefined) =>
      handle === undefined || context.typeof(handle) === 'undefined' ? undefined : context.getString(handle);
    const host = context.newAsyncifiedFunction('__host', ((
      operation: QuickJSHandle,
      text?: QuickJSHandle,
      samples?: QuickJSHandle,
    ) => {
      if (this.interrupted) return answered('~');
      const { handler } = this.options;
      const batch = textOf(samples);
      if (batch !== undefined) handler.samples(JSON.parse(batch) as GuestSample[]);
      const name = context.getString(operation);
      const given = textOf(text) ?? '';
      if (this.draining && WAITS.has(name)) return answered(AFTER_AWAIT);
      const answer = startWait(handler, name, given);
      if (answer === undefined)
        return answered(name === 'samples' ? samplesOf(handler, given) : handler.ask(name, given));
      withoutStackTraces();
      return GuardedPromise.with<QuickJSHandle>(
        (error) => this.onBreak?.(error),
        (resolve) => {
          const finish = (value: HostAnswer) => {
            if (this.wake !== finish) return;
            this.wake = undefined;
            this.startSlice();
            resolve(answered(value));
          };
          this.wake = finish;
          answer.then(
            (value) => finish(`=${JSON.stringify(value)}`),
            (error: unknown) => finish(`!${error instanceof Error ? error.message : String(error)}`),
          );
        },
      );
    }) as unknown as (...args: QuickJSHandle[]) => Promise<QuickJSHandle>);
    host.consume((handle) => context.setProp(context.global, '__host', handle));
  }
}
