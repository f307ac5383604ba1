/** What a script asks for, without running it. */
import { largest } from '../../lib/model/extremes.ts';
import { UserError } from '../base/user-error.ts';
import { realClock } from './clock.ts';
import { EngineError } from './engine-error.ts';
import { newContext } from './new-context.ts';
import { consolidate } from './options.ts';
import type { RunContext } from './run-context.ts';
import { regularDuration, type Scenario, scenariosOf } from './scenarios.ts';
import { stripingOf } from './segment.ts';
import type { EmbeddedSpec } from './spec.ts';
import { BrokenVmError, ScriptError } from './vm/script-error.ts';
import { Vu } from './vu.ts';
import { mostVus } from './vu-pool.ts';

export interface ScriptInspection {
  readonly options: Readonly<Record<string, unknown>>;
  readonly functions: readonly string[];
  readonly scenarios: readonly Scenario[];
  readonly maxVUs: number;
  /** From the start to the last gracefulStop, seconds. */
  readonly totalSeconds: number;
}

/** @throws UserError when the script cannot be read or its options are wrong */
export async function inspectScript(spec: EmbeddedSpec): Promise<ScriptInspection> {
  const { observer: _, ...quiet } = spec;
  const own = {
    clock: realClock(),
    seed: 0,
    computeLimitMs: 10_000,
    newTransport: () => {
      throw new Error('inspecting sends nothing');
    },
  };
  const run = newContext({ ...quiet, ...own }, () => undefined, []);
  try {
    return await inspected(run, spec);
  } catch (error) {
    if (error instanceof EngineError) throw new UserError(`${spec.script}: ${error.message}`, error.exitCode);
    if (error instanceof ScriptError || error instanceof BrokenVmError) {
      throw new UserError(`${spec.script}: ${error.message}`);
    }
    throw error;
  }
}

async function inspected(run: RunContext, spec: EmbeddedSpec): Promise<ScriptInspection> {
  const idle = { send: () => Promise.reject(new Error('no requests')), takeBytes: () => ({ sent: 0, received: 0 }) };
  const vu = new Vu(
    { ...run, newTransport: () => ({ ...idle, endIteration: () => undefined, close: async () => undefined }) },
    0,
    0,
  );
  await vu.load();
  const exported = JSON.parse((await vu.stage('exports', {})) ?? '{}') as {
    functions: string[];
    options: Record<string, unknown>;
  };
  await vu.close();
  const options = consolidate(exported.options ?? {}, spec.options ?? {}, () => undefined);
  const scenarios = scenariosOf(options, () => undefined);
  const segment = (name: string) =>
    options[name] === undefined || options[name] === null ? undefined : String(options[name]);
  const striping = stripingOf(segment('executionSegment'), segment('executionSegmentSequence'));
  const ends = scenarios.map((s) => s.startTime + regularDuration(s) + s.gracefulStop);
  return {
    options,
    functions: exported.functions,
    scenarios,
    maxVUs: mostVus(scenarios, striping),
    totalSeconds: largest(ends, 0) / 1000,
  };
}
