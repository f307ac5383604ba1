/** The `rehearse` command behind its options. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hashSeed } from '../../lib/model/random.ts';
import type { PopularityLaw, Workload } from '../../lib/model/workload.ts';
import { POPULARITY, read } from '../../lib/plan/variable.ts';
import { UserError } from '../base/user-error.ts';
import { modelFromSamples } from '../engine/model/from-samples.ts';
import { defaultServerModel, readServerModel, type ServerModel } from '../engine/model/server-model.ts';
import { RUN_FILES } from '../results/files.ts';
import { readVariable } from '../run/k6-arguments.ts';
import { findScript } from '../run/script.ts';
import { rehearsalPlan } from './plan.ts';
import { rehearse } from './rehearse.ts';
import { keptIn, writeRehearsal } from './results.ts';
import { planText } from './text.ts';

export interface RehearseOptions {
  readonly env: readonly string[];
  readonly duration?: string;
  readonly rate?: string;
  readonly seed?: string;
  readonly model?: string;
  readonly from?: string;
  readonly results?: string;
  readonly interpreted?: boolean;
  readonly json?: boolean;
}

/** @returns the exit code that the run would have had @throws UserError for what is wrong before */
export async function rehearseCommand(scenario: string, options: RehearseOptions): Promise<number> {
  const found = findScript(scenario);
  const script = found.file;
  const startedAt = new Date();
  const env = variablesOf(options);
  const data = dirname(script);
  const workload = readJson<Workload>(join(data, 'data', 'workload.json'));
  // The first element is the number of books; see lib/session/pools.ts.
  const books = Number(readJson<string[]>(join(data, 'data', 'rows.json'))?.[0] ?? 0);
  const latency = workload?.latency ?? { healthyMs: 20, degradedMs: 1000 };
  const model = await modelOf(options, latency.healthyMs);
  const started = performance.now();
  const folder = options.results;
  const kept = folder === undefined ? undefined : keptIn(folder);
  let log = '';
  const rehearsal = await rehearse({
    script,
    ...kept,
    env: { ...kept?.env, ...env },
    model,
    books,
    seed: hashSeed(env['SEED'] ?? '1'),
    log: (text) => {
      log += text;
      process.stderr.write(text);
    },
    interpreted: options.interpreted === true,
  });
  const { scenarios, exitCode } = rehearsal.result;
  // It never began; why, the log has said.
  if (scenarios.length === 0) return exitCode;
  const plan = rehearsalPlan({
    rehearsal,
    scenarios,
    stock: model.stock,
    cacheTtlSeconds: model.cache.ttlSeconds,
    books,
    popularity: popularityOf(env, workload),
    healthyMs: latency.healthyMs,
    degradedMs: latency.degradedMs,
  });
  if (folder !== undefined) {
    await writeRehearsal({ folder, script: found, env, model, rehearsal, plan, log, started: startedAt });
  }
  process.stdout.write(options.json === true ? `${JSON.stringify(plan, undefined, 2)}\n` : planText(plan, scenario));
  const wall = (performance.now() - started) / 1000;
  process.stderr.write(
    `rehearsed ${Math.round(plan.seconds)} s in ${wall.toFixed(1)} s (${Math.round(plan.seconds / wall)} virtual seconds a second)\n`,
  );
  return exitCode;
}

function variablesOf(options: RehearseOptions): Record<string, string> {
  const given = Object.assign({}, ...options.env.map((text) => readVariable(text))) as Record<string, string>;
  return {
    ...(options.duration === undefined ? {} : { DURATION: options.duration }),
    ...(options.rate === undefined ? {} : { RATE: options.rate }),
    ...(options.seed === undefined ? {} : { SEED: options.seed }),
    ...given,
  };
}

async function modelOf(options: RehearseOptions, healthyMs: number): Promise<ServerModel> {
  if (options.model !== undefined) {
    if (!existsSync(options.model)) throw new UserError(`--model ${options.model}: there is no such file`);
    return readServerModel(readFileSync(options.model, 'utf8'), options.model);
  }
  const model = defaultServerModel(healthyMs);
  if (options.from === undefined) return model;
  const samples = join(options.from, RUN_FILES.samples);
  if (!existsSync(samples)) throw new UserError(`--from ${options.from}: there is no ${RUN_FILES.samples} in it`);
  return modelFromSamples(samples, model);
}

function popularityOf(
  env: Readonly<Record<string, string>>,
  workload: Workload | undefined,
): PopularityLaw | undefined {
  const law = read(POPULARITY, env) ?? workload?.popularity;
  return law === 'once' ? undefined : law;
}

function readJson<T>(file: string): T | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;
}
