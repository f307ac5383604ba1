/** A rehearsal: the real bundle on a virtual clock against a model of the server. */
import { type ModelFacts, NO_SUITE, type ServedSuite, serverSimulation } from '../engine/model/model-transport.ts';
import type { ServerModel } from '../engine/model/server-model.ts';
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
  /** Virtual length of the run, seconds. */
  readonly seconds: number;
}

/** Where a script that is not told believes its target to be. */
const BASE_URL = 'http://127.0.0.1';

/** Every rehearsal begins at the same moment, so that its files are the same to the byte. */
export const REHEARSAL_START = Date.UTC(2026, 0, 1);

/** Rehearses a script. */
export async function rehearse(request: RehearsalRequest): Promise<Rehearsal> {
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
    ...(request.computeLimitMs === undefined ? {} : { computeLimitMs: request.computeLimitMs }),
    observer,
  });
  const result = await clock.drive(run);
  return {
    result,
    tally: tally(),
    server: simulation.facts,
    seconds: (result.summary?.state.testRunDurationMs ?? 0) / 1000,
  };
}
