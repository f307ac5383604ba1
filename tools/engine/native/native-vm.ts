/** One VU of a rehearsal whose script runs as V8's own code: drives its generators from one wait to the next. */
import { getHeapStatistics } from 'node:v8';
import type { Receive } from '../clock.ts';
import type { GuestRequest } from '../http/exchange.ts';
import { BrokenVmError, InterruptedError, ScriptError, scriptErrorOf } from '../vm/script-error.ts';
import type { HostAnswer, HostHandler, ScriptVm, VmOptions } from '../vm/script-vm.ts';
import { NotRewritable } from './parse.ts';
import type { NativeProgram, ScriptInstance } from './program.ts';
import type { ScriptGenerator, Waiting } from './realm.ts';

/** Share of the memory that V8 may take at which a script is ended, before V8 ends the process. */
const HEAP_SHARE = 0.75;
const FRAMES_SHOWN = 10;

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
}

const NOTHING = Symbol('nothing');

export class NativeVm implements ScriptVm {
  private readonly program: NativeProgram;
  private readonly options: VmOptions;
  private instance: ScriptInstance | undefined;
  /** Set at the first look since the script went on: most go on to wait before there is one. */
  private sliceEnd: number | undefined;
  private interrupted = false;
  private broken: 'time' | 'memory' | 'interrupted' | undefined;
  /** The call that runs or waits; undefined between two calls. */
  private running: Running | undefined;

  private constructor(program: NativeProgram, options: VmOptions) {
    this.program = program;
    this.options = options;
  }

  /**
   * A VU with the script loaded, its init code run.
   * @throws ScriptError when init throws, BrokenVmError when it never ends, NotRewritable when only the interpreter can run it
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
      });
      vm.instance = instance;
      program.realm.atOnce(instance.call(program.realm.facts(identity)));
      instance.start();
      // The dice begin anew whatever the init code drew, as in the interpreter's copies of one virtual machine.
      program.realm.atOnce(instance.call(program.realm.facts(identity)));
    } catch (error) {
      throw vm.failure(error);
    }
    return vm;
  }

  get isBroken(): boolean {
    return this.broken !== undefined;
  }

  async call(facts: Readonly<Record<string, unknown>>): Promise<string | undefined> {
    let text = await this.callOnce(facts);
    if (text !== 'promise') return text;
    for (let round = 0; round < 1000; round++) {
      await this.options.hold(new Promise((resolve) => setImmediate(resolve)));
      text = await this.callOnce({ command: 'settle' });
      if (text !== 'pending') return text;
    }
    throw scriptErrorOf('the promise of an async function never settled');
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
      const stack = [instance.call(this.program.realm.facts(facts))];
      const receive = (answer: unknown) => this.receive(running, answer);
      const running: Running = { stack, resolve, reject, receive, early: NOTHING, begins: false };
      this.running = running;
      this.resume(running, undefined);
    });
  }

  private receive(running: Running, given: unknown): boolean {
    const { copy } = this.program.realm;
    const answer = given instanceof Error ? `!${given.message}` : copy(given);
    if (!running.begins) return this.resume(running, answer);
    running.early = answer;
    return true;
  }

  /**
   * Runs on to the next wait, or to the end.
   * @returns whether nothing that this set off waits for a promise to settle
   */
  private resume(running: Running, given: unknown): boolean {
    const { program } = this;
    let answer = given;
    // What was waited for by a call that has ended meanwhile is nobody's.
    while (this.running === running) {
      this.enter();
      let value: unknown;
      try {
        value = program.realm.resume(running.stack, answer);
      } catch (error) {
        this.end(this.failure(error), running);
        return false;
      }
      if (program.failed !== undefined || this.broken !== undefined || this.interrupted) {
        this.end(this.failure(undefined), running);
        return false;
      }
      if (running.stack.length === 0) {
        this.running = undefined;
        running.resolve(value as string | undefined);
        return false;
      }
      running.begins = true;
      this.begin(value as Waiting, running.receive);
      running.begins = false;
      if (running.early === NOTHING) break;
      answer = running.early;
      running.early = NOTHING;
    }
    return !program.usesPromises;
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
    this.sliceEnd = undefined;
    this.program.isOver = this.isOver;
  }

  private readonly isOver = (): boolean => {
    if (this.broken !== undefined || this.interrupted) return true;
    this.sliceEnd ??= performance.now() + this.options.computeLimitMs;
    if (performance.now() > this.sliceEnd) this.broken = 'time';
    const { used_heap_size: used, external_memory: external, heap_size_limit: limit } = getHeapStatistics();
    if (used + external > HEAP_SHARE * limit) this.broken = 'memory';
    return this.broken !== undefined;
  };

  private failure(thrown: unknown): Error {
    const { failed } = this.program;
    if (failed !== undefined) {
      const place = /\((.*)\)|at (\S+)$/m.exec(failed.split('\n').slice(2).join('\n'));
      return new NotRewritable(`${place?.[1] ?? place?.[2] ?? 'somewhere'}: a callback of a built-in function waits`);
    }
    if (thrown instanceof NotRewritable) return thrown;
    if (this.interrupted) return new InterruptedError('interrupted');
    if (this.broken === 'time') {
      const limit = this.options.computeLimitMs / 1000;
      return new BrokenVmError(
        `the script computed for more than ${limit} s without a request or a sleep, so the engine ended it; look for a loop without an end`,
      );
    }
    if (this.broken === 'memory') {
      return new BrokenVmError(
        'the script took nearly all memory that this process may have, so the engine ended it; look for data that grows with every iteration',
      );
    }
    const error = scriptErrorOf(thrown);
    return new ScriptError(error.message, this.framesOf((thrown as { stack?: unknown } | null)?.stack));
  }

  /** The frames in the script's own files. */
  private framesOf(stack: unknown): string {
    if (typeof stack !== 'string') return '';
    return stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line) && this.program.scriptModules.some((name) => line.includes(name)))
      .slice(0, FRAMES_SHOWN)
      .map((line) => `\t${line.trim()}\n`)
      .join('');
  }
}
