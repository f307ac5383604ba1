/** What all executors do: take VUs, count iterations, wait for the regular end, and end what runs too long. */
import { Cancellation } from '../cancellation.ts';
import { sleep } from '../clock.ts';
import { durationOption } from '../duration-option.ts';
import type { TagSet } from '../metrics/types.ts';
import { changeActiveVus, type RunContext } from '../run-context.ts';
import { regularDuration, type Scenario, vusOf } from '../scenarios.ts';
import type { Striping } from '../segment.ts';
import type { Vu, VuScenario } from '../vu.ts';
import type { VuPool } from '../vu-pool.ts';

export class ScenarioRun<S extends Scenario = Scenario> {
  readonly scenario: S;
  readonly run: RunContext;
  readonly pool: VuPool;
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly regularEnd: number;
  /** Deals iterations, in proportion to this instance's share of the scenario's VUs. */
  readonly striping: Striping;
  readonly identity: VuScenario;
  private readonly running = new Set<Promise<unknown>>();
  private readonly busy = new Set<Vu>();
  private readonly ended = new Cancellation();
  private readonly dropTags: TagSet;
  /** `minIterationDuration`, ms. */
  private readonly shortest: number;
  private iterations = 0;

  constructor(run: RunContext, pool: VuPool, scenario: S) {
    this.scenario = scenario;
    this.run = run;
    this.pool = pool;
    this.start = run.clock.now();
    this.regularEnd = this.start + regularDuration(scenario);
    const { minIterationDuration } = run.options;
    this.shortest =
      minIterationDuration === undefined ? 0 : durationOption(minIterationDuration, 'minIterationDuration');
    this.striping = run.striping.rescale(vusOf(scenario).most);
    this.identity = {
      name: scenario.name,
      executor: scenario.executor,
      exec: scenario.exec,
      tags: scenario.tags,
      env: scenario.env,
      startTime: this.start,
    };
    const own = run.systemTags.has('scenario') ? { scenario: scenario.name } : {};
    this.dropTags = run.registry.tags({ ...run.runTags, ...scenario.tags, ...own });
    run.progress.set(scenario.name, () =>
      Math.min(1, (run.clock.now() - this.start) / Math.max(1, this.regularEnd - this.start)),
    );
  }

  /** Aborted when the run ends before its time. */
  get aborted(): Cancellation {
    return this.run.abort;
  }

  /** Waits until `time` (ms since the epoch); false when the run was aborted. */
  until(time: number): Promise<boolean> {
    const left = time - this.run.clock.now();
    return left <= 0 ? Promise.resolve(!this.aborted.aborted) : sleep(this.run.clock, left, this.aborted);
  }

  /** One iteration, numbered as it starts. */
  async iterate(vu: Vu): Promise<boolean> {
    const inInstance = this.iterations++;
    this.busy.add(vu);
    changeActiveVus(this.run, 1);
    try {
      const start = this.run.clock.now();
      const completed = await vu.iterate({ inInstance, inTest: this.striping.global(inInstance) });
      if (completed && this.shortest > 0) await this.until(start + this.shortest);
      return completed;
    } finally {
      this.busy.delete(vu);
      changeActiveVus(this.run, -1);
    }
  }

  /** Lets `work` run beside; `finish` waits for it. */
  track(work: Promise<unknown>): void {
    this.running.add(work);
    void work.then(
      () => this.running.delete(work),
      () => undefined,
    );
  }

  drop(count = 1): void {
    const { registry, clock } = this.run;
    registry.push(registry.get('dropped_iterations'), clock.now(), count, this.dropTags);
  }

  /** Waits for what still runs, and interrupts it when gracefulStop is over. */
  async finish(): Promise<void> {
    const timer = this.run.clock.at(this.regularEnd + this.scenario.gracefulStop, () => {
      this.ended.abort();
      for (const vu of this.busy) vu.interrupt();
    });
    try {
      // Work may add work (a VU that was on its way); so until nothing is left.
      while (this.running.size > 0) await Promise.all(this.running);
    } finally {
      timer.cancel();
    }
  }

  /** Whether gracefulStop is over. */
  get isOver(): boolean {
    return this.ended.aborted || this.aborted.aborted;
  }
}
