/** `prove`: coverage of the intervals of `traffic` and fuzzing of its readers, as long as one wishes. */

import { readFile } from 'node:fs/promises';
import { Command } from '@commander-js/extra-typings';
import { percent } from '../../../lib/model/figures.ts';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { EXIT } from '../../base/exit-codes.ts';
import type { OptionsOf } from '../../base/options.ts';
import { numberTable } from '../../base/terminal-table.ts';
import { UserError } from '../../base/user-error.ts';
import { parseWorkload } from '../../schemas/workload.ts';
import { type Coverage, coverage } from '../traffic/coverage.ts';
import { type FuzzResult, fuzz, SEEDS } from '../traffic/fuzz.ts';
import { type Finding, type GridRow, popularityGrid } from '../traffic/grid.ts';

const declaration = () =>
  new Command('prove')
    .description(
      'Show that the tool can be believed: how often its intervals hold a known truth, and that broken lines do no harm.',
    )
    .option('--coverage <n>', 'make and read back this many seeded samples of the workload')
    .option('--grid', 'fit known popularity laws over exponents, catalogue sizes and numbers of views (five minutes)')
    .option('--estimate', 'with --grid: a few laws whose catalogue of 2,000 the fit is not told (a minute)')
    .option('--replicates <n>', 'bootstrap replicates of each fit of the grid; below 70 nothing can be rejected', '80')
    .option('--fuzz <n>', 'read this many mutated lines of each format')
    .option('--sessions <n>', 'sessions of each sample', '3600')
    .option('--books <n>', 'items of the catalogue', '40000')
    .option('--workload <file>', 'the known truth', 'data/workload.json')
    .option('--seed <text>', 'seed of everything random', 'prove')
    .option('--json', 'print one JSON document');

export function command() {
  return declaration().action(prove);
}

type Flags = OptionsOf<typeof declaration>;

const GIVEN = { items: [100, 2000, 40_000], views: [1000, 10_000, 100_000, 1_000_000] };
/** A few laws, and views that leave items unseen: where all are seen the catalogue is no question. */
const ESTIMATED = {
  estimated: true,
  truths: ['zipf 0', 'zipf 0.667', 'zipf 1', 'zipf 1.2', 'power 2', 'power 3', 'two levels', 'lognormal'],
  items: [2000],
  views: [3000, 10_000],
};

async function prove(flags: Flags): Promise<void> {
  const repetitions = count(flags.coverage ?? '0', '--coverage');
  const lines = count(flags.fuzz ?? '0', '--fuzz');
  if (flags.estimate === true && flags.grid !== true) throw new UserError('--estimate belongs to --grid');
  if (repetitions === 0 && lines === 0 && flags.grid !== true)
    throw new UserError('nothing to prove; give --coverage 200, --grid or --fuzz 1000000');
  const tell = process.stderr.isTTY === true;
  let covered: Coverage[] = [];
  if (repetitions > 0) {
    const text = await readFile(flags.workload, 'utf8').catch(() => {
      throw new UserError(`${flags.workload} cannot be read; name a workload with --workload`);
    });
    covered = coverage(parseWorkload(text, flags.workload), {
      repetitions,
      sessions: count(flags.sessions, '--sessions'),
      books: count(flags.books, '--books'),
      seed: flags.seed,
      onRepetition: (done) => void (tell && process.stderr.write(`\r${done} of ${repetitions}`)),
    });
    if (tell) process.stderr.write('\r\x1b[K');
  }
  const fuzzed: FuzzResult[] =
    lines > 0
      ? Object.keys(SEEDS).map((format) =>
          fuzz(format, lines, sessionRandom(hashSeed(`${flags.seed} fuzz ${format}`), 0)),
        )
      : [];
  const grid =
    flags.grid === true
      ? popularityGrid({
          ...(flags.estimate === true ? ESTIMATED : GIVEN),
          replicates: count(flags.replicates, '--replicates'),
          seed: flags.seed,
          onRow: (_, done, of) => void (tell && process.stderr.write(`\r${done} of ${of}`)),
        })
      : [];
  if (tell && grid.length > 0) process.stderr.write('\r\x1b[K');
  if (flags.json === true)
    process.stdout.write(`${JSON.stringify({ coverage: covered, grid, fuzz: fuzzed }, null, 2)}\n`);
  else process.stdout.write(`${proofText(covered, grid, fuzzed)}\n`);
  if (fuzzed.some((one) => !one.adds)) process.exitCode = EXIT.noVerdict;
}

