/** Runs one scenario by its executor. */
import { sleep } from '../clock.ts';
import type { RunContext } from '../run-context.ts';
import type { Scenario } from '../scenarios.ts';
import type { VuPool } from '../vu-pool.ts';
import { arrivalRate } from './arrival-rate.ts';
import { constantVus, perVuIterations, rampingVus, sharedIterations } from './closed.ts';
import { ScenarioRun } from './scenario-run.ts';

/** @param loadStart ms since the epoch; startTime counts from it */
export async function executeScenario(
  run: RunContext,
  pool: VuPool,
  scenario: Scenario,
  loadStart: number,
): Promise<void> {
  const wait = loadStart + scenario.startTime - run.clock.now();
  if (wait > 0 && !(await sleep(run.clock, wait, run.abort))) return;
  if (run.abort.aborted) return;
  switch (scenario.executor) {
    case 'constant-arrival-rate':
    case 'ramping-arrival-rate':
      return arrivalRate(new ScenarioRun(run, pool, scenario));
    case 'constant-vus':
      return constantVus(new ScenarioRun(run, pool, scenario));
    case 'ramping-vus':
      return rampingVus(new ScenarioRun(run, pool, scenario));
    case 'per-vu-iterations':
      return perVuIterations(new ScenarioRun(run, pool, scenario));
    case 'shared-iterations':
      return sharedIterations(new ScenarioRun(run, pool, scenario));
  }
}
