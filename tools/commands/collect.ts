/** Values of an option that may be given several times. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}
