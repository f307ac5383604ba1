/**
 * `experiment cold-warm`: the same sessions against a bookstore that has just been started (or whose cache was purged) and
 * against a warmed-up one.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pc from 'picocolors';
import { EXIT } from '../../base/exit-codes.ts';
import { packageRoot } from '../../base/package.ts';
import { notComparable } from '../../verdict/compare/comparable.ts';
import { compareSides, DEFAULT_COMPARE } from '../../verdict/compare/compare.ts';
import { printComparison } from '../../verdict/compare/print.ts';
import { readSide, type Side } from '../../verdict/compare/side.ts';
import { isSound, printRunVerdicts, type RunVerdict, runVerdict } from '../run-verdict.ts';
import { type Bench, type ExperimentOptions, experiment } from '../runs.ts';
import type { System } from '../system.ts';
import { cacheFacts } from './populations.ts';
import { coldWarm, printColdWarm } from './report.ts';

export interface ColdWarmOptions extends ExperimentOptions {
  readonly scenario: string;
  /** Sessions per second. */
  readonly rate: number;
  /** Length of each measured window, s. */
  readonly seconds: number;
  /** Length of the warm-up before the warm window, s. */
  readonly warmup: number;
  /** Purge the cache of a bookstore that has been running, instead of starting it anew. */
  readonly purge: boolean;
  /** Warm against warm: what differs then is noise. */
  readonly noise: boolean;
}

/** Most stretches of the warm-up curve; a second each in a shorter run. */
const MOST_BINS = 60;

/** @returns 0, 3 when a run was no valid test or dropped sessions; with `noise` 1 when a difference was shown where there is none */
export async function coldWarmCommand(options: ColdWarmOptions): Promise<number> {
  return experiment(options, (bench) => (options.noise ? warmWarm(bench, options) : compareStates(bench, options)));
}

async function compareStates(bench: Bench, options: ColdWarmOptions): Promise<number> {
  const system = await coldSystem(bench, options);
  bench.say(`cold: ${options.scenario}, ${options.rate}/s for ${options.seconds} s`);
  const cold = await bench.run(options.scenario, { ...variables(system, options), CACHE: 'cold' });
  const warm = await runWarm(bench, system, options);
  const books = booksInOrder();
  const bins = Math.min(MOST_BINS, Math.max(1, Math.floor(options.seconds)));
  const found = coldWarm(await cacheFacts(cold.folder, books, bins), await cacheFacts(warm.folder, books, bins));
  const [sideA, sideB] = [await readSide([cold.folder]), await readSide([warm.folder])];
  // Microseconds count here: a cached answer takes less than the millisecond that `compare` asks for.
  const comparison = compareSides(sideA, sideB, { ...DEFAULT_COMPARE, minimumMs: 0 });
  const verdicts = [...verdictsOf('cold', sideA), ...verdictsOf('warm', sideB)];
  if (options.json) {
    const runs = { cold: cold.folder, warm: warm.folder };
    process.stdout.write(`${JSON.stringify({ ...found, comparison, verdicts, runs, engine: bench.engine.name })}\n`);
  } else {
    process.stdout.write(
      `${printColdWarm(found)}\n${printComparison(comparison, false)}\n${printRunVerdicts(verdicts)}`,
    );
    process.stdout.write(`Runs: ${cold.folder} (A, cold), ${warm.folder} (B, warm)\n`);
  }
  return verdicts.every(isSound) ? EXIT.ok : EXIT.noVerdict;
}

function verdictsOf(name: string, { analyses }: Side): RunVerdict[] {
  return analyses.map((analysis) => runVerdict(name, analysis));
}

async function warmWarm(bench: Bench, options: ColdWarmOptions): Promise<number> {
  const system = await bench.system();
  const first = await runWarm(bench, system, options);
  const second = await runWarm(bench, system, options);
  const [a, b] = [await readSide([first.folder]), await readSide([second.folder])];
  const comparison = compareSides(a, b);
  const refused = notComparable(a, b);
  const verdicts = [...verdictsOf('first', a), ...verdictsOf('second', b)];
  const moved = comparison.rows.filter((row) => row.mark !== '~').length + Number(comparison.failures.mark !== '~');
  if (options.json) {
    const runs = { first: first.folder, second: second.folder };
    process.stdout.write(
      `${JSON.stringify({ ...comparison, noise: true, moved, refused, verdicts, runs, engine: bench.engine.name })}\n`,
    );
  } else {
    process.stdout.write(`${printComparison(comparison, true)}\n${printRunVerdicts(verdicts)}`);
    for (const reason of refused) process.stdout.write(`${pc.red(`Not comparable: ${reason}`)}\n`);
  }
  if (refused.length > 0 || !verdicts.every(isSound)) return EXIT.noVerdict;
  return moved === 0 ? EXIT.ok : EXIT.regression;
}

/** A bookstore whose cache is empty: just started, or used for a while and purged by the run itself (CACHE=cold). */
async function coldSystem(bench: Bench, options: ColdWarmOptions): Promise<System> {
  bench.say('starting the bookstore …');
  const system = await bench.system();
  if (!options.purge) return system;
  bench.say(`${options.warmup} s of load before the cache is purged`);
  const before = { ...variables(system, options), SEED: `${options.seed}/before`, DURATION: `${options.warmup}s` };
  await bench.run(options.scenario, before);
  return system;
}

async function runWarm(bench: Bench, system: System, options: ColdWarmOptions) {
  // The run before had the same sessions: what it left in the cache would answer every one of them.
  await system.purge();
  bench.say(
    `warm: ${options.warmup} s of warm-up, then ${options.scenario}, ${options.rate}/s for ${options.seconds} s`,
  );
  return bench.run(options.scenario, {
    ...variables(system, options),
    CACHE: 'warm',
    WARMUP: `${options.warmup}s`,
  });
}

function variables(system: System, options: ColdWarmOptions): Record<string, string> {
  return {
    BASE_URL: system.url,
    RATE: `${options.rate}`,
    DURATION: `${options.seconds}s`,
    CACHE_TAG: 'item',
    // Paying customers would be another experiment.
    PAYMENTS: 'declared',
  };
}

/** Ids of the built catalogue in popularity order. */
function booksInOrder(): string[] {
  const rows = JSON.parse(readFileSync(join(packageRoot(), 'dist', 'data', 'rows.json'), 'utf8')) as string[];
  return rows.slice(3, 3 + Number(rows[0]));
}
