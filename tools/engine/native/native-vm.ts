/** One VU: drives the generators of its script from one wait to the next, then the jobs of its promises and timers. */
import { getHeapStatistics } from 'node:v8';
import type { Receive } from '../clock.ts';
import type { GuestRequest } from '../http/exchange.ts';
import { InterruptedError, ScriptError, scriptErrorOf } from '../vm/script-error.ts';
import type { HostAnswer, HostHandler, VmOptions } from '../vm/script-vm.ts';
import { breakdown, framesIn } from './breakdown.ts';
import { NotRewritable } from './parse.ts';
import type { NativeProgram, ScriptInstance } from './program.ts';
import type { EventLoop, Realm, ScriptGenerator, Waiting } from './realm.ts';

/** Share of the memory that V8 may take at which a script is ended, before V8 ends the process. */
const HEAP_SHARE = 0.75;

interface Running {
  /** Calls inside one another, the innermost last. */
  readonly stack: ScriptGenerator[];
  readonly resolve: (value: string | undefined) => void;
  readonly reject: (error: unknown) => void;
  /** Hears what the script waits for. */
  readonly receive: Receive<unknown>;
  /** What came before the begin of the wait was over. */
  early: unknown;
  begins: boolean;
  /** What the call itself gave, once it has returned; its jobs go on. */
  returned: { readonly value: string | undefined } | undefined;
  /** Whether the VU has nothing to do until something comes from outside. */
  idle: boolean;
}

const NOTHING = Symbol('nothing');
/** Jobs between two looks at the time. */
const JOBS = 1000;

export class NativeVm {
  private readonly program: NativeProgram;
  private readonly options: VmOptions;
  private instance: ScriptInstance | undefined;
  /** Set at the first look since the script went on: most go on to wait before there is one. */
  private sliceEnd: number | undefined;
  private heapAtStart: number | undefined;
  private interrupted = false;
  private broken: 'time' | 'memory' | 'interrupted' | undefined;
  private jobs = 0;
  /** Counts the calls that are over: what comes later is nobody's. */
  private timers = 0;
  /** The call that runs or waits; undefined between two calls. */
  private running: Running | undefined;

  private constructor(program: NativeProgram, options: VmOptions) {
    this.program = program;
    this.options = options;
  }

  /**
   * A VU with the script loaded, its init code run.
   * @throws ScriptError when init throws, BrokenVmError when it never ends, NotRewritable when this engine does not run it
   */
  static load(program: NativeProgram, options: VmOptions): NativeVm {
    const vm = new NativeVm(program, options);
    const { env, virtual, vu, seed } = options;
    const identity = { command: 'adopt', vu, dice: seed };
    vm.enter();
    try {
      const instance = program.instantiate({
        boot: JSON.stringify({ env, virtual }),
        call: (operation, given) => vm.ask(operation, given),
        sample: (metric, value, tags, group, check) => vm.sample(metric, value, tags, group, check),
        texts: options.handler.texts,
        background: (operation, given, done) => vm.background(operation, given, done),
      });
      vm.instance = instance;
      const { realm } = instance;
      realm.atOnce(instance.call(realm.facts(identity)));
      instance.start();
      // The dice begin anew whatever the init code drew.
      realm.atOnce(instance.call(realm.facts(identity)));
    } catch (error) {
      throw vm.failure(error);
    }
    return vm;
  }

  get isBroken(): boolean {
    return this.broken !== undefined;
  }

  async call(facts: Readonly<Record<string, unknown>>): Promise<string | undefined> {
    const text = await this.callOnce(facts);
    if (text !== 'promise') return text;
    try {
      return await this.callOnce({ command: 'settle' });
    } catch (error) {
      throw error instanceof ScriptError ? new ScriptError(error.message, error.frames, true) : error;
    }
  }

  interrupt(): void {
    this.interrupted = true;
    if (this.running !== undefined) this.end(new InterruptedError('interrupted'));
  }

  dispose(): void {
    this.instance = undefined;
  }

  private callOnce(facts: Readonly<Record<string, unknown>>): Promise<string | undefined> {
    this.interrupted = false;
    return new Promise((resolve, reject) => {
      const { instance } = this;
      if (instance === undefined) throw new Error('the virtual machine is disposed of');
      const stack = [instance.call(instance.realm.facts(facts))];
      const receive = (answer: unknown) => this.receive(running, answer);
      const running: Running = {
        stack,
        resolve,
        reject,
        receive,
        early: NOTHING,
        begins: false,
        returned: undefined,
        idle: false,
      };
      this.running = running;
      this.resume(running, undefined);
    });
  }

  private receive(running: Running, given: unknown): boolean {
    const answer = this.answerOf(given);
    if (!running.begins) return this.resume(running, answer);
    running.early = answer;
    return true;
  }

  /**
   * Runs on to the next wait, or to the end.
   * @returns whether nothing that this set off waits for a promise to settle
   */
  private resume(running: Running, given: unknown): boolean {
    const { program, instance } = this;
    let answer = given;
    this.enter();
    // What was waited for by a call that has ended meanwhile is nobody's.
    while (this.running === running && instance !== undefined) {
      if (running.stack.length === 0 && !this.nextJob(running, instance)) return running.idle;
      let value: unknown;
      try {
        value = instance.realm.resume(running.stack, answer);
      } catch (error) {
        this.end(this.failure(error), running);
        return false;
      }
      if (this.isLost()) {
        this.end(this.failure(undefined), running);
        return false;
      }
      if (running.stack.length === 0) {
        running.returned ??= { value: value as string | undefined };
        answer = undefined;
        continue;
      }
      running.begins = true;
      this.begin(value as Waiting, running.receive);
      running.begins = false;
      if (running.early === NOTHING) break;
      answer = running.early;
      running.early = NOTHING;
      this.enter();
    }
    return !this.isLost() || program.failed === undefined;
  }

