/** `rehearse`: an hour of load in well under a minute, on a virtual clock, before any load is sent. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { hashSeed } from '../../lib/model/random.ts';
import { type PopularityLaw, type Workload, workloadFile } from '../../lib/model/workload.ts';
import type { SuiteFacts } from '../../lib/plan/suite-facts.ts';
import { POPULARITY, read } from '../../lib/plan/variable.ts';
import type { OptionsOf } from '../base/options.ts';
import { rerun } from '../base/rerun.ts';
import { UserError } from '../base/user-error.ts';
import { confined, environment, isConfined } from '../engine/confinement.ts';
import { modelFromSamples } from '../engine/model/from-samples.ts';
import { defaultServerModel, readServerModel, type ServerModel } from '../engine/model/server-model.ts';
import { forecastOf } from '../rehearse/forecast.ts';
import { keptIn, writeRehearsal } from '../rehearse/results.ts';
import { servedSuite } from '../rehearse/suite-server.ts';
import { forecastText } from '../rehearse/text.ts';
import { SETTING } from '../rehearse/young-generation.ts';
import { RUN_FILES } from '../results/files.ts';
import { popularRows, readSuiteFacts, suiteDist, workloadName } from '../results/suite-facts.ts';
import { readVariable } from '../run/k6-arguments.ts';
import { refusalOf } from '../run/k6-engine.ts';
import { findScript } from '../run/script.ts';
import { staleNote } from '../run/stale-bundle.ts';
import { checkVariables, environmentBeside, scriptFacts } from '../run/suite.ts';
import { unknownVariables } from '../run/variables.ts';
import { collect } from './values.ts';

const declaration = () =>
  new Command('rehearse')
    .description(
      'Run a scenario on a virtual clock against a model of the server: mix, VUs, samples, cache, stock, warnings.\nNothing is sent.',
    )
    .argument('[scenario]', 'name of a scenario (dist/<name>.js) or path of a script', 'bookstore-mix')
    .option('-e, --env <name=value>', 'variable for the script; repeat for more', collect, [])
    .option('--duration <time>', 'length of the measured phase, such as 1h (DURATION)')
    .option('--rate <n>', 'sessions per second (RATE)')
    .option('--seed <text>', 'SEED of the sessions; also seeds the model')
    .option('--model <file>', 'server model as JSON')
    .option('--from <folder>', "latencies and statuses of an earlier run's samples.csv")
    .option('--results <folder>', 'write samples.csv and summary.json there, as a run would')
    .option('--json', 'print the plan as JSON');

export function command() {
  return declaration().action(async (scenario, flags) => {
    if (isConfined()) {
      process.exitCode = await rehearseCommand(scenario, flags);
      return;
    }
    // An earlier run's samples are read by native code.
    const addons = flags.from === undefined ? [] : ['--allow-addons'];
    const { settings, env, input } = confined(flags.results === undefined ? [] : [flags.results], process.env);
    process.exitCode = await rerun([SETTING, ...settings, ...addons], env, input);
  });
}

/** A rehearsal needs no secret, but a suite asks for its own. */
const secretsFor = ({ variables }: Pick<SuiteFacts, 'variables'>): Record<string, string> =>
  Object.fromEntries(variables.filter(({ secret }) => secret).map(({ name }) => [name, 'rehearsed']));

type Flags = OptionsOf<typeof declaration>;

/** @returns the exit code that the run would have had @throws UserError for what is wrong before */
async function rehearseCommand(scenario: string, flags: Flags): Promise<number> {
  const found = findScript(scenario);
  // The engine is loaded only by the process that has the heap for it.
  const { rehearse } = await import('../rehearse/rehearse.ts');
  const script = found.file;
  const startedAt = new Date();
  const env = variablesOf(flags);
  const dist = suiteDist(script);
  const facts = readSuiteFacts(dist);
  const workload = readJson<Workload>(join(dirname(script), workloadFile(workloadName(facts, found.scenario))));
  const latency = workload?.latency ?? { healthyMs: 20, degradedMs: 1000 };
  const model = await modelOf(flags, latency.healthyMs, facts);
  const started = performance.now();
  const folder = flags.results;
  const kept = folder === undefined ? undefined : keptIn(folder);
  if (found.own) {
    checkVariables(env);
    unknownVariables(Object.keys(env), scriptFacts(found, env).variables);
    const stale = staleNote(script);
    if (stale !== undefined) process.stderr.write(`bookstore-load: note: ${stale}\n`);
  }
  let log = '';
  let refused: string | undefined;
  const rehearsal = await rehearse({
    script,
    ...kept,
    env: { ...secretsFor(facts), ...kept?.env, ...env },
    model,
    suite: await servedSuite(dist, facts),
    seed: hashSeed(env['SEED'] ?? '1'),
    log: (text) => {
      log += text;
      // A refused variable is no exception of a script: it is said once, as a run says it.
      const refusal = log === text && found.own ? refusalOf(text) : undefined;
      if (refusal === undefined) process.stderr.write(text);
      else refused = refusal;
    },
  });
  const { scenarios, exitCode } = rehearsal.result;
  if (scenarios.length === 0 && refused !== undefined) throw new UserError(refused);
  // It never began; why, the log has said.
  if (scenarios.length === 0) return exitCode;
  const forecast = forecastOf({
    rehearsal,
    scenarios,
    cacheTtlSeconds: model.cache.ttlSeconds,
    cacheable: facts.endpoints.filter((one) => one.cacheable).map(({ name }) => name),
    items: popularRows(facts),
    popularity: popularityOf({ ...environmentBeside(dist, env), ...env }, workload),
    healthyMs: latency.healthyMs,
    degradedMs: latency.degradedMs,
  });
  if (folder !== undefined) {
    await writeRehearsal({ folder, script: found, env, model, rehearsal, forecast, log, started: startedAt });
  }
  process.stdout.write(
    flags.json === true
      ? `${JSON.stringify(forecast, undefined, 2)}\n`
      : forecastText(forecast, scenario, rehearsal.server.stock?.item),
  );
  const wall = (performance.now() - started) / 1000;
  process.stderr.write(
    `rehearsed ${Math.round(forecast.seconds)} s in ${wall.toFixed(1)} s (${Math.round(forecast.seconds / wall)} virtual seconds a second)\n`,
  );
  return exitCode;
}

function variablesOf(flags: Flags): Record<string, string> {
  const given = Object.assign({}, ...flags.env.map((text) => readVariable(text, environment()))) as Record<
    string,
    string
  >;
  return {
    ...(flags.duration === undefined ? {} : { DURATION: flags.duration }),
    ...(flags.rate === undefined ? {} : { RATE: flags.rate }),
    ...(flags.seed === undefined ? {} : { SEED: flags.seed }),
    ...given,
  };
}

async function modelOf(flags: Flags, healthyMs: number, { endpoints }: SuiteFacts): Promise<ServerModel> {
  if (flags.model !== undefined) {
    if (!existsSync(flags.model)) throw new UserError(`--model ${flags.model}: there is no such file`);
    return readServerModel(readFileSync(flags.model, 'utf8'), flags.model);
  }
  const model = defaultServerModel(healthyMs, endpoints);
  if (flags.from === undefined) return model;
  const samples = join(flags.from, RUN_FILES.samples);
  if (!existsSync(samples)) throw new UserError(`--from ${flags.from}: there is no ${RUN_FILES.samples} in it`);
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
