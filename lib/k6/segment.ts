/** The part of a test that one worker runs, from k6's `--execution-segment`. */

/**
 * Share of the sessions, 0 to 1, of a segment as k6 writes it: `0:1/4`, `1/2`, `0.25`, `50%:100%`. k6 has checked it by then;
 * anything else counts as the whole.
 */
export function segmentShare(segment: unknown): number {
  if (typeof segment !== 'string' || segment === '') return 1;
  const [first = '', second] = segment.split(':');
  const share = second === undefined ? fraction(first) : fraction(second) - fraction(first);
  return share > 0 && share <= 1 ? share : 1;
}

function fraction(text: string): number {
  const [over = '', under] = text.split('/');
  if (under !== undefined) return Number(over) / Number(under);
  return over.endsWith('%') ? Number(over.slice(0, -1)) / 100 : Number(over);
}
