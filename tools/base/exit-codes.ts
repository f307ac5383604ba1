/** Exit codes of the command line, one place. Codes of k6 itself pass through `run` unchanged. */
export const EXIT = {
  /** Everything asked for was done and no objective was crossed; a test may be SUSPECT, which its reasons say. */
  ok: 0,
  /** `compare`: a regression was shown. */
  regression: 1,
  /** Wrong usage: unknown command, option or value. */
  usage: 2,
  /** No verdict possible: the test was invalid, data are missing or cannot be compared. */
  noVerdict: 3,
  /** A threshold was crossed (k6's own code). */
  thresholds: 99,
} as const;
