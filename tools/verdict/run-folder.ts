/** What a results folder's manifest says about the run, read with goodwill: an odd manifest costs facts, not the analysis. */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { hashSeed } from '../../lib/model/random.ts';
import { parseBoundedJson, plainText, readDocument } from '../base/input-file.ts';
import { optional } from '../base/optional.ts';
import { RUN_FILES } from '../results/files.ts';
import { isCutOff } from '../results/manifest.ts';
import { unpackStages } from '../results/stages.ts';
import type { GeneratorFacts, RunFacts } from './facts.ts';
import { loadFromOptions, type PlannedLoad } from './planned-load.ts';
import { isObject } from './summary.ts';

export interface FolderFacts {
  /** Absolute path. */
  readonly folder: string;
  readonly run: RunFacts;
  readonly plan?: PlannedLoad;
  /** k6's thresholds option as it was. */
  readonly thresholds?: Readonly<Record<string, unknown>>;
  /** Its scenarios in words, without what a worker's share changes. */
  readonly load?: string;
  readonly segment?: string;
  readonly sequence?: string;
}

/** Facts of `manifest.json` in the folder; undefined when there is none or it is no JSON object. */
export function readFolder(folder: string): FolderFacts | undefined {
  const path = join(folder, RUN_FILES.manifest);
  if (!existsSync(path)) return undefined;
  let manifest: unknown;
  try {
    manifest = parseBoundedJson(readDocument(path).toString('utf8'));
  } catch {
    return undefined;
  }
  return isObject(manifest) ? { folder: resolve(folder), ...factsOf(manifest, path) } : undefined;
}

function factsOf(manifest: Record<string, unknown>, path: string): Omit<FolderFacts, 'folder'> {
  const outcome = object(manifest['outcome']);
  const target = object(manifest['target']);
  const engine = object(manifest['engine']);
  const kept = object(manifest['options']);
  const options = kept === undefined ? undefined : unpackStages(kept);
  const env = strings(manifest['env']);
  const inputs = object(manifest['inputs']) ?? {};
  const script = object(manifest['script']);
  const run: RunFacts = {
    ...optional('runId', string(manifest['runId'])),
    ...optional('scenario', string(manifest['scenario'])),
    ...optional('exitCode', number(outcome?.['exitCode'])),
    ...optional('interrupted', typeof outcome?.['interrupted'] === 'boolean' ? outcome['interrupted'] : undefined),
    ...(isCutOff({ status: manifest['status'], pid: number(object(manifest['tool'])?.['pid']) })
      ? { cutOff: true }
      : {}),
    ...(typeof target?.['sameHost'] === 'boolean' ? { sameHost: target['sameHost'] } : {}),
    ...(typeof target?.['tls'] === 'boolean' ? { tls: target['tls'] } : {}),
    ...optional('target', string(target?.['url'])),
    ...optional(
      'engine',
      engine === undefined ? undefined : `${string(engine['name']) ?? 'k6'} ${string(engine['version']) ?? ''}`.trim(),
    ),
    ...(Array.isArray(engine?.['argv']) ? { argv: engine['argv'].map(plainText) } : {}),
    ...('seed' in manifest ? { seed: string(manifest['seed']) ?? null } : {}),
    ...optional('scriptSha', string(script?.['sha256'])),
    inputs: Object.fromEntries(
      Object.entries(inputs).flatMap(([role, file]) => {
        const sha = string(object(file)?.['sha256']);
        return sha === undefined ? [] : [[role, sha]];
      }),
    ),
    env,
    ...optional('generator', generatorOf(object(manifest['generator']), object(manifest['host']))),
    ...optional('popularity', env['POPULARITY']),
    ...optional('counters', countersOf(object(object(manifest['suite'])?.['counters']))),
  };
  const requirements = object(manifest['requirements']);
  const maxVUs = number(requirements?.['maxVUs']);
  const plan = isObject(options?.['scenarios'])
    ? loadFromOptions(options, path, maxVUs === undefined ? undefined : { maxVUs })
    : undefined;
  return {
    run,
    ...optional('plan', plan),
    ...optional('thresholds', object(options?.['thresholds'])),
    ...optional('load', isObject(options?.['scenarios']) ? loadOf(options['scenarios']) : undefined),
    ...optional('segment', string(options?.['executionSegment'])),
    ...optional('sequence', string(options?.['executionSegmentSequence'])),
  };
}

