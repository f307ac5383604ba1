/**
 * `experiment stall`: the same stall of the system met by a closed loop, whose users wait and so send nothing meanwhile, and
 * by an open model of the same rate, whose users arrive whatever happens (coordinated omission).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pc from 'picocolors';
import { EXIT } from '../base/exit-codes.ts';
import { terminalTable } from '../base/terminal-table.ts';
import { UserError } from '../base/user-error.ts';
import { type Analysis, analyse } from '../verdict/analyse.ts';
import { quantileOf } from '../verdict/populations.ts';
import { isSound, printRunVerdicts, type RunVerdict, runVerdict } from './run-verdict.ts';
import { type Bench, type ExperimentOptions, experiment } from './runs.ts';
import type { System } from './system.ts';

export const STALL_SCHEMA_VERSION = 1;

export interface StallOptions extends ExperimentOptions {
  readonly seconds: number;
  /** Length of the stall, s. */
  readonly stall: number;
  /** Users of the closed loop, each with about 19 requests per second. */
  readonly users: number;
}

export interface StallSide {
  readonly model: 'closed' | 'open';
  readonly n: number;
  /** Requests per second of load. */
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly maxMs: number;
  /** p99 with the requests that waiting users never sent; of a closed loop only. */
  readonly correctedP99?: number;
}

export interface Stall {
  readonly schemaVersion: typeof STALL_SCHEMA_VERSION;
  readonly stallMs: number;
  readonly sides: readonly [StallSide, StallSide];
  /** p99 of the open model over that of the closed loop. */
  readonly factor: number;
  readonly verdicts: readonly RunVerdict[];
}

/** Factor on the pause of 0.5 to 1.5 s between two requests of a user: 50 ms in the mean. */
const THINK = 0.05;
/** Part of the run after which the system stands still. */
const WHEN = 0.4;
const POLL_MS = 50;

/** @returns 0, 3 when a run was no valid test or dropped sessions */
export async function stallCommand(options: StallOptions): Promise<number> {
  return experiment(options, async (bench) => {
    const { say, system, engine } = bench;
    say('starting the bookstore …');
    const target = await system();
    say(`closed loop: ${options.users} users for ${options.seconds} s, one stall of ${options.stall} s`);
    const closed = await runWithStall(bench, target, options, options.users / THINK, 'closed-loop', {
      VUS: `${options.users}`,
      THINK: `${THINK}`,
    });
    const rate = Math.max(1, Math.round(closed.side.n / closed.seconds));
    say(`open model: ${rate} requests/s for ${options.seconds} s, the same stall`);
    const open = await runWithStall(bench, target, options, rate, 'book-details', {
      RATE: `${rate}`,
      // All who arrive during the stall wait at once.
      PREALLOCATED_VUS: `${Math.ceil(1.5 * rate * options.stall) + 30}`,
    });
    const found: Stall = {
      schemaVersion: STALL_SCHEMA_VERSION,
      stallMs: options.stall * 1000,
      sides: [closed.side, open.side],
      factor: open.side.p99 / closed.side.p99,
      verdicts: [closed.verdict, open.verdict],
    };
    const runs = { closed: closed.folder, open: open.folder };
    if (options.json) process.stdout.write(`${JSON.stringify({ ...found, runs, engine: engine.name })}\n`);
    else process.stdout.write(`${printStall(found)}Runs: ${runs.closed} (closed), ${runs.open} (open)\n`);
    return found.verdicts.every(isSound) ? EXIT.ok : EXIT.noVerdict;
  });
}

async function runWithStall(
  { run }: Bench,
  system: System,
  { seconds, stall }: StallOptions,
  rate: number,
  scenario: string,
  env: Readonly<Record<string, string>>,
) {
  const over = new AbortController();
  const stalled = stallUnderLoad(system, Math.ceil(WHEN * seconds * rate), stall, over.signal);
  try {
    const { folder } = await run(scenario, { BASE_URL: system.url, DURATION: `${seconds}s`, ...env });
    over.abort();
    await stalled;
    const analysis = await analyse({ paths: [folder] });
    const model = scenario === 'closed-loop' ? 'closed' : 'open';
    const side = sideOf(analysis, model);
    if (side.maxMs < 500 * stall) {
      throw new UserError(
        `the stall did not fall into the run (slowest answer ${side.maxMs.toFixed(0)} ms); give more --seconds`,
        EXIT.noVerdict,
      );
    }
    return { folder, side, seconds, verdict: runVerdict(model, analysis) };
  } finally {
    over.abort();
    await stalled.catch(() => undefined);
    await system.faults([]);
  }
}

/** Waits until so many details requests of the run have come, then lets the system stand still. */
async function stallUnderLoad(system: System, requests: number, seconds: number, over: AbortSignal): Promise<void> {
  const before = await system.requests();
  while (!over.aborted) {
    if ((await system.requests()) - before >= requests) {
      await system.faults([{ kind: 'stall', endpoint: 'details', forSeconds: seconds }]);
      return;
    }
    await sleep(POLL_MS);
  }
}

/** One side's numbers from its analysis. Pure. @throws UserError when the run has too few answers for a p99 */
export function sideOf({ facts }: Analysis, model: StallSide['model']): StallSide {
  const population = facts.populations.find(({ statusClass, phase }) => statusClass === '2xx' && phase === 'measure');
  const p99 = quantileOf(population, 0.99);
  if (population?.latency === undefined || p99?.carried !== true) {
    throw new UserError(
      `${model} run: ${population?.n ?? 0} answers do not carry a p99; give more --seconds or --users`,
      EXIT.noVerdict,
    );
  }
  return {
    model,
    n: population.n,
    rate: population.n / Math.max(1e-3, facts.window.loadSeconds ?? facts.window.seconds),
    p50: quantileOf(population, 0.5)?.value ?? 0,
    p99: p99.value,
    maxMs: population.latency.maxMs,
    ...(facts.omission !== undefined && { correctedP99: facts.omission.correctedP99Ms }),
  };
}

export function printStall({ sides, factor, stallMs, verdicts }: Stall): string {
  const ms = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(value < 10 ? 2 : 0));
  return [
    pc.bold(`One stall of ${stallMs / 1000} s (ms)`),
    ...terminalTable([
      ['model', 'requests', 'p50', 'p99', 'p99 corrected', 'max'],
      ...sides.map((side) => [
        side.model,
        String(side.n),
        ms(side.p50),
        ms(side.p99),
        ms(side.correctedP99),
        ms(side.maxMs),
      ]),
    ]),
    '',
    `The open model's p99 is ${pc.bold(`${factor.toFixed(0)} times`)} the closed loop's: the users of a closed loop wait, so almost nobody`,
    'is there to meet the stall. "Corrected" adds the requests that they would have sent at their own pace.',
    '',
    printRunVerdicts(verdicts),
  ].join('\n');
}
