/** The check of a thresholds file: everything that k6 would ignore, misread or refuse in the middle of nothing is refused here. */
import { z } from 'zod';
import { durationSeconds } from '../../lib/k6/duration.ts';
import { AGGREGATES, aggregateName, parseThreshold, type ThresholdFault } from '../../lib/k6/threshold.ts';
import {
  ALL_REQUESTS,
  EACH_ENDPOINT,
  OBJECTIVES_SCHEMA_VERSION,
  type Objectives,
  SUBJECTS,
  type Subject,
  VALIDITY,
} from '../../lib/plan/objectives.ts';
import { hint, parseJsonFile } from './check.ts';

type Kind = 'trend' | 'rate' | 'counter';

/** Longest delayAbortEval, s: the longest DURATION. */
const LONGEST_DELAY = 604_800;
/** What people write for an aggregate of k6. */
const ALIASES: Readonly<Record<string, string>> = { mean: 'avg', average: 'avg', median: 'med', n: 'count' };
const OPERATORS = ['<', '<=', '>', '>=', '==', '===', '!='];

/** What is wrong with a threshold expression on a metric of this kind, if anything: what k6 refuses, and what asserts nothing. */
export function expressionFault(text: string, kind: Kind): string | undefined {
  if (text !== text.trim() || /[\t\n\r]/.test(text))
    return `${JSON.stringify(text)} has blanks around it or a line break; write it on one line`;
  const parsed = parseThreshold(text);
  if ('fault' in parsed) return grammarFault(text, kind, parsed);
  const { aggregate, operator, limit } = parsed;
  if (!AGGREGATES[kind].includes(aggregate)) return noAggregate(aggregateName(parsed), text, kind);
  // k6 reads it as p(0), which nobody means.
  if (/^p\s*[<>=!]/.test(text)) return noAggregate('p', text, kind);
  if (!Number.isFinite(limit))
    return `the limit in "${text}" is no number that can be reached; set one that can be missed`;
  if (isAlwaysMet(kind, aggregate, operator, limit))
    return `"${text}" is met whatever happens; set a limit that can be missed`;
  return undefined;
}

function grammarFault(text: string, kind: Kind, { fault, given }: ThresholdFault): string {
  const operator = /[<>=!]+/.exec(text)?.[0];
  if (operator === undefined || fault === 'comparison')
    return `"${text}" is no threshold; write it as "${kind === 'trend' ? 'p(95)<300' : `${AGGREGATES[kind][0]}<1`}"`;
  if (!OPERATORS.includes(operator))
    return `"${operator}" in "${text}" is no comparison; use one of ${OPERATORS.join(' ')}`;
  if (fault !== 'limit') return noAggregate(given, text, kind);
  if (/^[+-]?[\d.]+$/.test(given))
    return `the limit in "${text.slice(0, 40)}…" is larger than any number; set one that can be missed`;
  return `"${given}" in "${text}" is no plain number; leave out units and signs such as %`;
}

function noAggregate(given: string, text: string, kind: Kind): string {
  const offered = AGGREGATES[kind].flatMap((name) => (name === 'p' ? ['p(90)', 'p(95)', 'p(99)'] : [name]));
  return `"${given}" in "${text}" is no aggregate of a ${kind}; ${hint(ALIASES[given] ?? given, offered)}`;
}

/** No metric here goes below 0, and a share not above 1: such a limit asserts nothing and is green for ever. */
function isAlwaysMet(kind: Kind, aggregate: string, operator: string, value: number): boolean {
  const most = kind === 'rate' && aggregate === 'rate' ? 1 : Number.POSITIVE_INFINITY;
  const met: Readonly<Record<string, boolean>> = {
    '>': value < 0,
    '>=': value <= 0,
    '<': value > most,
    '<=': value >= most,
    '!=': value < 0 || value > most,
  };
  return met[operator] ?? false;
}

/** A number alone would be milliseconds to k6, which nobody means. */
const isDelay = (text: string): boolean => (durationSeconds(text) ?? -1) >= 0 && !/\d$/.test(text);

