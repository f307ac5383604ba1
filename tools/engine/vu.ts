/** One virtual user: its virtual machine, its connections and cookies, and the samples of its iterations. */
import { Cancellation } from './cancellation.ts';
import { type CallingVu, hostCalls } from './host-calls.ts';
import { httpMetricIds } from './http/client.ts';
import { cookieJar } from './http/cookies.ts';
import type { Transport } from './http/transport.ts';
import type { Level } from './log.ts';
import type { Metadata, TagSet } from './metrics/types.ts';
import { NativeVm } from './native/native-vm.ts';
import type { RunContext } from './run-context.ts';
import { BrokenVmError, InterruptedError, ScriptError } from './vm/script-error.ts';
import type { GuestSample, ScriptVm, VmOptions } from './vm/script-vm.ts';
import { Vm } from './vm/vm.ts';

const USER_AGENT = 'Grafana k6/2.2.0 (bookstore-load embedded engine)';

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
  private vm: ScriptVm | undefined;
  private iterations = 0;
  private iterationsByScenario = new Map<string, number>();
  private scenario: VuScenario | undefined;
  private tags: Readonly<Record<string, string>> = {};
  private tagCache = new Map<string, TagSet>();
  private metadata: Metadata | undefined;
  private cancel = new Cancellation();
  private setupSent = false;
  /** The running iteration called exec.test.abort(). */
  private aborts = false;

  constructor(run: RunContext, id: number, idInTest: number) {
    this.run = run;
    this.id = id;
    this.idInTest = idInTest;
    this.transport = run.newTransport(id);
    this.calling = {
      client: {
        clock: run.clock,
        registry: run.registry,
        log: run.log,
        transport: this.transport,
        jar: this.jar,
        // Looked up late: the VU that reads the options exists before them.
        get systemTags() {
          return run.systemTags;
        },
        get userAgent() {
          return String(run.options['userAgent'] ?? USER_AGENT);
        },
        get maxRedirects() {
          const most = run.options['maxRedirects'];
          return typeof most === 'number' ? most : 10;
        },
        get throwErrors() {
          return run.options['throw'] === true;
        },
        metricIds: httpMetricIds(run.registry),
        tagSet: (group, extra) => this.tagSet(group, extra),
        sample: (metric, value, tags) => this.push(metric, value, tags),
      },
      cancellation: () => this.cancel,
      pushSamples: (batch) => this.pushSamples(batch),
      setTags: (tags) => {
        this.tags = { ...this.baseTags(), ...tags };
        this.tagCache = new Map();
      },
      scenarioName: () => this.scenario?.name,
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
      source: run.source,
      handler: hostCalls(run, this.calling),
      env: run.env,
      vu: this.id,
      virtual: run.clock.virtual,
      seed: run.seed,
      optimise: run.optimise,
      memoryLimit: run.limits.memory,
      computeLimitMs: run.limits.computeMs,
      images: run.images,
      hold: (work) => run.clock.hold(work),
    };
    this.vm = run.program === undefined ? await run.clock.hold(Vm.load(options)) : NativeVm.load(run.program, options);
  }

  /** Binds the VU to a scenario: its tags, variables and function. */
  enter(scenario: VuScenario): void {
    this.scenario = scenario;
    this.tags = this.baseTags();
    // VUs of a scenario that set no tags of their own have the same ones.
    this.tagCache = this.run.tagCaches.get(scenario) ?? new Map();
    this.run.tagCaches.set(scenario, this.tagCache);
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
      ...(this.setupSent ? {} : { setup: run.setupData, env: scenario.env }),
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
    }));
    this.transport.endIteration();
    // From here on nothing is waited for, and what is left to say of a cut iteration may be said.
    this.cancel = new Cancellation();
    const tags = this.tagSet('', {});
    if (completed || !run.abort.aborted) this.pushBytes(tags);
    if (!completed) {
      run.counts.interrupted++;
      return false;
    }
    run.counts.completed++;
    this.push(run.registry.get('iteration_duration').id, run.clock.now() - start, tags);
    this.push(run.registry.get('iterations').id, 1, tags);
    return true;
  }

  /** Runs setup, teardown or handleSummary. @throws what the script throws */
  async stage(
    command: 'setup' | 'teardown' | 'summary' | 'exports',
    facts: Readonly<Record<string, unknown>>,
  ): Promise<string | undefined> {
    this.scenario = undefined;
    this.tags = this.run.runTags;
    this.tagCache = new Map();
    this.metadata = this.run.systemTags.has('iter') ? { iter: '0' } : undefined;
    this.cancel = new Cancellation();
    const group = command === 'setup' || command === 'teardown' ? `::${command}` : '';
    try {
      return await this.ready().call({ command, group, discard: this.discards(), now: this.now(), ...facts });
    } finally {
      this.cancel = new Cancellation();
      if (group !== '') this.pushBytes(this.tagSet(group, {}));
    }
  }

  /** Ends the running iteration now. */
  interrupt(): void {
    this.cancel.abort();
    this.vm?.interrupt();
  }

  async close(): Promise<void> {
    this.vm?.dispose();
    this.vm = undefined;
    await this.transport.close();
  }

  private async attempt(iteration: number, facts: () => Readonly<Record<string, unknown>>): Promise<boolean> {
    const { run } = this;
    this.metadata = metadataOf(run.systemTags, this.id, iteration);
    this.cancel = new Cancellation();
    this.aborts = false;
    try {
      if (this.vm === undefined || this.vm.isBroken) await this.load();
      const call = { ...facts(), discard: this.discards(), now: this.now() };
      this.setupSent = true;
      await this.ready().call(call);
    } catch (error) {
      // k6 counts the iteration that aborts the test, and none of those that the abort cuts off.
      if (error instanceof InterruptedError || run.abort.aborted) return this.aborts;
      if (!(error instanceof ScriptError || error instanceof BrokenVmError)) throw error;
      if (error instanceof BrokenVmError) {
        // What the lost script was waiting for is nobody's any more.
        this.cancel.abort();
        this.cancel = new Cancellation();
      }
      const text =
        error instanceof ScriptError && error.frames !== '' ? `${error.message}\n${error.frames}` : error.message;
      this.complain('error', text);
    }
    return !this.cancel.aborted;
  }

  private complain(level: Level, text: string): void {
    const fields = { executor: this.scenario?.executor ?? '', scenario: this.scenario?.name ?? '' };
    this.run.log(level, text, { ...fields, hint: 'script exception', source: 'stacktrace' });
  }

  private ready(): ScriptVm {
    if (this.vm === undefined) throw new Error('the VU is not loaded');
    return this.vm;
  }

  private discards(): boolean {
    return this.run.options['discardResponseBodies'] === true;
  }

  private now(): number | undefined {
    return this.run.clock.virtual ? Math.floor(this.run.clock.now()) : undefined;
  }

  private baseTags(): Record<string, string> {
    const { run, scenario } = this;
    const own = run.systemTags.has('scenario') && scenario !== undefined ? { scenario: scenario.name } : {};
    return { ...run.runTags, ...own, ...scenario?.tags };
  }

  private tagSet(group: string, extra: Readonly<Record<string, string>>): TagSet {
    let key = group;
    for (const name in extra) key += `\u0001${name}\u0002${extra[name]}`;
    let set = this.tagCache.get(key);
    if (set === undefined) {
      const own = this.run.systemTags.has('group') ? { group } : {};
      set = this.run.registry.tags({ ...own, ...this.tags, ...extra });
      this.tagCache.set(key, set);
    }
    return set;
  }

  private push(metric: number, value: number, tags: TagSet): void {
    // What an interrupted iteration would still say is lost in k6, too.
    if (this.cancel.aborted) return;
    this.run.registry.push(this.run.registry.byId(metric), this.run.clock.now(), value, tags, this.metadata);
  }

  private pushSamples(batch: readonly GuestSample[]): void {
    const checks = this.run.systemTags.has('check');
    const groupMetric = this.run.registry.get('group_duration').id;
    const checkMetric = this.run.registry.get('checks').id;
    for (const [metric, value, tags, group] of batch) {
      let own = tags === 0 ? {} : tags;
      if (metric === groupMetric) this.run.checks.group(group);
      if (metric === checkMetric && tags !== 0) {
        this.run.checks.add(group, tags['check'] ?? '', value !== 0);
        if (!checks) {
          const { check: _, ...rest } = tags;
          own = rest;
        }
      }
      this.push(metric, value, this.tagSet(group, own));
    }
  }

  private pushBytes(tags: TagSet): void {
    const bytes = this.transport.takeBytes();
    this.push(this.run.registry.get('data_sent').id, bytes.sent, tags);
    this.push(this.run.registry.get('data_received').id, bytes.received, tags);
  }
}

function metadataOf(systemTags: ReadonlySet<string>, vu: number, iteration: number): Metadata | undefined {
  if (!systemTags.has('vu') && !systemTags.has('iter')) return undefined;
  return {
    ...(systemTags.has('vu') ? { vu: String(vu) } : {}),
    ...(systemTags.has('iter') ? { iter: String(iteration) } : {}),
  };
}
