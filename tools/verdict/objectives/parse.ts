/** k6's threshold notation read into data: `http_req_duration{name:GET /books/{id},status:200}` and `p(95)<300`. */
import { canonicalKey, parseMetricKey } from '../../../lib/k6/metric-key.ts';
import { type Aggregate, faultText, type Operator, parseThreshold, thresholdOf } from '../../../lib/k6/threshold.ts';
import { METHODS } from '../../../lib/model/endpoints.ts';
import { compileObjectives, type Objectives } from '../../../lib/plan/objectives.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { UserError } from '../../base/user-error.ts';
import type { ConsoleFacts } from '../console/text.ts';
import { isObject, parseJson, type Summary } from '../summary.ts';

export interface ParsedObjective {
  /** As written: metric with its tags. */
  readonly key: string;
  readonly metric: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly expression: string;
  readonly aggregate: Aggregate;
  /** Probability 0 to 1 of `p(N)` and `med`. */
  readonly p?: number;
  readonly operator: Operator;
  readonly limit: number;
  /** What k6 made of it, where a summary says so. */
  readonly k6Crossed?: boolean;
  /** k6 ran with it, so its metric is none that k6 did not know. */
  readonly acceptedByK6?: boolean;
}

/** Reads one threshold. Throws `UserError` naming the place when k6 would refuse it too. */
export function parseObjective(key: string, expression: string, place: string): ParsedObjective {
  const target = parseMetricKey(key.trim());
  if ('fault' in target) throw new UserError(`${place}: k6 refuses this metric of a threshold: ${target.fault}`);
  const parsed = parseThreshold(expression);
  if ('fault' in parsed || !Number.isFinite(parsed.limit)) {
    const why = 'fault' in parsed ? faultText(parsed) : 'its limit is no number that can be reached';
    throw new UserError(
      `${place}: "${expression}" of ${key} is no threshold: ${why}; write for example p(95)<300, rate<0.01 or count>0`,
    );
  }
  const { aggregate, percentile, operator, limit } = parsed;
  const base = { key, ...target, expression: expression.trim(), operator, limit, aggregate };
  if (aggregate === 'med') return { ...base, p: 0.5 };
  return percentile === undefined ? base : { ...base, p: percentile / 100 };
}

/**
 * Whether no value that k6 can measure crosses a threshold: k6 shows the numbers of a sub-metric only where it has one, so people write
 * `max>=0` to see them. Times, counts and shares are never below 0.
 */
export function assertsNothing(expression: string): boolean {
  const parsed = thresholdOf(expression);
  if (parsed === undefined) return false;
  const { operator, limit, aggregate } = parsed;
  // A gauge may be negative.
  if (aggregate === 'value') return false;
  return (operator === '>=' && limit <= 0) || (operator === '>' && limit < 0);
}

/** What a run says of its suite. */
export interface RunNames {
  /** Endpoints that it called: those that `*` stands for. */
  readonly called: readonly string[];
  /** Counters of the suite's own. */
  readonly counters: readonly string[];
}

/**
 * Rules from a file: an object of k6 thresholds, alone or under `thresholds` (as in k6's options). Two spellings of one
 * tag set are joined, where k6 would lose one of them. Throws `UserError` for anything else.
 */
export async function readRules(
  path: string,
  content: string,
  run: RunNames = { called: [], counters: [] },
): Promise<ParsedObjective[]> {
  const document = rulesJson(path, content);
  if (isObject(document) && 'schemaVersion' in document && isObject(document['endpoints'])) {
    // What the build refuses in such a file, this refuses with the same words; the check costs start-up, so only where needed.
    const { parseObjectives } = await import('../../schemas/objectives.ts');
    const { suiteIfAny } = await import('../../results/suite-facts.ts');
    const suite = suiteIfAny();
    const endpoints = [...new Set([...run.called, ...(suite?.endpoints ?? []).map(({ name }) => name)])];
    const sessions = document['sessions'];
    const checked = parseObjectives(content, path, {
      flows: Object.keys(isObject(sessions) ? sessions : {}),
      endpoints,
      counters: [...new Set([...run.counters, ...Object.keys(suite?.counters ?? {})])],
    });
    try {
      return objectivesOf(compiled(checked, run.called.length > 0 ? run.called : endpoints), path);
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

/** Whether a name is that of a step of another protocol than HTTP, such as `WS /v1/stream`. */
const isStep = (name: string): boolean => {
  const [word = '', path] = name.split(' ');
  return path !== undefined && !(METHODS as readonly string[]).includes(word);
};

/** The suite's own objectives file (`thresholds/*.json`) as k6 thresholds; limits on the test are the verdict's business. */
function compiled(objectives: Objectives, called: readonly string[]): Readonly<Record<string, unknown>> {
  const { validity: _, ...system } = objectives;
  const thresholds = compileObjectives(system, {
    endpoints: called,
    steps: [...new Set([...called, ...Object.keys(objectives.endpoints)])].filter(isStep),
    counters: [],
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

/** The thresholds that k6 printed with its own result; one that is no threshold any more is left out. */
export function objectivesOfConsole({ thresholds }: ConsoleFacts, place: string): ParsedObjective[] {
  return thresholds.flatMap(({ key, expression, crossed }) => {
    const target = parseMetricKey(key);
    const parsed = parseThreshold(expression);
    if ('fault' in target || 'fault' in parsed) return [];
    return [{ ...parseObjective(key, expression, place), k6Crossed: crossed }];
  });
}
