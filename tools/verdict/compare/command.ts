/** The command `compare`. */
import { EXIT } from '../../base/exit-codes.ts';
import { output, writeOutputs } from '../../base/output-file.ts';
import { visible } from '../../base/terminal-text.ts';
import { UserError } from '../../base/user-error.ts';
import { chartData, spectrum } from '../../report/data.ts';
import { reportHtml } from '../../report/html.ts';
import { withSamples } from '../analyse.ts';
import { notComparable, notValid } from './comparable.ts';
import { COMPARISON_SCHEMA_VERSION, compareSides, DEFAULT_COMPARE, isDecided, isRegression } from './compare.ts';
import { neededLengths, printLengths } from './needed-length.ts';
import { printComparison } from './print.ts';
import { readSide, type Side } from './side.ts';

/** Options of the command line; `tools/commands/` says what each means. */
export interface CompareFlags {
  readonly a: string[];
  readonly b: string[];
  readonly noise?: boolean;
  readonly minMs: string;
  readonly minPercent: string;
  readonly plan?: boolean;
  readonly change: string;
  readonly anyway?: boolean;
  readonly report?: string;
  readonly json?: boolean;
}

export async function compareCommand(a: string, b: string | undefined, flags: CompareFlags): Promise<number> {
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
      process.stdout.write(`${JSON.stringify(found)}\n`);
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
  if (report !== undefined && exitCode === undefined) process.stderr.write(`Written: ${report}\n`);
  if (exitCode !== undefined) return exitCode;
  if (refused.length > 0) return EXIT.noVerdict;
  if (regression) return EXIT.regression;
  return decided ? EXIT.ok : EXIT.noVerdict;
}

function refuse(reasons: readonly string[], { json }: CompareFlags): number {
  if (json === true)
    process.stdout.write(
      `${JSON.stringify({ schemaVersion: COMPARISON_SCHEMA_VERSION, comparable: false, reasons })}\n`,
    );
  else process.stdout.write(`Not comparable:\n${reasons.map((reason) => `  - ${visible(reason)}`).join('\n')}\n`);
  return EXIT.noVerdict;
}

/** How long tests must be, from A and its repetitions. */
async function planCommand(a: string, b: string | undefined, flags: CompareFlags): Promise<number> {
  if (b !== undefined) throw new UserError(`--plan takes one run: leave out ${b}, or give it as --a if it is the same`);
  const change = amount('--change', flags.change) / 100;
  if (change === 0) throw new UserError('--change 0: give a number above 0');
  const side = await readSide([a, ...flags.a]);
  // A run that is no valid test says nothing of how much a valid one varies.
  const refused = notValid(side, 'A');
  if (refused.length > 0 && flags.anyway !== true) return refuse(refused, flags);
  const plan = neededLengths(side, change);
  process.stdout.write(flags.json === true ? `${JSON.stringify(plan)}\n` : printLengths(plan));
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
