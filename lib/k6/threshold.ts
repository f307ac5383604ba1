/** k6's threshold expressions (`p(95)<300`) and what they compare. */
import { goNumber } from './go-number.ts';

export type MetricType = 'counter' | 'gauge' | 'rate' | 'trend';
export type Aggregate = 'avg' | 'min' | 'med' | 'max' | 'p' | 'count' | 'rate' | 'value';
/** k6 writes `==` as `===` too, and means the same. */
export type Operator = '<' | '<=' | '>' | '>=' | '==' | '!=';

/** Aggregates that k6 offers to the thresholds of each type of metric. */
export const AGGREGATES: Readonly<Record<MetricType, readonly Aggregate[]>> = {
  counter: ['count', 'rate'],
  gauge: ['value'],
  rate: ['rate'],
  trend: ['avg', 'min', 'med', 'max', 'p'],
};
const KNOWN: readonly string[] = ['avg', 'min', 'med', 'max', 'count', 'rate', 'value'] satisfies readonly Aggregate[];
/** In the order in which k6 looks for them: the first that has something behind it parts the expression. */
const OPERATORS = ['<=', '<', '>=', '>', '===', '==', '!='] as const;

export interface ThresholdExpression {
  readonly aggregate: Aggregate;
  /** N of `p(N)`, 0 to 100; absent for all other aggregates. */
  readonly percentile?: number;
  readonly operator: Operator;
  /** May be infinite or NaN: k6 takes `Inf` and `NaN`. */
  readonly limit: number;
}

/** Why k6 refuses an expression: the part that it cannot read, as given. */
export interface ThresholdFault {
  readonly fault: 'comparison' | 'aggregate' | 'percentile' | 'limit';
  readonly given: string;
}

/** Reads an expression as k6 does, whatever the metric's type. */
export function parseThreshold(text: string): ThresholdExpression | ThresholdFault {
  for (const operator of OPERATORS) {
    const at = text.indexOf(operator);
    if (at < 0 || at + operator.length === text.length) continue;
    const aggregate = readAggregate(text.slice(0, at).trim());
    if ('fault' in aggregate) return aggregate;
    const given = text.slice(at + operator.length).trim();
    const limit = goNumber(given);
    if (limit === undefined) return { fault: 'limit', given };
    return { ...aggregate, operator: operator === '===' ? '==' : operator, limit };
  }
  return { fault: 'comparison', given: text };
}

/** An expression that k6 has accepted before; undefined for any other text. */
export function thresholdOf(text: string): ThresholdExpression | undefined {
  const parsed = parseThreshold(text);
  return 'fault' in parsed ? undefined : parsed;
}

function readAggregate(given: string): Pick<ThresholdExpression, 'aggregate' | 'percentile'> | ThresholdFault {
  if (KNOWN.includes(given)) return { aggregate: given as Aggregate };
  // k6 takes a bare p, and looks at the smallest sample.
  if (given === 'p') return { aggregate: 'p', percentile: 0 };
  if (!given.startsWith('p(') || !given.endsWith(')')) return { fault: 'aggregate', given };
  const percentile = goNumber(given.slice(2, -1));
  if (percentile === undefined || !(percentile >= 0 && percentile <= 100)) return { fault: 'percentile', given };
  return { aggregate: 'p', percentile };
}

/** What is wrong with an expression, to stand behind it in a sentence. */
export function faultText({ fault, given }: ThresholdFault): string {
  switch (fault) {
    case 'comparison':
      return 'it compares with nothing: write < <= > >= == or != and a number behind it';
    case 'aggregate':
      return `"${given}" is none of ${KNOWN.join(', ')} and p(N)`;
    case 'percentile':
      return `"${given}" is no percentile: write a number from 0 to 100 without blanks in p(N)`;
    case 'limit':
      return `"${given}" is no plain number: leave out units and signs such as %`;
  }
}

/** Name of the aggregate as summaries have it: `p(95)` for `p(95.0)` too. */
export function aggregateName({
  aggregate,
  percentile,
}: Pick<ThresholdExpression, 'aggregate' | 'percentile'>): string {
  return percentile === undefined ? aggregate : `p(${percentile})`;
}

/** Whether a value keeps a threshold. NaN keeps none but `!=`. */
export function holds(value: number, operator: Operator, limit: number): boolean {
  switch (operator) {
    case '<':
      return value < limit;
    case '<=':
      return value <= limit;
    case '>':
      return value > limit;
    case '>=':
      return value >= limit;
    case '!=':
      return value !== limit;
    case '==':
      return value === limit;
  }
}
