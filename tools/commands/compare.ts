/** `compare`: B against A. */
import { Command } from '@commander-js/extra-typings';
import { EXIT } from '../base/exit-codes.ts';
import type { OptionsOf } from '../base/options.ts';
import { output, writeOutputs } from '../base/output-file.ts';
import { jsonText, visible } from '../base/terminal-text.ts';
import { UserError } from '../base/user-error.ts';
import { chartData, spectrum } from '../report/data.ts';
import { reportHtml } from '../report/html.ts';
import { withSamples } from '../verdict/analyse.ts';
import { notComparable, notValid } from '../verdict/compare/comparable.ts';
import {
  COMPARISON_SCHEMA_VERSION,
  compareSides,
  DEFAULT_COMPARE,
  isDecided,
  isRegression,
} from '../verdict/compare/compare.ts';
import { neededLengths, printLengths } from '../verdict/compare/needed-length.ts';
import { printComparison } from '../verdict/compare/print.ts';
import { readSide, type Side } from '../verdict/compare/side.ts';
import { collect } from './values.ts';

const declaration = () =>
  new Command('compare')
    .description('Compare two runs per endpoint (expected answers), with intervals that hold under autocorrelation.')
    .argument('<A>', 'results folder or sample file: what was before')
    .argument('[B]', 'results folder or sample file: what is now')
    .option('--a <results>', 'a further repetition of A; repeat for more', collect, [])
    .option('--b <results>', 'a further repetition of B; repeat for more', collect, [])
    .option('--noise', 'A and B are the same: state the noise floor')
    .option('--plan', 'from A alone: how long two such tests must be to show a change')
    .option('--change <percent>', 'change that --plan is about, % of A', '10')
    .option('--min-ms <ms>', 'smallest difference worth a word, ms', '1')
    .option('--min-percent <percent>', 'smallest difference worth a word, % of A', '5')
    .option('--anyway', 'print the comparison even when the runs are not comparable (the exit code stays)')
    .option('--report <file>', "write B's HTML report with A's quantile spectrum drawn into it")
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `\nExit codes: ${EXIT.ok} no regression shown, ${EXIT.regression} regression, ${EXIT.noVerdict} not comparable.`,
    );

export function command() {
  return declaration().action(async (a, b, flags) => {
    process.exitCode = await compareCommand(a, b, flags);
  });
}

type Flags = OptionsOf<typeof declaration>;

export async function compareCommand(a: string, b: string | undefined, flags: Flags): Promise<number> {
  if (flags.plan === true) return planCommand(a, b, flags);
  if (b === undefined) {
    throw new UserError(`compare ${a}: give a second run to compare it with, or --plan to learn how long runs must be`);
  }
  const minimumMs = amount('--min-ms', flags.minMs);
  const minimumShare = amount('--min-percent', flags.minPercent) / 100;
  const sideA = await readSide([a, ...flags.a]);
  const sideB = await readSide([b, ...flags.b]);
  const refused = notComparable(sideA, sideB);
  const noise = flags.noise === true;
  if (refused.length > 0 && flags.anyway !== true) return refuse(refused, flags);
  const comparison = compareSides(sideA, sideB, { ...DEFAULT_COMPARE, minimumMs, minimumShare });
  const regression = isRegression(comparison) && !noise;
  const decided = isDecided(comparison);
  const { report } = flags;
  const asked = report === undefined ? [] : [output(report, true, () => reportWithOverlay(b, sideA))];
  const exitCode = await writeOutputs(asked, () => {
    if (flags.json === true) {
      const found = { comparable: refused.length === 0, reasons: refused, noise, decided, regression, ...comparison };
      process.stdout.write(`${jsonText(found)}\n`);
      return;
    }
    for (const reason of refused) process.stdout.write(`Not comparable, shown anyway: ${visible(reason)}\n`);
    process.stdout.write(printComparison(comparison, noise));
    process.stdout.write(
      regression
        ? 'Regression shown.\n'
        : !decided
          ? 'Nothing could be decided about latency.\n'
          : noise
            ? ''
            : 'No regression shown.\n',
    );
  });
  if (report !== undefined && exitCode === undefined) process.stderr.write(`Written: ${visible(report)}\n`);
  if (exitCode !== undefined) return exitCode;
  if (refused.length > 0) return EXIT.noVerdict;
  if (regression) return EXIT.regression;
  return decided ? EXIT.ok : EXIT.noVerdict;
}

function refuse(reasons: readonly string[], { json }: Flags): number {
  if (json === true)
    process.stdout.write(`${jsonText({ schemaVersion: COMPARISON_SCHEMA_VERSION, comparable: false, reasons })}\n`);
  else process.stdout.write(`Not comparable:\n${reasons.map((reason) => `  - ${visible(reason)}`).join('\n')}\n`);
  return EXIT.noVerdict;
}

/** How long tests must be, from A and its repetitions. */
async function planCommand(a: string, b: string | undefined, flags: Flags): Promise<number> {
  if (b !== undefined) throw new UserError(`--plan takes one run: leave out ${b}, or give it as --a if it is the same`);
  const change = amount('--change', flags.change) / 100;
  if (change === 0) throw new UserError('--change 0: give a number above 0');
  const side = await readSide([a, ...flags.a]);
  // A run that is no valid test says nothing of how much a valid one varies.
  const refused = notValid(side, 'A');
  if (refused.length > 0 && flags.anyway !== true) return refuse(refused, flags);
  const plan = neededLengths(side, change);
  process.stdout.write(flags.json === true ? `${jsonText(plan)}\n` : printLengths(plan));
  return EXIT.ok;
}

/** B's report with A's quantile spectrum drawn into it. */
async function reportWithOverlay(b: string, a: Side): Promise<string> {
  const overlay = spectrum(a.analyses[0]?.facts.populations ?? []);
  return withSamples({ paths: [b] }, async (database, analysis) =>
    reportHtml(analysis, database === undefined ? undefined : await chartData(database, analysis), { overlay }),
  );
}

function amount(flag: string, text: string): number {
  const value = Number(text);
  if (!(value >= 0) || text.trim() === '') throw new UserError(`${flag} ${text}: give a number of at least 0`);
  return value;
}
