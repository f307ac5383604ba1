/** An analysis as text for a terminal: the verdict first, then what was measured, each percentile with its n. */
import pc from 'picocolors';
import { needed, quantity } from '../../lib/model/figures.ts';
import { terminalTable } from '../base/terminal-table.ts';
import { visibleAll } from '../base/terminal-text.ts';
import type { Analysis } from './analyse.ts';
import { errorCodeMeaning } from './error-codes.ts';
import type { Status } from './judge.ts';
import type { ObjectiveResult } from './objectives/decide.ts';
import type { OtherPopulation } from './other-protocols.ts';
import { during, withoutAnswer } from './phrases.ts';
import { isExpected, type Population, type Quantile, quantileOf } from './populations.ts';
import type { Severity } from './rule.ts';

const COLOUR: Readonly<Record<Status, (text: string) => string>> = {
  VALID: pc.green,
  SUSPECT: pc.yellow,
  INVALID: pc.red,
  UNPROVEN: pc.yellow,
};
const MARK: Readonly<Record<Severity, string>> = { invalid: pc.red('x'), suspect: pc.yellow('!'), note: pc.dim('i') };

/** Quantiles of the tables. */
const SHOWN = [0.5, 0.9, 0.95, 0.99];
const SHOWN_NAMES = SHOWN.map((p) => `p${p * 100}`);

/** The whole text. */
export function printAnalysis({ schemaVersion, ...found }: Analysis): string {
  const { verdict, facts, objectives } = visibleAll(found);
  const lines = [`${pc.bold('Verdict on the test:')} ${pc.bold(COLOUR[verdict.status](verdict.status))}`];
  for (const reason of verdict.reasons) {
    lines.push(
      `  ${MARK[reason.severity]} ${reason.message}`,
      pc.dim(`    ${reason.rule}; limit: ${reason.limit}; remedy: ${reason.remedy}`),
    );
  }
  if (verdict.reasons.length === 0) lines.push('  No rule speaks against it.');
  for (const { fact, bring } of verdict.missing) {
    lines.push(`  ${pc.yellow('?')} Not known: ${fact}.`, pc.dim(`    bring it with ${bring}`));
  }
  if (facts.beside !== undefined && facts.beside.length > 0)
    lines.push(pc.dim(`  Read beside the samples: ${facts.beside.join(', ')}`));
  lines.push('', ...printObjectives(objectives));
  const { others = [], checks, requests } = facts;
  if (!facts.summaryOnly && (requests.n > 0 || others.length === 0))
    lines.push('', ...printPopulations({ verdict, facts }));
  if (others.length > 0) lines.push('', ...printOthers(others));
  const { finished, dropped } = facts.iterations;
  const checked = checks.passed + checks.failed;
  lines.push(
    '',
    requests.n === 0 && others.length > 0
      ? `${finished} iterations finished, ${dropped} dropped${during(facts)}; no HTTP request; ${checked === 0 ? 'no checks' : `${checks.failed} of ${checked} checks failed`}.`
      : `${finished} iterations finished, ${dropped} dropped; ${facts.requests.n} requests${during(facts)}, ${facts.requests.failed} failed${withoutAnswer(facts)}.`,
  );
  if (verdict.notJudged.length > 0) {
    lines.push('', pc.bold('Not judged:'));
    for (const { rule, why } of verdict.notJudged) lines.push(pc.dim(`  ${rule}: ${why}`));
  }
  return `${lines.join('\n')}\n`;
}

/** Objectives of the system, apart from the verdict on the test. */
export function printObjectives(objectives: readonly ObjectiveResult[]): string[] {
  if (objectives.length === 0)
    return [`${pc.bold('Objectives:')} none were given; nothing about the system was asserted.`];
  const mark = {
    passed: pc.green('pass'),
    crossed: pc.red('FAIL'),
    undecided: pc.yellow('????'),
    'no samples': pc.yellow('none'),
  };
  return [
    pc.bold('Objectives of the system:'),
    ...objectives.map((one) => {
      const interval =
        one.low === undefined && one.high === undefined ? '' : ` [${number(one.low)}, ${number(one.high)}]`;
      const value = one.value === undefined ? '' : `  ${number(one.value)}${interval}  n=${one.n}`;
      return `  ${mark[one.outcome]}  ${one.key}  ${one.expression}${value}${one.why === undefined ? '' : pc.dim(`  ${one.outcome}: ${one.why}`)}`;
    }),
  ];
}

function printPopulations({ facts, verdict }: Pick<Analysis, 'facts' | 'verdict'>): string[] {
  const lines = [
    pc.bold(
      `Populations (ms)${verdict.status === 'INVALID' ? pc.red('  the test is invalid: these numbers describe another test') : ''}`,
    ),
  ];
  const head = ['endpoint', ...(facts.by ?? []), 'class', 'phase', 'n', ...SHOWN_NAMES, 'max', 'max at'];
  // The expected answers lead; failures follow; the blend is never a row of its own.
  const ordered = [...facts.populations].sort((a, b) => Number(isExpected(b)) - Number(isExpected(a)));
  lines.push(...terminalTable([head, ...ordered.map((population) => row(population, facts.window.startMs))]));
  const guesses = [...ordered, ...facts.byStatus].flatMap((population) => population.latency?.quantiles ?? []);
  if (facts.byStatus.length > 0) {
    lines.push(
      '',
      pc.bold('By status, without setup, teardown and warm-up'),
      ...terminalTable([['status', 'n', ...SHOWN_NAMES, 'error codes'], ...facts.byStatus.map(statusRow)]),
    );
  }
  if (guesses.some((one) => one.p <= 0.99 && !one.carried)) {
    lines.push(
      pc.dim(
        '  in …: fewer than ten samples lie beyond it; so much time of this load would earn it. -: no length would, or nothing was timed',
      ),
    );
  }
  const blend = facts.blends.find((one) => one.endpoint === '*');
  const classes = new Set(facts.populations.map((population) => population.statusClass));
  if (blend?.latency !== undefined && classes.size > 1) {
    const q = (p: number) => number(quantileOf(blend, p)?.value);
    lines.push(
      pc.dim(
        `  all ${blend.n} answers blended, setup and warm-up too: p50 ${q(0.5)}, p95 ${q(0.95)}, p99 ${q(0.99)}. Shown to show how it misleads; it is nobody's latency.`,
      ),
    );
  }
  return lines;
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

function row(population: Population, startMs: number): string[] {
  const { latency } = population;
  const at = latency === undefined ? '' : `${((latency.maxAtMs - startMs) / 1000).toFixed(1)} s`;
  return [
    population.endpoint || '(no name)',
    ...population.by.map((value) => value || '-'),
    population.statusClass || '?',
    population.phase || '-',
    String(population.n),
    ...quantileCells(population),
    number(latency?.maxMs),
    at,
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
