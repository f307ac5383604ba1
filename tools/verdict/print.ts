/** An analysis as text for a terminal: the verdict first, then what was measured, each percentile with its n. */
import pc from 'picocolors';
import { largest } from '../../lib/model/extremes.ts';
import { needed, quantity } from '../../lib/model/figures.ts';
import { textTable } from '../../lib/model/text-table.ts';
import { terminalTable } from '../base/terminal-table.ts';
import { visibleAll, wrapped } from '../base/terminal-text.ts';
import type { Analysis } from './analyse.ts';
import { errorCodeMeaning } from './error-codes.ts';
import type { Facts } from './facts.ts';
import type { Status, Verdict } from './judge.ts';
import type { ObjectiveResult } from './objectives/decide.ts';
import { countObjectives, foldObjectives } from './objectives/fold.ts';
import type { OtherPopulation } from './other-protocols.ts';
import { changeable, during, withoutAnswer } from './phrases.ts';
import { isExpected, isMeasured, type Population, type Quantile, quantileOf } from './populations.ts';
import type { Reason, Severity } from './rule.ts';

const COLOUR: Readonly<Record<Status, (text: string) => string>> = {
  VALID: pc.green,
  SUSPECT: pc.yellow,
  INVALID: pc.red,
  UNPROVEN: pc.yellow,
};
const SIGN: Readonly<Record<Severity, string>> = { invalid: 'x', suspect: '!', note: 'i' };
const MARK: Readonly<Record<Severity, (text: string) => string>> = {
  invalid: pc.red,
  suspect: pc.yellow,
  note: pc.dim,
};

/** Quantiles of the tables. */
const SHOWN = [0.5, 0.9, 0.95, 0.99];
const SHOWN_NAMES = SHOWN.map((p) => `p${p * 100}`);

/** Rows of the populations' table, unless all are asked for. */
const MOST_EXPECTED = 12;
const MOST_FAILURES = 6;
/** Undecided objectives that are listed unless all are asked for; those that need an eye are always. */
const MOST_UNDECIDED = 4;

/**
 * The text: one screen of what a reader must see.
 * @param all with everything that is folded away: kept objectives, limits, other phases, rules that were not judged
 */
export function printAnalysis({ schemaVersion, ...found }: Analysis, all = false): string {
  const { verdict, facts, objectives } = visibleAll(found);
  const lines = [`${pc.bold('Verdict on the test:')} ${pc.bold(COLOUR[verdict.status](verdict.status))}`];
  for (const reason of verdict.reasons) lines.push(...printReason(reason, all));
  if (verdict.reasons.length === 0) lines.push('  No rule speaks against it.');
  for (const [bring, facts] of groupedBy(verdict.missing, (one) => one.bring))
    lines.push(
      ...wrapped(`Not known: ${facts.map(({ fact }) => fact).join('; ')}.`, '  ? ').map(marked(pc.yellow)),
      ...wrapped(`bring it with ${bring}`, '    ').map(pc.dim),
    );
  if (facts.beside !== undefined && facts.beside.length > 0)
    lines.push(...wrapped(`Read beside the samples: ${facts.beside.join(', ')}`, '  ').map(pc.dim));
  lines.push('', ...printObjectives(objectives, all));
  const { others = [] } = facts;
  if (!facts.summaryOnly && (facts.requests.n > 0 || others.length === 0))
    lines.push('', ...printPopulations({ verdict, facts }, all));
  if (others.length > 0) lines.push('', ...printOthers(others));
  if (all) lines.push(...printCounters(facts));
  lines.push('', ...wrapped(totals(facts)), ...printNotJudged(verdict, all));
  return `${lines.join('\n')}\n`;
}

function printReason({ severity, message, rule, limit, remedy }: Reason, all: boolean): string[] {
  const lines = wrapped(message, `  ${SIGN[severity]} `).map(marked(MARK[severity]));
  // A note asks for nothing.
  if (severity === 'note' && !all) return lines;
  return [...lines, ...wrapped(`${rule}${all ? `; limit: ${limit}` : ''}; remedy: ${remedy}`, '    ').map(pc.dim)];
}

/** Colours the sign that the first line of a block begins with. */
const marked =
  (colour: (text: string) => string) =>
  (line: string, index: number): string =>
    index === 0 ? line.replace(/\S/, colour) : line;

function groupedBy<Item>(items: readonly Item[], key: (item: Item) => string): [string, Item[]][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups];
}

