/**
 * Open model: iterations start at planned times, whatever the answers take. A tick without a free VU is a dropped
 * iteration, and adds one VU, one at a time, as long as maxVUs allows.
 */
import { rampInstants } from '../../../lib/k6/ramp.ts';
import type { ScenarioOf } from '../scenarios.ts';
import type { Striping } from '../segment.ts';
import type { Vu } from '../vu.ts';
import type { ScenarioRun } from './scenario-run.ts';

type Arrival = ScenarioOf<'constant-arrival-rate'> | ScenarioOf<'ramping-arrival-rate'>;

export async function arrivalRate(scenarioRun: ScenarioRun<Arrival>): Promise<void> {
  const { scenario, run, pool, identity, striping } = scenarioRun;
  const most = run.striping.scale(scenario.maxVUs);
  if (most === 0 || striping.ours.length === 0) {
    run.log('warning', `no VUs of scenario ${scenario.name} fall into this execution segment; it does nothing here`);
    return;
  }
  const free: Vu[] = [];
  const taken: Vu[] = [];
  const planned = run.striping.scale(scenario.preAllocatedVUs);
  for (let i = 0; i < planned; i++) free.push(await pool.take(identity));
  taken.push(...free);
  let growing = false;
  let warned = false;

  const serve = async (vu: Vu) => {
    await scenarioRun.iterate(vu);
    free.push(vu);
  };
  const grow = async () => {
    growing = true;
    try {
      const vu = await pool.grow(identity);
      taken.push(vu);
      free.push(vu);
    } finally {
      growing = false;
    }
  };

  for (const offset of tickOffsets(scenario, striping)) {
    if (!(await scenarioRun.until(scenarioRun.start + offset))) break;
    // As k6 the one that has waited longest; in a rehearsal the last one, so that few virtual machines are needed.
    const vu = run.clock.virtual ? free.pop() : free.shift();
    if (vu !== undefined) {
      scenarioRun.track(serve(vu));
      continue;
    }
    scenarioRun.drop();
    if (growing) continue;
    if (taken.length < most) scenarioRun.track(grow());
    else if (!warned) {
      warned = true;
      run.log('warning', `Insufficient VUs, reached ${taken.length} active VUs and cannot initialize more`, {
        executor: scenario.executor,
        scenario: scenario.name,
      });
    }
  }
  await scenarioRun.until(scenarioRun.regularEnd);
  await scenarioRun.finish();
  for (const vu of taken) pool.give(vu);
}

/** Times of our ticks, ms after the scenario's start, rising, none after its regular end. */
export function tickOffsets(scenario: Arrival, striping: Striping): Iterable<number> {
  return scenario.executor === 'constant-arrival-rate'
    ? constantTicks(scenario.timeUnit / scenario.rate, scenario.duration, striping)
    : rampInstants(
        scenario.startRate / scenario.timeUnit,
        scenario.stages.map(({ duration, target }) => ({ duration, target: target / scenario.timeUnit })),
        (i) => striping.global(i) + 1,
      );
}

/** Tick n at n periods, the first at once and the one at the very end included: rate x duration + 1 of them. */
function* constantTicks(period: number, duration: number, striping: Striping): Generator<number> {
  for (let i = 0; ; i++) {
    const offset = striping.global(i) * period;
    if (offset > duration) return;
    yield offset;
  }
}
