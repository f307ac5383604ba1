/** The folder of a rehearsal: the files of a real run, marked as what they are. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { exitMeaning } from '../../lib/k6/exit-codes.ts';
import { makeFolder } from '../base/output-file.ts';
import { packageVersion } from '../base/package.ts';
import type { ServerModel } from '../engine/model/server-model.ts';
import { RUN_FILES } from '../results/files.ts';
import { writeManifest } from '../results/manifest.ts';
import { firstManifest } from '../run/first-manifest.ts';
import type { Script } from '../run/script.ts';
import { secretValues, textMasker } from '../run/secrets.ts';
import { SUMMARY_VARIABLES, scriptFacts } from '../run/suite.ts';
import { crossedThresholdsIn } from '../run/thresholds.ts';
import type { RehearsalForecast } from './forecast-types.ts';
import type { Rehearsal, RehearsalRequest } from './rehearse.ts';

/** Name of the engine in the manifest and in the summary; nothing compares it with a measurement silently. */
export const REHEARSAL = 'rehearsal';

/** What a rehearsal must be asked for so that it leaves a run's files in the folder. */
export function keptIn(folder: string): Pick<RehearsalRequest, 'outputs' | 'summaryExport' | 'summary'> & {
  readonly env: Readonly<Record<string, string>>;
} {
  makeFolder(folder);
  const path = (name: string) => join(resolve(folder), name);
  for (const name of Object.values(RUN_FILES)) rmSync(path(name), { force: true });
  return {
    env: {
      [SUMMARY_VARIABLES.summary]: path(RUN_FILES.summary),
      [SUMMARY_VARIABLES.junit]: path(RUN_FILES.junit),
    },
    outputs: [{ type: 'csv', path: path(RUN_FILES.samples) }],
    summaryExport: path(RUN_FILES.summaryExport),
    summary: true,
  };
}

export interface RehearsalFolder {
  readonly folder: string;
  readonly script: Script;
  readonly env: Readonly<Record<string, string>>;
  readonly model: ServerModel;
  readonly rehearsal: Rehearsal;
  readonly forecast: RehearsalForecast;
  readonly log: string;
  readonly started: Date;
}

/** Completes the folder: manifest, log, and the forecast within the summary. */
export async function writeRehearsal(of: RehearsalFolder): Promise<void> {
  const { folder, script, env, model, rehearsal, forecast } = of;
  const { exitCode, options, maxVUs, totalSeconds } = rehearsal.result;
  const path = (name: string) => join(folder, name);
  const summary = path(RUN_FILES.summary);
  // Two summaries in two formats only confuse; the export stands in for scripts that write none.
  if (existsSync(summary)) rmSync(path(RUN_FILES.summaryExport), { force: true });
  const own = existsSync(summary) ? (JSON.parse(readFileSync(summary, 'utf8')) as object) : rehearsal.result.summary;
  writeFileSync(summary, `${JSON.stringify({ ...own, engine: REHEARSAL, rehearsal: forecast }, undefined, 2)}\n`);
  // Nothing is sent anywhere.
  const facts = { ...scriptFacts(script, env), baseUrl: undefined };
  const mask = textMasker(secretValues(env, facts.harmless, facts.secrets));
  writeFileSync(path(RUN_FILES.log), mask(of.log));
  const manifest = await firstManifest({
    id: `${REHEARSAL}-${script.scenario}`,
    engine: { name: REHEARSAL, version: packageVersion(), path: null, argv: [] },
    script,
    env,
    environment: {},
    tags: {},
    facts,
    started: of.started,
    inspection: { options, requirements: { maxVUs, totalSeconds } },
    intervalMs: 0,
  });
  const ended = new Date().toISOString();
  writeManifest(folder, {
    ...manifest,
    // Nobody watches a rehearsal that is over; and two of one seed are the same.
    tool: { ...manifest.tool, pid: 0 },
    status: exitCode === 0 || exitCode === 99 ? 'complete' : 'aborted',
    updatedAt: ended,
    endedAt: ended,
    outcome: {
      exitCode,
      signal: null,
      interrupted: false,
      meaning: exitMeaning(exitCode, null),
      thresholdsCrossed: crossedThresholdsIn([summary, path(RUN_FILES.summaryExport)]),
    },
    model,
  });
}
