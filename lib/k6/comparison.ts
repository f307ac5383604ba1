/** Comparisons in k6's threshold notation. */
export type Operator = '<' | '<=' | '>' | '>=' | '==' | '===' | '!=';

/** Whether a value keeps a threshold; `==` and `===` are the same to k6. NaN keeps none but `!=`. */
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
    default:
      return value === limit;
  }
}
