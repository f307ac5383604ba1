/** One virtual user: its virtual machine, its connections and cookies, and the samples of its iterations. */
import { Cancellation } from './cancellation.ts';
import { type CallingVu, hostCalls } from './host-calls.ts';
import { cookieJar } from './http/cookies.ts';
import type { Transport } from './http/transport.ts';
import type { Level } from './log.ts';
import { NativeVm } from './native/native-vm.ts';
import { nativeProgram } from './native/program.ts';
import type { RunContext } from './run-context.ts';
import { BrokenVmError, InterruptedError, ScriptError } from './vm/script-error.ts';
import type { VmOptions } from './vm/script-vm.ts';
import { VuClient } from './vu-client.ts';
import { VuSamples } from './vu-samples.ts';

export interface VuScenario {
  readonly name: string;
  readonly executor: string;
  readonly exec: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
}

export interface IterationNumbers {
  readonly inInstance: number;
  readonly inTest: number;
}

export class Vu {
  /** `__VU`: from 1, unique in this instance. */
  readonly id: number;
  /** Unique over all instances of the test. */
  readonly idInTest: number;
  private readonly run: RunContext;
  private readonly transport: Transport;
  private readonly calling: CallingVu;
  private readonly jar = cookieJar();
  private vm: NativeVm | undefined;
  private iterations = 0;
  private iterationsByScenario = new Map<string, number>();
  private scenario: VuScenario | undefined;
  private readonly samples: VuSamples;
  private setupSent = false;
  /** The running iteration called exec.test.abort(). */
  private aborts = false;

  constructor(run: RunContext, id: number, idInTest: number) {
    this.run = run;
    this.id = id;
    this.idInTest = idInTest;
    this.samples = new VuSamples(run);
    this.transport = run.newTransport(id);
    this.calling = {
      client: new VuClient(run, this.samples, this.transport, this.jar),
      cancellation: () => this.samples.cancellation,
      pushSamples: (batch) => this.samples.pushAll(batch),
      addSample: (metric, value, tags, group, check) => this.samples.add(metric, value, tags, group, check),
      baseTags: () => this.samples.baseTags(),
      setTags: (tags) => this.samples.setTags(tags),
      setMetadata: (metadata) => this.samples.setMetadata(metadata),
      scenarioName: () => this.scenario?.name,
      complain: (text) => run.log('error', text, this.place()),
      aborting: () => {
        this.aborts = true;
      },
    };
  }

  /** Loads the script. @throws ScriptError, BrokenVmError, NotRewritable */
  async load(): Promise<void> {
    const { run } = this;
    this.setupSent = false;
    const options: VmOptions = {
      handler: hostCalls(run, this.calling),
      env: run.env,
      vu: this.id,
      virtual: run.clock.virtual,
      seed: run.seed,
      memoryLimit: run.limits.memory,
      computeLimitMs: run.limits.computeMs,
    };
    run.program ??= nativeProgram(run.source);
    this.vm = NativeVm.load(run.program, options);
  }

  /** Binds the VU to a scenario: its tags, variables and function. */
  enter(scenario: VuScenario): void {
    this.scenario = scenario;
    this.samples.enter(scenario);
    this.setupSent = false;
  }

