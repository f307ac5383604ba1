/** The command line of users; each command lives in a file of its own. */
import { type CommandEntry, runProgram } from './base/program.ts';
import { STOP_WITH_PARENT, stopWithParent } from './start/stop-with-parent.ts';

const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  start: {
    summary: 'Bookstore, payment stub and a minute of load on loopback, in one command.',
    load: () => import('./commands/start.ts'),
  },
  build: {
    summary: 'Check a suite and bundle its load tests for k6.',
    load: () => import('./commands/build.ts'),
  },
  run: {
    summary: 'Run a scenario with k6 and keep its results.',
    load: () => import('./commands/run.ts'),
  },
  rehearse: {
    summary: 'Rehearse a scenario on a virtual clock: what it will need and show, before any load is sent.',
    load: () => import('./commands/rehearse.ts'),
  },
  traffic: {
    summary: 'Turn access logs into a workload: mix, sessions, think times, popularity, arrivals.',
    load: () => import('./commands/traffic/command.ts'),
  },
  analyse: {
    summary: 'Say whether a test was valid and what it measured.',
    load: () => import('./commands/analyse.ts'),
  },
  compare: {
    summary: 'Compare two runs, with intervals that hold under autocorrelation.',
    load: () => import('./commands/compare.ts'),
  },
  merge: {
    summary: 'Judge several workers of one run together.',
    load: () => import('./commands/merge.ts'),
  },
  gate: {
    summary: 'Judge objectives on raw samples: kept, crossed, or undecided.',
    load: () => import('./commands/gate.ts'),
  },
  experiment: {
    summary: 'Show what a warm cache, a blend of populations or a closed loop does to the numbers.',
    load: () => import('./commands/experiment.ts'),
  },
  bookstore: {
    summary: 'Start the reference bookstore, the system under test.',
    load: () => import('./commands/bookstore.ts'),
  },
  'payment-stub': {
    summary: 'Start a stand-in for the payment provider.',
    load: () => import('./commands/payment-stub.ts'),
  },
  data: {
    summary: 'Generate the catalogue, or check and import your own.',
    load: () => import('./commands/data.ts'),
  },
  embedded: {
    summary: 'Run or inspect a k6 script with the embedded engine.',
    load: () => import('./commands/embedded.ts'),
  },
};

if (process.env[STOP_WITH_PARENT] === '1') stopWithParent();

runProgram({
  name: 'bookstore-load',
  description: 'A k6 load-test suite and the tools that make its numbers worth believing.',
  commands: COMMANDS,
});