function totals(facts: Facts): string {
  const { checks, requests, others = [], iterations } = facts;
  const checked = checks.passed + checks.failed;
  const ran = `${iterations.finished} iterations finished, ${iterations.dropped} dropped`;
  if (requests.n === 0 && others.length > 0)
    return `${ran}${during(facts)}; no HTTP request; ${checked === 0 ? 'no checks' : `${checks.failed} of ${checked} checks failed`}.`;
  return `${ran}; ${requests.n} requests${during(facts)}, ${requests.failed} failed${withoutAnswer(facts)}.`;
}

function printNotJudged(verdict: Verdict, all: boolean): string[] {
  const shown = all ? verdict.notJudged : changeable(verdict);
  const folded = verdict.notJudged.length - shown.length;
  // What a reader can change is said once, with all the rules that it brings.
  const remedy = (why: string) => (all ? why : why.slice(why.lastIndexOf('; ') + 1).trim());
  const lines = groupedBy(shown, ({ why }) => remedy(why)).flatMap(([why, rules]) =>
    wrapped(`${rules.map(({ rule }) => rule).join(', ')}: ${why}`, '  ', '    ').map(pc.dim),
  );
  if (lines.length > 0) lines.unshift('', pc.bold('Not judged:'));
  const lacked = folded === 1 ? 'rule finds' : 'rules find';
  return folded === 0 ? lines : [...lines, pc.dim(`${folded} ${lacked} nothing to judge here; --all says why.`)];
}

/** Objectives of the system, apart from the verdict on the test. @param all those too that were kept */
export function printObjectives(objectives: readonly ObjectiveResult[], all = false): string[] {
  if (objectives.length === 0)
    return [`${pc.bold('Objectives:')} none were given; nothing about the system was asserted.`];
  const { open, kept, guards } = foldObjectives(objectives);
  const folded = !all && kept.length + guards.length > 0;
  const undecided = open.filter(({ outcome }) => outcome === 'undecided');
  const shown = all
    ? [...open, ...kept, ...guards]
    : [...open.filter((one) => !undecided.includes(one)), ...undecided.slice(0, MOST_UNDECIDED)];
  return [
    ...wrapped(`${countObjectives(objectives)}${folded ? '; --all lists them' : ''}`, TITLE).map((line, index) =>
      index === 0 ? line.replace(TITLE, pc.bold) : line,
    ),
    ...shown.flatMap(printObjective),
    ...(all || shown.length === open.length ? [] : [pc.dim(`  ${open.length - shown.length} more undecided: --all`)]),
  ];
}

const TITLE = 'Objectives: ';
const OUTCOME: Readonly<Record<ObjectiveResult['outcome'], (text: string) => string>> = {
  kept: pc.green,
  crossed: pc.red,
  undecided: pc.yellow,
  'no samples': pc.yellow,
};
const OUTCOME_WIDTH = largest(Object.keys(OUTCOME).map(({ length }) => length));

function printObjective({ key, expression, outcome, value, low, high, n, why }: ObjectiveResult): string[] {
  const interval = low === undefined && high === undefined ? '' : ` [${number(low)}, ${number(high)}]`;
  const measured = value === undefined ? '' : `  ${number(value)}${interval}  n=${n}`;
  const indent = ' '.repeat(OUTCOME_WIDTH + 4);
  return [
    `  ${OUTCOME[outcome](outcome.padEnd(OUTCOME_WIDTH))}  ${key}  ${expression}${measured}`,
    ...(why === undefined ? [] : wrapped(why, indent).map(pc.dim)),
  ];
}

