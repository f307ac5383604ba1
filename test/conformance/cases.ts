/**
 * Small scripts, one behaviour each, that k6 v2.2 and the embedded engine must agree on. A script without an entry here
 * is run without arguments and compared exactly.
 */

export interface ConformanceCase {
  /** Name of the script in `scripts/`, without `.js`. */
  readonly name: string;
  /** Name of the script to run, when one script serves several cases. */
  readonly script?: string;
  readonly args?: readonly string[];
  /** Environment of the process: `K6_...` options. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Counts that k6 itself does not repeat from run to run (the tick at the very end, growth under load): metric names
   * whose rows are compared by presence only, with the sum rules that still hold.
   */
  readonly inexact?: readonly string[];
  /** Iterations + drops, between these two. */
  readonly started?: readonly [number, number];
  /** With its ending, where it is another than `.js`. */
  readonly ending?: string;
  /** Depends on being on time, so nothing else runs beside it. */
  readonly alone?: boolean;
}

const LOOSE = ['iterations', 'dropped_iterations', 'http_reqs', 'http_req_failed', 'console'] as const;

export const CASES: readonly ConformanceCase[] = [
  { name: 'arrival-count', inexact: LOOSE, started: [20, 21] },
  { name: 'arrival-saturated', inexact: LOOSE, started: [10, 11] },
  { name: 'arrival-growth', inexact: LOOSE, started: [4, 5] },
  { name: 'arrival-ramp', inexact: LOOSE, started: [19, 20] },
  { name: 'arrival-many-stages', inexact: LOOSE, started: [23, 24] },
  // Its second iterations begin 0.3 s before the end.
  { name: 'ramping-vus', alone: true },
  { name: 'abort-on-fail', inexact: LOOSE },
  { name: 'delay-abort-eval', inexact: LOOSE },
  { name: 'transport-errors', alone: true },
  { name: 'segment', alone: true, args: ['--execution-segment', '0:1/3', '--execution-segment-sequence', '0,1/3,1'] },
  {
    name: 'segment-second',
    script: 'segment',
    alone: true,
    args: ['--execution-segment', '1/4:1/2', '--execution-segment-sequence', '0,1/4,1/2,1'],
  },
  { name: 'segment-shared', args: ['--execution-segment', '1/2:1', '--execution-segment-sequence', '0,1/2,1'] },
  {
    name: 'segment-not-in-sequence',
    args: ['--execution-segment', '0:1/3', '--execution-segment-sequence', '0,1/2,1'],
  },
  { name: 'options-above', script: 'shared-iterations', args: ['--iterations', '2', '--vus', '1', '--tag', 'build=1'] },
  { name: 'max-redirects', script: 'redirect-methods', args: ['--max-redirects', '1'] },
  { name: 'max-redirects-environment', script: 'redirect-methods', env: { K6_MAX_REDIRECTS: '0' } },
  { name: 'batch-limits', alone: true },
  { name: 'batch-one-at-a-time', script: 'batch-limits', alone: true, args: ['-e', 'ALL=1'] },
  { name: 'batch-limit-of-all', script: 'batch-limits', alone: true, args: ['-e', 'ALL=8', '-e', 'HOST=0'] },
  { name: 'typescript', ending: '.ts' },
  { name: 'environment-iterations', script: 'vus-over-scenarios', env: { K6_ITERATIONS: '3' } },
  { name: 'environment-vus', script: 'options-stages-empty', env: { K6_VUS: '3' } },
  { name: 'environment-tags', script: 'run-name-tag', env: { K6_TAGS: 'a:b,name:c' } },
  { name: 'environment-trend-stats', script: 'no-requests', env: { K6_SUMMARY_TREND_STATS: 'avg,p(99),count' } },
  { name: 'environment-system-tags', script: 'url-names', env: { K6_SYSTEM_TAGS: 'name,status,nosuch' } },
  { name: 'environment-no-thresholds', script: 'empty-populations', env: { K6_NO_THRESHOLDS: 'true' } },
  { name: 'environment-wrong', script: 'no-requests', env: { K6_VUS: '-1' } },
  { name: 'flag-vus', script: 'vus-over-scenarios', args: ['-u', '3'] },
  { name: 'flag-duration', script: 'min-iteration-duration', args: ['-d', '1s'], inexact: LOOSE },
  { name: 'subtle', alone: true },
  { name: 'rps', alone: true },
  { name: 'min-iteration-duration', alone: true },
  { name: 'no-thresholds', script: 'empty-populations', args: ['--no-thresholds'] },
];