  /**
   * Runs one iteration; errors of the script are logged and leave no other trace, as in k6.
   * @returns false when the iteration was interrupted, which leaves no sample
   */
  async iterate(numbers: IterationNumbers): Promise<boolean> {
    const { run, scenario } = this;
    if (scenario === undefined) throw new Error('a VU iterates in a scenario');
    const inScenario = this.iterationsByScenario.get(scenario.name) ?? 0;
    this.iterationsByScenario.set(scenario.name, inScenario + 1);
    const iteration = this.iterations++;
    const start = run.clock.now();
    if (run.options['noCookiesReset'] !== true) this.jar.clear();
    const completed = await this.attempt(iteration, () => ({
      command: 'iteration',
      exec: scenario.exec,
      vuIteration: iteration,
      setup: this.setupSent ? undefined : run.setupData,
      env: this.setupSent ? undefined : scenario.env,
      scenario: {
        executor: scenario.executor,
        startTime: Math.floor(scenario.startTime),
        iterationInInstance: numbers.inInstance,
        iterationInTest: numbers.inTest,
        name: scenario.name,
      },
      vu: {
        idInInstance: this.id,
        idInTest: this.idInTest,
        iterationInInstance: iteration,
        iterationInScenario: inScenario,
      },
      discard: this.discards(),
      now: this.now(),
    }));
    this.transport.endIteration();
    // From here on nothing is waited for, and what is left to say of a cut iteration may be said.
    this.samples.cancellation = new Cancellation();
    const tags = this.samples.ownTags('');
    if (completed || !run.abort.aborted) this.samples.pushBytes(this.transport.takeBytes(), tags);
    if (!completed) {
      run.counts.interrupted++;
      return false;
    }
    run.counts.completed++;
    this.samples.push(run.ids.duration, run.clock.now() - start, tags);
    this.samples.push(run.ids.iterations, 1, tags);
    return true;
  }

  /** Runs setup, teardown or handleSummary. @throws what the script throws */
  async stage(
    command: 'setup' | 'teardown' | 'summary' | 'exports',
    facts: Readonly<Record<string, unknown>>,
  ): Promise<string | undefined> {
    this.scenario = undefined;
    this.samples.enterStage();
    this.samples.cancellation = new Cancellation();
    const group = command === 'setup' || command === 'teardown' ? `::${command}` : '';
    try {
      return await this.ready().call({ command, group, discard: this.discards(), now: this.now(), ...facts });
    } finally {
      this.samples.cancellation = new Cancellation();
      if (group !== '') this.samples.pushBytes(this.transport.takeBytes(), this.samples.ownTags(group));
    }
  }

  /** Ends the running iteration now. */
  interrupt(): void {
    // First the script, which then does not see that its wait ends.
    this.vm?.interrupt();
    this.samples.cancellation.abort();
  }

  async close(): Promise<void> {
    this.vm?.dispose();
    this.vm = undefined;
    await this.transport.close();
  }

  private async attempt(iteration: number, facts: () => Readonly<Record<string, unknown>>): Promise<boolean> {
    const { run } = this;
    this.samples.begin(this.id, iteration);
    this.samples.cancellation = new Cancellation();
    this.aborts = false;
    try {
      if (this.vm === undefined || this.vm.isBroken) await this.load();
      const call = facts();
      this.setupSent = true;
      await this.ready().call(call);
    } catch (error) {
      // k6 counts the iteration that aborts the test, and none of those that the abort cuts off.
      if (error instanceof InterruptedError || run.abort.aborted) return this.aborts;
      if (!(error instanceof ScriptError || error instanceof BrokenVmError)) throw error;
      if (error instanceof BrokenVmError) {
        // What the lost script was waiting for is nobody's any more.
        this.samples.cancellation.abort();
        this.samples.cancellation = new Cancellation();
      }
      const text =
        error instanceof ScriptError && error.frames !== '' ? `${error.message}\n${error.frames}` : error.message;
      if (error instanceof ScriptError && error.isOfPromise) run.log('error', text, this.place());
      else this.complain('error', text);
    }
    return !this.samples.cancellation.aborted;
  }

  private complain(level: Level, text: string): void {
    this.run.log(level, text, { ...this.place(), hint: 'script exception', source: 'stacktrace' });
  }

  private place(): Record<string, string> {
    return { executor: this.scenario?.executor ?? '', scenario: this.scenario?.name ?? '' };
  }

  private ready(): NativeVm {
    if (this.vm === undefined) throw new Error('the VU is not loaded');
    return this.vm;
  }

  private discards(): boolean {
    return this.run.options['discardResponseBodies'] === true;
  }

  private now(): number | undefined {
    return this.run.clock.virtual ? Math.floor(this.run.clock.now()) : undefined;
  }
}
