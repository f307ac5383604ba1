/** The command line of contributors: what shows that the suite and its tools can be believed, and what they cost. */
import { type CommandEntry, runProgram } from '../base/program.ts';

const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  bench: {
    summary: 'Measure what the suite costs the load generator.',
    load: () => import('./commands/bench.ts'),
  },
  conformance: {
    summary: 'Run scripts that nobody here wrote in k6 and in the embedded engine, and say where they part.',
    load: () => import('./commands/conformance.ts'),
  },
  prove: {
    summary:
      'Show that `traffic` can be believed: its intervals against a known truth, its readers against broken lines.',
    load: () => import('./commands/prove.ts'),
  },
};

runProgram({ name: 'lab', description: "Contributors' tools of bookstore-load.", commands: COMMANDS });