function objective(kind: Kind) {
  const expression = z.string().superRefine((text, context) => {
    const fault = expressionFault(text, kind);
    if (fault) context.addIssue({ code: 'custom', message: fault });
  });
  const abortable = z.strictObject({
    threshold: expression,
    abortOnFail: z.boolean(),
    delayAbortEval: z
      .string()
      .refine(isDelay, 'delayAbortEval must be a duration such as "30s"')
      .refine(
        (text) => (durationSeconds(text) ?? 0) <= LONGEST_DELAY,
        'delayAbortEval is longer than a week: no run lasts so long',
      )
      .optional(),
  });
  const list = z.array(
    z.union([expression, abortable], {
      error: 'an objective is a text such as "p(95)<300" or an object with "threshold" and "abortOnFail"',
    }),
    { error: 'objectives are a list of texts such as ["p(95)<300"]' },
  );
  return list.min(1, 'an empty list asserts nothing; write an objective or take the key out');
}

/** A step of another protocol than HTTP, which stands in no table: `WS /v1/stream`. */
const STEP_NAME = /^(?!(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) )[A-Za-z][\w-]* [^\s,"]+$/;

/** Name of an endpoint, `*`, `total` or what is wrong with it. */
const endpointName = ({ endpoints: names, keys = {} }: Pick<ObjectiveNames, 'endpoints' | 'keys'>) =>
  z.string().superRefine((name, context) => {
    if (
      name === EACH_ENDPOINT ||
      name === ALL_REQUESTS ||
      (names.includes(name) && !name.includes(',')) ||
      STEP_NAME.test(name)
    )
      return;
    const message = name.includes(',')
      ? `endpoint "${name}" has a comma, which k6 refuses in a threshold; rename the endpoint`
      : Object.hasOwn(keys, name)
        ? `an objective names the request and not the key: write "${keys[name]}" for "${name}"`
        : `unknown endpoint "${name}"; ${hint(name, [...names, EACH_ENDPOINT, ALL_REQUESTS])}`;
    context.addIssue({ code: 'custom', message });
  });

const kindOf = (subject: Subject): Kind => (subject === 'failed' || subject === 'checks' ? 'rate' : 'trend');

/** Names that the objectives of a suite may speak of. */
export interface ObjectiveNames {
  /** Of the workload's flows. */
  readonly flows: readonly string[];
  readonly endpoints: readonly string[];
  /** Their names by the keys of the suite's table. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Counters of the suite's own. */
  readonly counters: readonly string[];
}

function schema({ flows, counters, ...names }: ObjectiveNames) {
  const subjects = Object.fromEntries(SUBJECTS.map((subject) => [subject, objective(kindOf(subject)).optional()]));
  const limits = Object.fromEntries(
    [...Object.entries(VALIDITY), ...counters.map((name) => [name, 'counter'] as const)].map(([metric, kind]) => [
      metric,
      objective(kind).optional(),
    ]),
  );
  const flowName = z.string().superRefine((name, context) => {
    if (!flows.includes(name))
      context.addIssue({ code: 'custom', message: `unknown flow "${name}"; ${hint(name, flows)}` });
  });
  return z
    .strictObject({
      schemaVersion: z.literal(OBJECTIVES_SCHEMA_VERSION),
      purpose: z.string().min(1),
      endpoints: z.record(
        endpointName(names),
        z
          .strictObject(subjects)
          .refine((one) => Object.keys(one).length > 0, 'no objective stands here; write one or take the endpoint out'),
      ),
      sessions: z.record(flowName, objective('trend')).optional(),
      validity: z.strictObject(limits).optional(),
    })
    .refine(
      ({ endpoints: all, sessions }) =>
        Object.values(all).some((one) => Object.keys(one).length > 0) || Object.keys(sessions ?? {}).length > 0,
      {
        path: ['endpoints'],
        error: 'there is no objective, neither for an endpoint nor for sessions: nothing would be asserted',
      },
    );
}

/**
 * Checked objectives of a thresholds file.
 * @param file path, for messages
 * @throws UserError with file, line and the nearest valid name
 */
export function parseObjectives(text: string, file: string, names: ObjectiveNames): Objectives {
  const known = [
    ...SUBJECTS,
    ...Object.keys(VALIDITY),
    ...names.counters,
    'schemaVersion',
    'purpose',
    'endpoints',
    'sessions',
    'validity',
    'threshold',
    'abortOnFail',
    'delayAbortEval',
  ];
  return parseJsonFile(schema(names), text, file, known) as Objectives;
}
