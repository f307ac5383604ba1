/** k6's threshold notation read into data: `http_req_duration{name:GET /books/{id},status:200}` and `p(95)<300`. */
import type { Operator } from '../../../lib/k6/comparison.ts';
import { compileObjectives, type Objectives } from '../../../lib/plan/objectives.ts';
import { ENDPOINT_LIST } from '../../../scenarios/bookstore/endpoints.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { UserError } from '../../base/user-error.ts';
import { isObject, parseJson, type Summary } from '../summary.ts';

export interface ParsedObjective {
  /** As written: metric with its tags. */
  readonly key: string;
  readonly metric: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly expression: string;
  /** avg, min, max, med, count, rate, value or `p`. */
  readonly aggregate: string;
  /** Probability 0 to 1 of `p(N)` and `med`. */
  readonly p?: number;
  readonly operator: Operator;
  readonly limit: number;
  /** What k6 made of it, where a summary says so. */
  readonly k6Crossed?: boolean;
  /** k6 ran with it, so its metric is none that k6 did not know. */
  readonly acceptedByK6?: boolean;
}

/** Metric and tags of a key; tag values may hold `:`, `{`, `}` and spaces, so the last brace closes. */
export function parseKey(key: string): { metric: string; tags: Record<string, string> } {
  const open = key.indexOf('{');
  if (open === -1 || !key.trimEnd().endsWith('}')) return { metric: key.trim(), tags: {} };
  const tags: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const pair of key.slice(open + 1, key.lastIndexOf('}')).split(',')) {
    const colon = pair.indexOf(':');
    if (colon === -1) continue;
    tags[unquote(pair.slice(0, colon))] = unquote(pair.slice(colon + 1));
  }
  return { metric: key.slice(0, open).trim(), tags };
}

/** One spelling for one set of tags, so that two orders of the same tags are seen to be the same sub-metric. */
export function canonicalKey(key: string): string {
  const { metric, tags } = parseKey(key);
  const names = Object.keys(tags).sort();
  return names.length === 0 ? metric : `${metric}{${names.map((name) => `${name}:${tags[name]}`).join(',')}}`;
}

function unquote(value: string): string {
  return value.trim().replace(/^(["'])(.*)\1$/, '$2');
}

const EXPRESSION =
  /^\s*(avg|min|max|med|count|rate|value|p\(\s*([0-9.]+)\s*\))\s*(<=|>=|===|==|!=|<|>)\s*(-?[0-9.]+(?:e-?\d+)?)\s*$/;

/** Reads one threshold. Throws `UserError` naming the place when k6 would refuse it too. */
export function parseObjective(key: string, expression: string, place: string): ParsedObjective {
  const match = EXPRESSION.exec(expression);
  const percent = match?.[2];
  const limit = Number(match?.[4]);
  if (match === null || !Number.isFinite(limit) || (percent !== undefined && !(Number(percent) <= 100))) {
    throw new UserError(
      `${place}: "${expression}" of ${key} is no threshold; write for example p(95)<300, rate<0.01 or count>0 (plain numbers, no units)`,
    );
  }
  const name = match[1] ?? '';
  const operator = (match[3] === '===' ? '==' : match[3]) as Operator;
  const { metric, tags } = parseKey(key);
  const base = { key, metric, tags, expression: expression.trim(), operator, limit };
  if (name === 'med') return { ...base, aggregate: 'med', p: 0.5 };
  return percent === undefined ? { ...base, aggregate: name } : { ...base, aggregate: 'p', p: Number(percent) / 100 };
}

/**
 * Rules from a file: an object of k6 thresholds, alone or under `thresholds` (as in k6's options). Two spellings of one
 * tag set are joined, where k6 would lose one of them. Throws `UserError` for anything else.
 */
export async function readRules(path: string, content: string, called?: readonly string[]): Promise<ParsedObjective[]> {
  const document = rulesJson(path, content);
  if (isObject(document) && 'schemaVersion' in document && isObject(document['endpoints'])) {
    const names = called ?? ENDPOINT_LIST.map((endpoint) => endpoint.name);
    const sessions = document['sessions'];
    // What the build refuses in such a file, this refuses with the same words; the check costs start-up, so only where needed.
    const { parseObjectives } = await import('../../schemas/objectives.ts');
    const checked = parseObjectives(content, path, Object.keys(isObject(sessions) ? sessions : {}), [
      ...new Set([...names, ...ENDPOINT_LIST.map((endpoint) => endpoint.name)]),
    ]);
    try {
      return objectivesOf(compiled(checked, names), path);
    } catch (error) {
      if (error instanceof RangeError) throw new UserError(`${path}: ${error.message}; rename it`);
      throw error;
    }
  }
  const thresholds = isObject(document) && isObject(document['thresholds']) ? document['thresholds'] : document;
  if (!isObject(thresholds)) {
    throw new UserError(`${path}: expected an object such as {"http_req_duration": ["p(95)<300"]}`);
  }
  return objectivesOf(thresholds, path);
}

/** A rules file that is no JSON is wrong usage, as one that is missing: it is no result of a run. */
function rulesJson(path: string, content: string): unknown {
  try {
    return parseJson(path, content);
  } catch (error) {
    throw error instanceof UserError ? new UserError(error.message, EXIT.usage) : error;
  }
}

/** The suite's own objectives file (`thresholds/*.json`) as k6 thresholds; limits on the test are the verdict's business. */
function compiled(objectives: Objectives, called: readonly string[]): Readonly<Record<string, unknown>> {
  const { validity: _, ...system } = objectives;
  const thresholds = compileObjectives(system, {
    endpoints: called,
    flows: Object.keys(objectives.sessions ?? {}),
    scenarios: [],
    narrowed: false,
    warmsUp: false,
  });
  return Object.fromEntries(Object.entries(thresholds).filter(([, list]) => list.length > 0));
}

/** Objectives of k6's `thresholds` option; entries may be texts or `{threshold, abortOnFail}`. */
export function objectivesOf(thresholds: Readonly<Record<string, unknown>>, place: string): ParsedObjective[] {
  const found = new Map<string, ParsedObjective>();
  for (const [key, list] of Object.entries(thresholds)) {
    if (!Array.isArray(list) && typeof list !== 'string') {
      throw new UserError(`${place}: the thresholds of "${key}" must be a list such as ["p(95)<300"]`);
    }
    for (const entry of Array.isArray(list) ? list : [list]) {
      const expression = isObject(entry) ? entry['threshold'] : entry;
      if (typeof expression !== 'string') {
        throw new UserError(`${place}: a threshold of "${key}" is no text such as "p(95)<300"`, EXIT.usage);
      }
      const objective = parseObjective(key, expression, place);
      found.set(`${canonicalKey(key)} ${objective.expression}`, objective);
    }
  }
  return [...found.values()];
}

/** The thresholds that a summary reports on, with k6's own result; one that is no threshold any more is left out. */
export function objectivesOfSummary(summary: Summary): ParsedObjective[] {
  return Object.entries(summary.metrics).flatMap(([key, metric]) =>
    Object.entries(metric.crossed).map(([expression, crossed]) => ({
      ...parseObjective(key, expression, summary.path),
      k6Crossed: crossed,
    })),
  );
}
