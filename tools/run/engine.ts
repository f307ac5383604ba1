/**
 * The seam between a run and what executes it: k6, found on PATH or by K6_BIN. An engine runs the same bundle with the
 * same variables and writes the same files.
 */

/** Where the engine's standard output goes: ours, our standard error, nowhere, or a file of this path. */
export type Stdout = 'inherit' | 'stderr' | 'none' | { readonly file: string };

export interface EngineSpec {
  /** Absolute path of the bundle or script. */
  readonly script: string;
  /** Variables for the script (`-e`). */
  readonly env: Readonly<Record<string, string>>;
  /** Tags of every sample; replace the script's `options.tags` when there is one, so they hold those too. */
  readonly tags: Readonly<Record<string, string>>;
  /** Further outputs of the user, in k6's notation. */
  readonly outputs: readonly string[];
  /** Arguments that only the engine understands. */
  readonly rest: readonly string[];
  /** Absolute path of the samples file; undefined: none is written. */
  readonly samplesFile: string | undefined;
  /** Where to write k6's summary export. */
  readonly summaryExport: string;
  readonly quiet: boolean;
  /** Not ours when that carries JSON. */
  readonly stdout: Stdout;
  /** Absolute path of the file that gets the engine's log. */
  readonly logFile: string;
  /** Gets the log in whole lines while it is written. */
  readonly onLog: (text: string) => void;
}

/** What an engine makes of a script before it runs. */
export interface Inspection {
  /** Options with the command line applied, but for the tags of the command line; null when it could not tell. */
  readonly options: Record<string, unknown> | null;
  readonly requirements: { readonly maxVUs: number; readonly totalSeconds: number } | null;
  /** By which sentence the script refused its variables, when it did. */
  readonly refused?: string;
}

/** A run on its way. */
export interface RunningEngine {
  /** Process whose CPU and memory are the generator's. */
  readonly pid: number;
  /** Ask for an orderly end; a second time ends at once. */
  readonly signal: (signal: NodeJS.Signals) => void;
}

export interface EngineResult {
  /** As a shell shows it: 128 + n when signal n killed the engine. */
  readonly exitCode: number;
  readonly signal: NodeJS.Signals | null;
}

/** A start that waits for a word, so that several processes can begin at the same moment. */
export interface StartBarrier {
  /** Arguments that make the engine wait when it is ready to run. */
  readonly args: readonly string[];
  /** Resolves once it waits. @param over aborted when there is nothing left to wait for; resolves then too */
  readonly ready: (over: AbortSignal) => Promise<void>;
  /** Lets it run. */
  readonly release: () => Promise<void>;
}

export interface Engine {
  readonly name: string;
  readonly version: string;
  /** Path of the program, when it is one. */
  readonly path: string | null;
  /** The arguments that `run` will use. */
  readonly argv: (spec: EngineSpec) => readonly string[];
  readonly inspect: (spec: EngineSpec) => Promise<Inspection>;
  /** A start that waits; undefined when the engine knows none and begins as soon as it is ready. */
  readonly startBarrier?: () => Promise<StartBarrier>;
  /** Runs to the end; `onStart` is called once, as soon as there is a process to watch. */
  readonly run: (spec: EngineSpec, onStart: (running: RunningEngine) => void) => Promise<EngineResult>;
}

export const ENGINE_NAMES = ['k6', 'embedded'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];
