/** The VUs of a run: made before the start as the plan needs them, lent to scenarios, grown when one asks. */
import { largest } from '../../lib/model/extremes.ts';
import type { RunContext } from './run-context.ts';
import { regularDuration, type Scenario, vusOf } from './scenarios.ts';
import type { Striping } from './segment.ts';
import { Vu, type VuScenario } from './vu.ts';

export class VuPool {
  private readonly run: RunContext;
  private readonly idle: Vu[] = [];
  private readonly all: Vu[] = [];

  constructor(run: RunContext) {
    this.run = run;
  }

  /** Makes `count` VUs. @throws the script's error, when init throws in a VU */
  async prepare(count: number): Promise<void> {
    for (let i = 0; i < count && !this.run.abort.aborted; i++) this.idle.push(await this.create());
  }

  /** An idle VU bound to the scenario, a new one when none is left. */
  async take(scenario: VuScenario): Promise<Vu> {
    const vu = this.idle.shift() ?? (await this.create());
    vu.enter(scenario);
    return vu;
  }

  /** As `take`, never an idle one: growth, which costs the time of an initialisation. */
  async grow(scenario: VuScenario): Promise<Vu> {
    const vu = await this.create();
    vu.enter(scenario);
    return vu;
  }

  give(vu: Vu): void {
    this.idle.push(vu);
  }

  /** Ends all iterations that run. */
  interrupt(): void {
    for (const vu of this.all) vu.interrupt();
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((vu) => vu.close()));
  }

  private async create(): Promise<Vu> {
    const index = this.all.length;
    const vu = new Vu(this.run, index + 1, this.run.striping.global(index) + 1);
    this.all.push(vu);
    // On a virtual clock loading takes no time, so it is left until the VU is first used: most of those that are made for
    // the worst case never are.
    if (!this.run.clock.virtual) await vu.load();
    this.run.counts.initialisedVus++;
    return vu;
  }
}

/** VUs that must exist before the start: the most that scenarios running at the same time have planned. */
export function plannedVus(scenarios: readonly Scenario[], striping: Striping): number {
  const spans = scenarios.map((scenario) => ({
    from: scenario.startTime,
    to: scenario.startTime + regularDuration(scenario) + scenario.gracefulStop,
    vus: striping.scale(vusOf(scenario).planned),
  }));
  return largest(
    spans.map(({ from }) => spans.filter((s) => s.from <= from && from < s.to).reduce((sum, s) => sum + s.vus, 0)),
    0,
  );
}

/** Most VUs that could exist at the same time. */
export function mostVus(scenarios: readonly Scenario[], striping: Striping): number {
  return scenarios.reduce((sum, scenario) => sum + striping.scale(vusOf(scenario).most), 0);
}
