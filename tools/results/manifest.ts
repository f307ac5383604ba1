/**
 * `manifest.json`: what was run, with what, where, and how it ended. Written at the start, renewed while the run goes on,
 * completed at the end; each time beside the old one and renamed, so that a reader never meets half a file.
 */
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { EXIT } from '../base/exit-codes.ts';
import { parseBoundedJson, plainText, readDocument } from '../base/input-file.ts';
import { UserError } from '../base/user-error.ts';
import { MANIFEST_SCHEMA_VERSION, RUN_FILES } from './files.ts';
import { counterSchema } from './suite-facts.ts';

const inputSchema = z.object({
  /** Absolute path at the time of the run. */
  file: z.string(),
  bytes: z.number(),
  sha256: z.string(),
});

const hostSchema = z.object({
  hostname: z.string(),
  cpuModel: z.string(),
  cores: z.number(),
  memoryBytes: z.number(),
  os: z.string(),
  architecture: z.string(),
  node: z.string(),
  /** CPU cores that a container may use when a limit is set, else null. */
  cpuLimitCores: z.number().nullable(),
  /** Memory that a container may use when a limit is set, else null. */
  memoryLimitBytes: z.number().nullable(),
});

const targetSchema = z.object({
  /** As given, user and password masked. */
  url: z.string(),
  host: z.string(),
  /** Whether the target runs on the generator's host; null when its name could not be resolved. */
  sameHost: z.boolean().nullable(),
  tls: z.boolean(),
});

const generatorSchema = z.object({
  /** Time between two samples, ms. */
  intervalMs: z.number(),
  /** Where the numbers come from; null: this platform has no source and the series are empty. */
  source: z.enum(['proc', 'ps']).nullable(),
  /** Epoch ms of each sample; the four series are equally long. */
  timeMs: z.array(z.number()),
  /** CPU cores that the load generator used since the sample before (1 = one core fully). */
  cpuCores: z.array(z.number()),
  /** Resident memory of the load generator, bytes. */
  rssBytes: z.array(z.number()),
  /** CPU cores busy on the whole machine since the sample before, all processes. */
  machineCores: z.array(z.number()),
});

const outcomeSchema = z.object({
  /** Exit code of the engine, 128 + n when it was killed by signal n. */
  exitCode: z.number(),
  signal: z.string().nullable(),
  /** Somebody asked for the end before the plan was done (SIGINT, SIGTERM, SIGHUP). */
  interrupted: z.boolean(),
  meaning: z.string(),
  /** `metric: expression` of each crossed threshold; null when no summary says. */
  thresholdsCrossed: z.array(z.string()).nullable(),
});

export const manifestSchema = z.object({
  schemaVersion: z.literal(MANIFEST_SCHEMA_VERSION),
  runId: z.string(),
  /**
   * `running` until the outcome is known (see `isCutOff` for a run whose watcher was killed), then `complete` (to its end),
   * `interrupted` (stopped or killed from outside) or `aborted` (refused or given up by itself).
   */
  status: z.enum(['running', 'complete', 'interrupted', 'aborted']),
  tool: z.object({ name: z.string(), version: z.string(), pid: z.number() }),
  engine: z.object({
    name: z.string(),
    version: z.string(),
    path: z.string().nullable(),
    /** Arguments as passed, secrets masked. */
    argv: z.array(z.string()),
    pid: z.number().nullable(),
  }),
  scenario: z.string(),
  script: inputSchema,
  /** Other files that shape the run, by role: workload, thresholds, rows, suite, lifecycle. */
  inputs: z.record(z.string(), inputSchema),
  /** Options as the engine saw them, command line included, long lists of stages packed (`stages.ts`); null when not known. */
  options: z.record(z.string(), z.unknown()).nullable(),
  /** VUs that the run may use at most and its longest duration, s; from the engine, not from our arithmetic. */
  requirements: z.object({ maxVUs: z.number(), totalSeconds: z.number() }).nullable(),
  /** SEED in force, the default included; null for a script that is not the suite's and got none. */
  seed: z.string().nullable(),
  /** Variables given with -e, and those of the environment that the suite or k6 reads; secrets masked. */
  env: z.record(z.string(), z.string()),
  /** Values in force of the suite's variables that nobody set. */
  defaults: z.record(z.string(), z.string()).optional(),
  tags: z.record(z.string(), z.string()),
  host: hostSchema,
  target: targetSchema.nullable(),
  /** The suite whose bundle the script is: names of its endpoints, and what its own counters mean. */
  suite: z
    .object({ endpoints: z.array(z.string()).optional(), counters: z.record(z.string(), counterSchema) })
    .optional(),
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  updatedAt: z.string(),
  endedAt: z.string().nullable(),
  generator: generatorSchema,
  outcome: outcomeSchema.nullable(),
  /** What a rehearsal took the target for. */
  model: z.unknown().optional(),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type GeneratorSeries = z.infer<typeof generatorSchema>;
export type Outcome = z.infer<typeof outcomeSchema>;
export type InputFile = z.infer<typeof inputSchema>;
export type HostFacts = z.infer<typeof hostSchema>;
export type TargetFacts = z.infer<typeof targetSchema>;

/** Writes the manifest into a run's folder. @throws the file system's error. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const file = join(folder, RUN_FILES.manifest);
  // One line a field: readable, and the stages of a long Poisson run do not fill megabytes with spaces.
  const lines = Object.entries(manifest).map(([field, value]) => `${JSON.stringify(field)}: ${JSON.stringify(value)}`);
  writeFileSync(`${file}.tmp`, `{\n${lines.join(',\n')}\n}\n`);
  renameSync(`${file}.tmp`, file);
}

/** Reads and checks the manifest of a run's folder. @throws UserError when it is missing, broken or of another version. */
export function readManifest(folder: string): Manifest {
  const file = join(folder, RUN_FILES.manifest);
  let value: unknown;
  try {
    value = parseBoundedJson(readDocument(file).toString('utf8'));
  } catch (error) {
    const why = !existsSync(file) ? 'there is none' : error instanceof UserError || error instanceof SyntaxError ? error.message : String(error);
    throw new UserError(`${file}: cannot read the manifest (${why}); name the folder of a run`, EXIT.noVerdict);
  }
  const version = (value as { schemaVersion?: unknown } | null)?.schemaVersion;
  if (version !== MANIFEST_SCHEMA_VERSION) {
    const remedy = 'use the version of bookstore-load that wrote it';
    throw new UserError(
      `${file}: schema version ${plainText(version)}, not ${MANIFEST_SCHEMA_VERSION}; ${remedy}`,
      EXIT.noVerdict,
    );
  }
  const parsed = manifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new UserError(`${file}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a manifest'}`, EXIT.noVerdict);
}

/**
 * Whether the watcher of a run was killed before it could complete the manifest; the samples up to then are kept.
 * @param pid the watcher's, on this machine
 */
export function isCutOff(
  { status, pid }: { readonly status: unknown; readonly pid: number | undefined },
  isAlive: (pid: number) => boolean = pidIsAlive,
): boolean {
  return status === 'running' && (pid === undefined || !isAlive(pid));
}

function pidIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