/** What is said of counters, by metric. */
function countersOf(said: Record<string, unknown> | undefined): RunFacts['counters'] {
  if (said === undefined) return undefined;
  const entries = Object.entries(said).flatMap(([metric, value]) => {
    const { means, says } = object(value) ?? {};
    return (means === 'exhausted' || means === 'note') && typeof says === 'string' ? [[metric, { means, says }]] : [];
  });
  return Object.fromEntries(entries) as RunFacts['counters'];
}

/** The same from the rows of a summary, whose sentences hold their numbers; undefined where it has none. */
function countersOfRows(rows: unknown): RunFacts['counters'] {
  if (!Array.isArray(rows) || rows.length === 0) return undefined;
  const entries = rows.filter(isObject).map(({ metric, means, n, says }) => {
    return [plainText(metric), { means, says: plainText(says).replace(plainText(n), '{n}') }];
  });
  return countersOf(Object.fromEntries(entries) as Record<string, unknown>);
}

const LOAD_OPTIONS = [
  'executor',
  'startTime',
  'rate',
  'timeUnit',
  'vus',
  'iterations',
  'startRate',
  'startVUs',
  'duration',
];

/** `browse: constant-arrival-rate rate=20 timeUnit=1s duration=30s`; stages by number and, to tell them apart, a hash. */
function loadOf(scenarios: Readonly<Record<string, unknown>>): string {
  return Object.keys(scenarios)
    .sort()
    .map((name) => {
      const scenario = object(scenarios[name]) ?? {};
      const [executor, ...words] = LOAD_OPTIONS.flatMap((key) => {
        const value = scenario[key];
        if (typeof value !== 'string' && typeof value !== 'number') return [];
        return [key === 'executor' ? String(value) : `${key}=${value}`];
      });
      const stages = Array.isArray(scenario['stages']) ? scenario['stages'] : [];
      if (stages.length > 0)
        words.push(`${stages.length} stages (${hashSeed(JSON.stringify(stages)).toString(16).padStart(8, '0')})`);
      return `${name}: ${[executor, ...words].join(' ')}`;
    })
    .join('; ');
}

function generatorOf(
  series: Record<string, unknown> | undefined,
  host: Record<string, unknown> | undefined,
): GeneratorFacts | undefined {
  if (series === undefined || host === undefined) return undefined;
  // A group may allow more than the machine has.
  const cores = smaller(number(host['cpuLimitCores']), number(host['cores']));
  const memoryBytes = smaller(number(host['memoryLimitBytes']), number(host['memoryBytes']));
  if (cores === undefined || memoryBytes === undefined) return undefined;
  return {
    ...optional('hostname', string(host['hostname'])),
    cores,
    memoryBytes,
    timeMs: numbers(series['timeMs']),
    cpuCores: numbers(series['cpuCores']),
    machineCores: numbers(series['machineCores']),
    rssBytes: numbers(series['rssBytes']),
  };
}

function object(value: unknown): Record<string, unknown> | undefined {
  return isObject(value) ? value : undefined;
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function numbers(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'number') : [];
}

function strings(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(object(value) ?? {}).map(([key, entry]) => [key, plainText(entry)]));
}

/** Adds what the suite's own summary says to the facts of the run; undefined when neither is there. */
export function withSuite(
  run: RunFacts | undefined,
  suite: Readonly<Record<string, unknown>> | undefined,
): RunFacts | undefined {
  if (suite === undefined) return run;
  const target = object(suite['target']);
  const law = string(object(suite['popularity'])?.['law']);
  const limiter =
    target === undefined || !('rateLimit' in target)
      ? undefined
      : target['rateLimit'] === null
        ? 'rate limiter off'
        : 'rate limiter on';
  const payments = string(target?.['payments']);
  const cache = string(suite['cache']);
  const circumstances = [
    limiter,
    payments === undefined ? undefined : `payments: ${payments}`,
    cache === undefined ? 'cold or warm: not declared' : `cache: ${cache}`,
    law === undefined ? undefined : `popularity: ${law}`,
  ].filter((one) => one !== undefined);
  return {
    inputs: {},
    env: {},
    ...run,
    circumstances,
    ...optional('cache', cache),
    ...optional('popularity', law ?? run?.popularity ?? lawsOf(suite['pools'])),
    ...optional('counters', run?.counters ?? countersOfRows(suite['counters'])),
  };
}

/** Laws of the pools of a suite of which none follows the workload's popularity. */
function lawsOf(pools: unknown): string | undefined {
  if (!Array.isArray(pools)) return undefined;
  const laws = pools.filter(isObject).map(({ law }) => string(law) ?? string(object(law)?.['law']));
  return `pools: ${laws.join(', ') || 'none'}`;
}

function smaller(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