function proofText(covered: readonly Coverage[], grid: readonly GridRow[], fuzzed: readonly FuzzResult[]): string {
  const parts: string[] = [];
  if (covered.length > 0) {
    const rows = covered.map((one) => [
      one.what,
      `${one.inside} of ${one.of}`,
      percent(one.inside / one.of),
      one.meanWidth.toPrecision(3),
      one.bias.toPrecision(2),
    ]);
    parts.push(numberTable([['95 % interval of', 'holds the truth', 'share', 'mean width', 'bias'], ...rows], ''));
  }
  if (grid.length > 0) {
    parts.push(gridTable(grid));
    parts.push(gridSummary(grid));
  }
  if (fuzzed.length > 0) {
    const rows = fuzzed.map((one) => [
      one.format,
      String(one.lines.physical),
      String(one.lines.records),
      String(one.lines.withoutRequest),
      String(one.lines.malformed),
      one.adds ? 'add up' : 'DO NOT ADD UP',
      one.megabytes.toFixed(0),
    ]);
    parts.push(
      numberTable([['format', 'lines', 'records', 'without request', 'malformed', 'parts', 'MB'], ...rows], ''),
    );
  }
  return parts.join('\n\n');
}

function gridTable(grid: readonly GridRow[]): string {
  const sized = grid.some((one) => one.catalogue !== undefined);
  const rows = grid.map((one) => [
    one.truth,
    String(one.items),
    String(one.views),
    ...(sized ? [sizeText(one)] : []),
    one.finding,
    one.family ?? '-',
    one.exponent?.toPrecision(4) ?? '-',
    one.interval?.map((end) => end.toPrecision(4)).join(' to ') ?? '-',
    one.inside === undefined ? '-' : one.inside ? 'yes' : 'no',
  ]);
  const size = sized ? ['catalogue'] : [];
  return numberTable(
    [['truth', 'items', 'views', ...size, 'finding', 'law', 'exponent', '95 % interval', 'holds it'], ...rows],
    '',
  );
}

function sizeText({ catalogue, catalogueInterval: interval, catalogueInside }: GridRow): string {
  if (catalogue === undefined) return '-';
  if (interval === undefined) return `${catalogue} at least`;
  return `${catalogue} [${interval[0]}, ${interval[1] ?? 'open'}]${catalogueInside === true ? '' : ' misses it'}`;
}

function gridSummary(grid: readonly GridRow[]): string {
  const is = (some: readonly GridRow[], finding: Finding): number =>
    some.filter((one) => one.finding === finding).length;
  const laws = grid.filter((one) => one.lawful);
  const others = grid.filter((one) => !one.lawful);
  const intervals = grid.filter((one) => one.inside !== undefined);
  const sizes = grid.filter((one) => one.catalogueInside !== undefined);
  return [
    `of ${laws.length} samples of a power law ${is(laws, 'right')} are named by their own, ${is(laws, 'undecided')} by either,`,
    `${is(laws, 'wrong family')} by the other, ${is(laws, 'no power law')} by none; of ${others.length} samples of no power law`,
    `${is(others, 'no power law')} are called that; of ${intervals.length} intervals of the true law`,
    `${intervals.filter((one) => one.inside === true).length} hold the truth`,
    ...(sizes.length === 0
      ? []
      : [
          `and ${sizes.filter((one) => one.catalogueInside === true).length} of ${sizes.length} intervals of the catalogue`,
        ]),
  ].join(' ');
}

function count(text: string, flag: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new UserError(`${flag} ${text}: must be a whole number`);
  return value;
}
