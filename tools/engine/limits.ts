/** What this engine can carry, checked before the start: a sentence is better than a crash in the middle. */

import { statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { largest } from '../../lib/model/extremes.ts';
import { EngineError } from './engine-error.ts';
import type { Scenario } from './scenarios.ts';
import type { Striping } from './segment.ts';
import { mostVus } from './vu-pool.ts';

/** Measured: a VU of a small script 0.1 MB at most, and about 20 bytes a byte of script. */
const VM_MB = 0.1;
const MB_PER_SCRIPT_BYTE = 20 / 2 ** 20;
/** Share of the machine's memory that VUs may take. */
const MEMORY_SHARE = 0.6;
/** One thread runs all VUs; above this rate it is the generator that is measured. */
const MOST_RATE = 2000;

/** @throws EngineError (exit code 104) naming the limit and the way out */
export function checkLimits(scenarios: readonly Scenario[], striping: Striping, script: string): void {
  const vus = mostVus(scenarios, striping);
  const perVu = VM_MB + statSync(script).size * MB_PER_SCRIPT_BYTE;
  const allowed = (totalmem() / 2 ** 20) * MEMORY_SHARE;
  if (vus * perVu > allowed) {
    throw EngineError.config(
      `${vus} VUs need about ${Math.round(vus * perVu)} MB in the embedded engine and this machine can give ${Math.round(allowed)} MB; lower maxVUs or run this script with k6 (--engine k6)`,
    );
  }
  for (const scenario of scenarios) {
    const rate = highestRate(scenario);
    if (rate > MOST_RATE) {
      throw EngineError.config(
        `scenario ${scenario.name} starts ${Math.round(rate)} iterations/s and the embedded engine carries at most ${MOST_RATE}/s; lower the rate or run this script with k6 (--engine k6)`,
      );
    }
  }
}

/** Iterations per second at the highest. */
function highestRate(scenario: Scenario): number {
  if (scenario.executor === 'constant-arrival-rate') return (scenario.rate / scenario.timeUnit) * 1000;
  if (scenario.executor !== 'ramping-arrival-rate') return 0;
  const most = largest(
    scenario.stages.map((stage) => stage.target),
    scenario.startRate,
  );
  return (most / scenario.timeUnit) * 1000;
}
