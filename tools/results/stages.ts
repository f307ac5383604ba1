/**
 * Long lists of stages as the manifest keeps them: an hour of random arrivals is half a megabyte of them, which nobody reads.
 * Nothing is lost: the text of the list is kept compressed, beside what people look for.
 */
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { parseBoundedJson } from '../base/input-file.ts';
import { UserError } from '../base/user-error.ts';

/** Lists up to this length stay as they are. */
const SHORT = 50;
/** A month of stages a second takes 80 MB. */
const MOST_STAGES_BYTES = 100_000_000;
/** Stages that are shown. */
const SHOWN = 3;

export interface PackedStages {
  readonly count: number;
  readonly sha256: string;
  readonly first: readonly unknown[];
  /** The whole list as JSON, compressed with gzip, in base64. */
  readonly gzip: string;
}

/** Options with every long list of stages packed, in all scenarios and at the top. */
export function packStages(options: Record<string, unknown> | null): Record<string, unknown> | null {
  return options === null ? null : mapStages(options, pack);
}

/** The options as they were. @throws UserError for a damaged list */
export function unpackStages(options: Record<string, unknown>): Record<string, unknown> {
  return mapStages(options, unpack);
}

function mapStages(options: Record<string, unknown>, change: (stages: unknown) => unknown): Record<string, unknown> {
  const changed = (of: Record<string, unknown>) => ('stages' in of ? { ...of, stages: change(of['stages']) } : of);
  const { scenarios } = options;
  const all = changed(options);
  if (!isObject(scenarios)) return all;
  const own = Object.entries(scenarios).map(([name, value]) => [name, isObject(value) ? changed(value) : value]);
  return { ...all, scenarios: Object.fromEntries(own) as unknown };
}

function pack(stages: unknown): unknown {
  if (!Array.isArray(stages) || stages.length <= SHORT) return stages;
  const text = JSON.stringify(stages);
  const packed: PackedStages = {
    count: stages.length,
    sha256: createHash('sha256').update(text).digest('hex'),
    first: stages.slice(0, SHOWN),
    gzip: gzipSync(text, { level: 9 }).toString('base64'),
  };
  return packed;
}

function unpack(stages: unknown): unknown {
  if (!isObject(stages) || typeof stages['gzip'] !== 'string') return stages;
  const text = inflated(stages['gzip']);
  if (text === undefined || createHash('sha256').update(text).digest('hex') !== stages['sha256']) {
    throw new UserError(
      'manifest.json: the stages in it are damaged, their hash does not fit; take the file from a copy',
    );
  }
  return parseBoundedJson(text);
}

/** Undefined for what is no gzip, and for what is longer than a list of stages ever is. */
function inflated(base64: string): string | undefined {
  try {
    return gunzipSync(Buffer.from(base64, 'base64'), { maxOutputLength: MOST_STAGES_BYTES }).toString('utf8');
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
