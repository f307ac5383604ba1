/** A rehearsal: the real bundle on a virtual clock against a model of the server. */
import { type ModelFacts, serverSimulation } from '../model/model-transport.ts';
import type { ServerModel } from '../model/server-model.ts';
import { runEmbedded } from '../run.ts';
import type { EngineResult, OutputSpec } from '../spec.ts';
import { virtualClock } from '../virtual-clock.ts';
import { type Tally, tallyObserver } from './observer.ts';

export interface RehearsalRequest {
  readonly script: string;
  /** Variables of the script; only these, so that two machines rehearse the same. */
  readonly env: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly model: ServerModel;
  /** Books in the catalogue that the modelled bookstore serves. */
  readonly books: number;
  readonly seed: number;
  readonly optimise?: boolean;
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

/** Every rehearsal begins at the same moment, so that its files are the same to the byte. */
export const REHEARSAL_START = Date.UTC(2026, 0, 1);

export async function rehearse(request: RehearsalRequest): Promise<Rehearsal> {
  const clock = virtualClock(REHEARSAL_START);
  const simulation = serverSimulation(request.model, clock, request.seed, request.books);
  const { observer, tally } = tallyObserver();
  const run = runEmbedded({
    script: request.script,
    env: { BASE_URL: 'http://127.0.0.1', ...request.env },
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
    optimise: request.optimise === true,
    observer,
  });
  const result = await clock.drive(run);
  return { result, tally, server: simulation.facts, seconds: (result.summary?.state.testRunDurationMs ?? 0) / 1000 };
}
