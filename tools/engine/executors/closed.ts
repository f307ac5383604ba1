/** Closed model: each VU starts its next iteration when the last one ends. */
import type { Timer } from '../clock.ts';
import type { ScenarioOf, Stage } from '../scenarios.ts';
import type { Vu } from '../vu.ts';
import type { ScenarioRun } from './scenario-run.ts';

/** How long iterations that wait for nothing may follow one another, ms, before timers and the network have their turn. */
const BREATH_MS = 10;

/** Without it a closed loop that never waits would never see that its time is over. */
function breathing(virtual: boolean): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (virtual || performance.now() - last < BREATH_MS) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        last = performance.now();
        resolve();
      }),
    );
  };
}

/** VUs that loop until `next` says no. */
async function loops(scenarioRun: ScenarioRun, vus: number, next: (vu: number) => boolean): Promise<void> {
  const { pool, identity } = scenarioRun;
  const taken: Vu[] = [];
  const breathe = breathing(scenarioRun.run.clock.virtual);
  for (let i = 0; i < vus; i++) taken.push(await pool.take(identity));
  taken.forEach((vu, i) => {
    const loop = async () => {
      while (!scenarioRun.isOver && next(i)) {
        await scenarioRun.iterate(vu);
        await breathe();
      }
    };
    scenarioRun.track(loop());
  });
  await scenarioRun.finish();
  for (const vu of taken) pool.give(vu);
}

export async function constantVus(scenarioRun: ScenarioRun<ScenarioOf<'constant-vus'>>): Promise<void> {
  const { scenario, run } = scenarioRun;
  await loops(scenarioRun, run.striping.scale(scenario.vus), () => run.clock.now() < scenarioRun.regularEnd);
}

export async function perVuIterations(scenarioRun: ScenarioRun<ScenarioOf<'per-vu-iterations'>>): Promise<void> {
  const { scenario, run } = scenarioRun;
  const vus = run.striping.scale(scenario.vus);
  const left = Array.from({ length: vus }, () => scenario.iterations);
  await loops(scenarioRun, vus, (vu) => {
    const mine = left[vu] ?? 0;
    if (mine === 0 || run.clock.now() >= scenarioRun.regularEnd) return false;
    left[vu] = mine - 1;
    return true;
  });
  if (!scenarioRun.aborted.aborted) for (const mine of left) if (mine > 0) scenarioRun.drop(mine);
}

export async function sharedIterations(scenarioRun: ScenarioRun<ScenarioOf<'shared-iterations'>>): Promise<void> {
  const { scenario, run, striping } = scenarioRun;
  let left = striping.scale(scenario.iterations);
  await loops(scenarioRun, run.striping.scale(scenario.vus), () => {
    if (left === 0 || run.clock.now() >= scenarioRun.regularEnd) return false;
    left--;
    return true;
  });
  if (left > 0 && !scenarioRun.aborted.aborted) scenarioRun.drop(left);
}

export async function rampingVus(scenarioRun: ScenarioRun<ScenarioOf<'ramping-vus'>>): Promise<void> {
  const { scenario, run, pool, identity } = scenarioRun;
  const breathe = breathing(run.clock.virtual);
  let wanted = 0;
  const slots: { vu: Vu; running: boolean; stop?: Timer }[] = [];
  const startSlot = async (index: number) => {
    const slot = slots[index] ?? { vu: await pool.take(identity), running: false };
    slots[index] = slot;
    slot.stop?.cancel();
    if (slot.running) return;
    slot.running = true;
    while (index < wanted && !scenarioRun.isOver) {
      await scenarioRun.iterate(slot.vu);
      await breathe();
    }
    slot.running = false;
  };
  const stopSlot = (index: number) => {
    const slot = slots[index];
    if (slot?.running !== true) return;
    slot.stop = run.clock.at(run.clock.now() + scenario.gracefulRampDown, () => slot.vu.interrupt());
  };
  for (const step of rampSteps(scenario.startVUs, scenario.stages)) {
    if (!(await scenarioRun.until(scenarioRun.start + step.at))) break;
    const before = wanted;
    wanted = run.striping.scale(step.vus);
    for (let i = before; i < wanted; i++) scenarioRun.track(startSlot(i));
    for (let i = wanted; i < before; i++) stopSlot(i);
  }
  await scenarioRun.until(scenarioRun.regularEnd);
  wanted = 0;
  await scenarioRun.finish();
  for (const slot of slots) {
    slot.stop?.cancel();
    pool.give(slot.vu);
  }
}

/** Times (ms after the start) at which the number of VUs changes; in a ramp by one at a time, evenly spread. */
export function rampSteps(startVUs: number, stages: readonly Stage[]): { at: number; vus: number }[] {
  const steps = [{ at: 0, vus: startVUs }];
  let at = 0;
  let from = startVUs;
  for (const { duration, target } of stages) {
    const change = Math.abs(target - from);
    const sign = Math.sign(target - from);
    if (duration === 0) {
      if (change > 0) steps.push({ at, vus: target });
    } else {
      for (let i = 1; i <= change; i++) steps.push({ at: at + (duration * i) / change, vus: from + sign * i });
    }
    at += duration;
    from = target;
  }
  return steps;
}
