export type Sum = number;

export function plus(a: Sum, b: Sum): Sum {
  return a + b;
}