  private isLost(): boolean {
    return this.program.failed !== undefined || this.broken !== undefined || this.interrupted;
  }

  /**
   * After the call itself: runs jobs up to one that waits, which it puts on the stack. Without a job the call is over when nothing is to
   * come any more, or when the promise that it gave was rejected.
   * @returns whether there is something on the stack
   */
  private nextJob(running: Running, { realm, loop, call }: ScriptInstance): boolean {
    for (;;) {
      if (running.returned?.value === 'promise' && this.isRejected(realm, call)) break;
      let job: ScriptGenerator | true | undefined;
      try {
        // Jobs that make jobs never come to a loop or a wait.
        if (++this.jobs % JOBS === 0) this.isOver();
        job = realm.nextJob(loop);
      } catch (error) {
        this.end(this.failure(error), running);
        return false;
      }
      if (this.isLost()) {
        this.end(this.failure(undefined), running);
        return false;
      }
      if (job === undefined) {
        if (loop.pending === 0) break;
        running.idle = true;
        return false;
      }
      if (job !== true) {
        running.stack.push(job);
        return true;
      }
    }
    this.finish(running, realm, loop);
    return false;
  }

  private isRejected(realm: Realm, call: ScriptInstance['call']): boolean {
    return realm.atOnce(call({ command: 'state' })) === 'rejected';
  }

  /** The call is over: what has not come by now is nobody's, and what nobody caught is said. */
  private finish(running: Running, realm: Realm, loop: EventLoop): void {
    this.running = undefined;
    running.idle = false;
    loop.jobs.length = 0;
    if (loop.pending > 0) realm.atOnce((this.instance as ScriptInstance).call({ command: 'stopTimers' }));
    loop.pending = 0;
    this.timers++;
    const lost = realm.uncaught(loop);
    if (lost !== undefined) {
      const { message, frames } = this.scriptError(lost.error);
      this.options.handler.ask('uncaught', JSON.stringify([message, frames]));
    }
    running.resolve(running.returned?.value);
  }

  /** What takes time and holds nobody up. */
  private background(operation: string, given: unknown, done: (answer: unknown) => boolean): void {
    const { handler } = this.options;
    const { timers } = this;
    const received = (answer: unknown): boolean => {
      // Of a call that is over.
      if (timers !== this.timers) return true;
      done(this.answerOf(answer));
      const { running } = this;
      if (running?.idle !== true) return true;
      running.idle = false;
      return this.resume(running, undefined);
    };
    if (operation === 'http') handler.http(given as GuestRequest, received);
    else handler.sleep(given as number, received);
  }

  private answerOf(given: unknown): unknown {
    return given instanceof Error ? `!${given.message}` : this.instance?.realm.copy(given);
  }

  /** What is answered at once. */
  private ask(operation: string, given: string | undefined): HostAnswer {
    return this.interrupted ? '~' : this.options.handler.ask(operation, given ?? '');
  }

  private sample(...sample: Parameters<HostHandler['sample']>): string | undefined {
    return this.interrupted ? undefined : this.options.handler.sample(...sample);
  }

  private begin([operation, given]: Waiting, receive: Receive<unknown>): void {
    const { handler } = this.options;
    if (operation === 'http') handler.http(given as GuestRequest, receive);
    else if (operation === 'batch') handler.batch(given as readonly GuestRequest[], receive);
    else handler.sleep(given as number, receive);
  }

  private end(error: unknown, running = this.running): void {
    if (error instanceof InterruptedError) this.broken ??= 'interrupted';
    this.running = undefined;
    running?.reject(error);
  }

  /** From here on the clock of this VU's computing runs. */
  private enter(): void {
    if (this.instance !== undefined) this.instance.realm.enter(this.instance.loop);
    this.sliceEnd = undefined;
    this.heapAtStart = undefined;
    this.program.isOver = this.isOver;
  }

  private readonly isOver = (): boolean => {
    if (this.broken !== undefined || this.interrupted) return true;
    this.sliceEnd ??= performance.now() + this.options.computeLimitMs;
    if (performance.now() > this.sliceEnd) this.broken = 'time';
    const { used_heap_size: used, external_memory: external, heap_size_limit: limit } = getHeapStatistics();
    this.heapAtStart ??= used + external;
    const grown = used + external - this.heapAtStart;
    const { memoryLimit = Number.POSITIVE_INFINITY } = this.options;
    if (grown > memoryLimit || used + external > HEAP_SHARE * limit) this.broken = 'memory';
    return this.broken !== undefined;
  };

  private failure(thrown: unknown): Error {
    const { broken, interrupted, options, program } = this;
    if (interrupted && program.failed === undefined && !(thrown instanceof NotRewritable))
      return new InterruptedError('interrupted');
    return breakdown(program.failed, thrown, broken, options.computeLimitMs) ?? this.scriptError(thrown);
  }

  private scriptError(thrown: unknown): ScriptError {
    const error = scriptErrorOf(thrown);
    return new ScriptError(
      error.message,
      framesIn(this.program.scriptModules, (thrown as { stack?: unknown } | null)?.stack),
    );
  }
}
