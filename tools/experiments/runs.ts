/** Runs of an experiment: each with its results folder, each to its end. */
import { EXIT } from '../base/exit-codes.ts';
import { UserError } from '../base/user-error.ts';
import { chooseEngine } from '../run/choose-engine.ts';
import type { Engine, EngineName } from '../run/engine.ts';
import { requestOf } from '../run/request.ts';
import { executeRun, type RunResult } from '../run/run.ts';
import { type System, type SystemOptions, startSystem } from './system.ts';

/** Options that all experiments have. */
export interface ExperimentOptions extends SystemOptions {
  readonly engine?: EngineName;
  /** Folder that gets one folder a run. */
  readonly results: string;
  readonly seed: string;
  /** Further variables of every run, `NAME=VALUE`. */
  readonly env: readonly string[];
  readonly json: boolean;
  readonly quiet: boolean;
}

export interface Bench {
  readonly engine: Engine;
  /** Tells the person who waits what comes next. */
  readonly say: (sentence: string) => void;
  /** Starts a bookstore that is stopped with the experiment. */
  readonly system: () => Promise<System>;
  /** Runs a scenario. @throws UserError when it was not to its end: then there is nothing to compare */
  readonly run: (scenario: string, env: Readonly<Record<string, string>>) => Promise<RunResult>;
}

/** Lets an experiment use an engine and bookstores; stops what still runs at its end, whatever that is. */
export async function experiment<Result>(
  options: ExperimentOptions,
  use: (bench: Bench) => Promise<Result>,
): Promise<Result> {
  const engine = await chooseEngine(options.engine);
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, abort);
  const systems: System[] = [];
  const say = (sentence: string): void => {
    if (!options.quiet) process.stderr.write(`${sentence}\n`);
  };
  try {
    return await use({
      engine,
      say,
      system: async () => {
        const system = await startSystem(options, stop.signal);
        systems.push(system);
        return system;
      },
      run: async (scenario, env) => {
        stop.signal.throwIfAborted();
        const variables = Object.entries({ SEED: options.seed, ...env }).map(([name, value]) => `${name}=${value}`);
        const given = {
          env: [...variables, ...options.env],
          tag: [],
          out: [],
          results: options.results,
          samples: true,
          quiet: true,
        };
        // Summary and log of each run would drown what the experiment shows; they lie in the run's folder.
        const quiet = { stdout: 'none', onLog: () => undefined } as const;
        const result = await executeRun(engine, { ...requestOf(scenario, [], given), ...quiet });
        refuseUnfinished(scenario, result);
        return result;
      },
    });
  } catch (error) {
    if (stop.signal.aborted) throw new UserError('the experiment was stopped before its end', EXIT.noVerdict);
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, abort);
    await Promise.all(systems.map((system) => system.stop()));
  }
}

/** Crossed thresholds are no matter here: what is slow on purpose crosses some. */
function refuseUnfinished(scenario: string, { exitCode, meaning, folder }: RunResult): void {
  if (exitCode === EXIT.ok || exitCode === EXIT.thresholds) return;
  throw new UserError(`${scenario}: exit code ${exitCode}: ${meaning} (${folder})`, EXIT.noVerdict);
}
