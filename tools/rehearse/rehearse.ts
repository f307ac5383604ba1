/** A rehearsal: the real bundle on a virtual clock against a model of the server. */
import { inspectScript } from '../engine/inspect.ts';
import { type ModelFacts, NO_SUITE, type ServedSuite, serverSimulation } from '../engine/model/model-transport.ts';
import type { ServerModel } from '../engine/model/server-model.ts';
import { NotRewritable } from '../engine/native/parse.ts';
import { runEmbedded } from '../engine/run.ts';
import type { EngineResult, OutputSpec } from '../engine/spec.ts';
import { virtualClock } from '../engine/virtual-clock.ts';
import { type Tally, tallyObserver } from './observer.ts';

export interface RehearsalRequest {
  readonly script: string;
  /** Variables of the script; only these, so that two machines rehearse the same. */
  readonly env: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly model: ServerModel;
  /** Whose server is modelled; by default one that knows no endpoint. */
  readonly suite?: ServedSuite;
  readonly seed: number;
  /** Interpret the script in a sandbox even where the faster way is open to it. */
  readonly interpreted?: boolean;
  /** Longest computation of a session between two waits, ms of real time; default 10 s. */
  readonly computeLimitMs?: number;
  readonly outputs?: readonly OutputSpec[];
  readonly summaryExport?: string;
  readonly log?: (text: string) => void;
  readonly stdout?: (text: string) => void;
  /** Let handleSummary run and write its files. */
  readonly summary?: boolean;
}

export interface Rehearsal {
  readonly result: EngineResult;
  readonly tally: Tally;
  readonly server: ModelFacts;
  /** How the script was run. */
  readonly by: 'native' | 'interpreter';
  /** Virtual length of the run, seconds. */
  readonly seconds: number;
}

/** Where a script that is not told believes its target to be. */
const BASE_URL = 'http://127.0.0.1';

/** Every rehearsal begins at the same moment, so that its files are the same to the byte. */
export const REHEARSAL_START = Date.UTC(2026, 0, 1);

/** Rehearses a script as V8's own code where it can be rewritten so, else interpreted, which takes many times longer. */
export async function rehearse(request: RehearsalRequest): Promise<Rehearsal> {
  if (request.interpreted === true) return interpret(request);
  try {
    return await rehearseBy('native', request);
  } catch (error) {
    if (!(error instanceof NotRewritable)) throw error;
    request.log?.(`the script is rehearsed by the interpreter, which takes longer: ${error.message}\n`);
    return interpret(request);
  }
}

/** Virtual seconds from which an optimised virtual machine pays. */
const LONG_SECONDS = 600;

async function interpret(request: RehearsalRequest): Promise<Rehearsal> {
  const { script, env, options } = request;
  const asked = { script, env: { BASE_URL, ...env }, ...(options === undefined ? {} : { options }) };
  // What is wrong with the script, the rehearsal itself says.
  const { totalSeconds } = await inspectScript(asked).catch(() => ({ totalSeconds: 0 }));
  return rehearseBy('interpreter', request, totalSeconds > LONG_SECONDS);
}

async function rehearseBy(
  by: 'native' | 'interpreter',
  request: RehearsalRequest,
  optimise = false,
): Promise<Rehearsal> {
  const clock = virtualClock(REHEARSAL_START);
  const simulation = serverSimulation(request.model, clock, request.seed, request.suite ?? NO_SUITE);
  const { observer, tally } = tallyObserver();
  const run = runEmbedded({
    script: request.script,
    env: { BASE_URL, ...request.env },
    ...(request.options === undefined ? {} : { options: request.options }),
    outputs: request.outputs ?? [],
    csvTimeFormat: 'unix_milli',
    ...(request.summaryExport === undefined ? {} : { summaryExport: request.summaryExport }),
    noSummary: request.summary !== true,
    stdout: request.stdout ?? (() => undefined),
    stderr: request.log ?? (() => undefined),
    clock,
    newTransport: simulation.transport,
    seed: request.seed,
    optimise,
    ...(request.computeLimitMs === undefined ? {} : { computeLimitMs: request.computeLimitMs }),
    native: by === 'native',
    observer,
  });
  const result = await clock.drive(run);
  return {
    result,
    tally: tally(),
    server: simulation.facts,
    by,
    seconds: (result.summary?.state.testRunDurationMs ?? 0) / 1000,
  };
}
