/** The manifest of a run that is about to begin. */
import { existsSync } from 'node:fs';
import { packageVersion } from '../base/package.ts';
import { MANIFEST_SCHEMA_VERSION } from '../results/files.ts';
import type { InputFile, Manifest } from '../results/manifest.ts';
import { packStages } from '../results/stages.ts';
import type { Inspection } from './engine.ts';
import { hostFacts, targetFacts } from './host.ts';
import { inputFile, type Script } from './script.ts';
import { maskArguments, maskOptions, maskVariable } from './secrets.ts';
import { defaultsInForce, type ScriptFacts } from './suite.ts';
import { variablesInForce } from './variables.ts';

export interface PlannedRun {
  readonly id: string;
  readonly engine: {
    readonly name: string;
    readonly version: string;
    readonly path: string | null;
    readonly argv: readonly string[];
  };
  readonly script: Script;
  /** Variables of the script as the engine gets them. */
  readonly env: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
  /** Variables of this process that may have shaped the run. */
  readonly environment: NodeJS.ProcessEnv;
  readonly facts: ScriptFacts;
  readonly started: Date;
  readonly inspection: Inspection;
  /** Time between two looks at the generator, ms. */
  readonly intervalMs: number;
}

export async function firstManifest(run: PlannedRun): Promise<Manifest> {
  const { variables, harmless, environment, baseUrl, inputs, suite } = run.facts;
  const masked = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, maskVariable(name, value, harmless)]));
  const env = masked(variablesInForce(run.env, variables, run.environment));
  const defaults = run.script.own ? masked(defaultsInForce(env, environment)) : {};
  const options = maskOptions(run.inspection.options, harmless) as Record<string, unknown> | null;
  return {
    schemaVersion: MANIFEST_SCHEMA_VERSION,
    runId: run.id,
    status: 'running',
    tool: { name: 'bookstore-load', version: packageVersion(), pid: process.pid },
    engine: { ...run.engine, argv: maskArguments(run.engine.argv, harmless), pid: null },
    scenario: run.script.scenario,
    script: inputFile(run.script.file),
    inputs: hashInputs(inputs),
    options: packStages(options),
    requirements: run.inspection.requirements,
    seed: env['SEED'] || (defaults['SEED'] ?? null),
    env,
    defaults,
    tags: run.tags,
    host: hostFacts(),
    target: baseUrl === undefined ? null : await targetFacts(baseUrl),
    ...(suite !== undefined && {
      suite: { endpoints: suite.endpoints.map(({ name }) => name), counters: { ...suite.counters } },
    }),
    startedAt: run.started.toISOString(),
    updatedAt: run.started.toISOString(),
    endedAt: null,
    generator: {
      intervalMs: run.intervalMs,
      source: null,
      timeMs: [],
      cpuCores: [],
      rssBytes: [],
      machineCores: [],
    },
    outcome: null,
  };
}

function hashInputs(inputs: Readonly<Record<string, string>>): Record<string, InputFile> {
  const there = Object.entries(inputs).filter(([, file]) => existsSync(file));
  return Object.fromEntries(there.map(([role, file]) => [role, inputFile(file)]));
}