function printPopulations({ facts, verdict }: Pick<Analysis, 'facts' | 'verdict'>, all: boolean): string[] {
  const lines = [
    pc.bold(
      `Populations (ms)${verdict.status === 'INVALID' ? pc.red('  the test is invalid: these numbers describe another test') : ''}`,
    ),
  ];
  const head = ['endpoint', ...(facts.by ?? []), 'class', ...(all ? ['phase'] : []), 'n', ...SHOWN_NAMES, 'max'];
  if (all) head.push('max at');
  // The expected answers lead; failures follow; the blend is never a row of its own.
  const expected = facts.populations.filter(isExpected);
  const failures = facts.populations.filter((one) => !isExpected(one));
  const measured = expected.filter(isMeasured);
  const ordered = all
    ? [...expected, ...failures]
    : [...measured.slice(0, MOST_EXPECTED), ...failures.filter(isMeasured).slice(0, MOST_FAILURES)];
  lines.push(
    ...terminalTable([head, ...ordered.map((population) => row(population, all ? facts.window.startMs : undefined))]),
  );
  const folded = facts.populations.length - ordered.length;
  if (folded > 0) lines.push(pc.dim(`  ${folded} more (${foldedKinds(facts.populations, ordered)}): --all`));
  const byStatus = all || failures.length > 0 ? facts.byStatus : [];
  const guesses = [...ordered, ...byStatus].flatMap((population) => population.latency?.quantiles ?? []);
  if (byStatus.length > 0) {
    lines.push(
      '',
      pc.bold('By status, without setup, teardown and warm-up'),
      ...terminalTable([['status', 'n', ...SHOWN_NAMES, 'error codes'], ...byStatus.map(statusRow)]),
    );
  }
  const dim = (text: string) => lines.push(...wrapped(text, '  ').map(pc.dim));
  if (guesses.some((one) => one.p <= 0.99 && !one.carried))
    dim(
      'in …: fewer than ten samples lie beyond it; so much time of this load would earn it. -: no length would, or nothing was timed',
    );
  const blend = facts.blends.find((one) => one.endpoint === '*');
  const classes = new Set(facts.populations.map((population) => population.statusClass));
  if (blend?.latency !== undefined && classes.size > 1) {
    const q = (p: number) => number(quantileOf(blend, p)?.value);
    dim(
      `all ${blend.n} answers blended, setup and warm-up too: p50 ${q(0.5)}, p95 ${q(0.95)}, p99 ${q(0.99)}. Shown to show how it misleads; it is nobody's latency.`,
    );
  }
  return lines;
}

/** `warmup, setup`: the phases of what is not shown, `measured` for the rest of those that are. */
function foldedKinds(populations: readonly Population[], shown: readonly Population[]): string {
  const hidden = populations.filter((one) => !shown.includes(one));
  return [...new Set(hidden.map((one) => (isMeasured(one) ? 'measured' : one.phase)))].join(', ');
}

/** The script's own counters and rates; of a type that nothing tells, the number of samples. */
function printCounters({ counters, untyped = {} }: Facts): string[] {
  const rows = [
    ...Object.entries(counters).map(([name, sum]) => [name, number(sum)]),
    ...Object.entries(untyped).map(([name, { n, sum }]) => [name, `${number(sum)} in ${n} samples of unknown type`]),
  ];
  return rows.length === 0 ? [] : ['', pc.bold('Sums of own metrics'), ...textTable(rows)];
}

/** Times of other protocols, each metric by its names. */
function printOthers(others: readonly OtherPopulation[]): string[] {
  const head = ['metric', 'name', 'n', 'failed', ...SHOWN_NAMES, 'mean', 'max'];
  const cells = others.map(({ metric, name, n, failed, mean, max, quantiles }) => [
    metric,
    name || '-',
    String(n),
    failed === undefined ? '-' : String(failed),
    ...SHOWN.map((p) => cell(quantiles.find((one) => one.p === p))),
    number(mean),
    number(max),
  ]);
  return [pc.bold('Beside HTTP (ms)'), ...terminalTable([head, ...cells])];
}

/** @param startMs start of the run, for a row with everything */
function row(population: Population, startMs: number | undefined): string[] {
  const { latency } = population;
  const at = (start: number) => (latency === undefined ? '' : `${((latency.maxAtMs - start) / 1000).toFixed(1)} s`);
  return [
    population.endpoint || '(no name)',
    ...population.by.map((value) => value || '-'),
    population.statusClass || '?',
    ...(startMs === undefined ? [] : [population.phase || '-']),
    String(population.n),
    ...quantileCells(population),
    number(latency?.maxMs),
    ...(startMs === undefined ? [] : [at(startMs)]),
  ];
}

function statusRow(population: Population): string[] {
  const codes = population.statuses
    .filter((entry) => entry.errorCode !== 0)
    .map((entry) => `${entry.errorCode} ${errorCodeMeaning(entry.errorCode)} (${entry.n})`);
  return [population.statusClass, String(population.n), ...quantileCells(population), codes.join(', ')];
}

function quantileCells(population: Population): string[] {
  return SHOWN.map((p) => cell(quantileOf(population, p)));
}

function cell(quantile: Quantile | undefined): string {
  if (quantile === undefined) return '-';
  if (quantile.carried) return number(quantile.value);
  return quantile.needSeconds === undefined ? '-' : `in ${needed(quantile.needSeconds)}`;
}

function number(value: number | undefined): string {
  if (value === undefined) return '-';
  return quantity(value);
}
