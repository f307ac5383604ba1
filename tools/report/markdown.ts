/** The analysis as Markdown for a pull request. */

import { needed } from '../../lib/model/figures.ts';
import { escapeMarkdown as m } from '../base/escape.ts';
import type { Analysis } from '../verdict/analyse.ts';
import type { ObjectiveResult } from '../verdict/objectives/decide.ts';
import { countObjectives, foldObjectives } from '../verdict/objectives/fold.ts';
import { isExpected, type Quantile, quantileOf } from '../verdict/populations.ts';
import { number } from './tables.ts';

/** Quantiles of the table. */
const SHOWN: readonly number[] = [0.5, 0.95, 0.99];

const SIGN = { VALID: '✅', SUSPECT: '⚠️', INVALID: '❌', UNPROVEN: '❔' } as const;

export function reportMarkdown({ verdict, objectives, facts }: Analysis): string {
  const lines = [`### ${SIGN[verdict.status]} Load test: ${verdict.status}`, ''];
  for (const reason of verdict.reasons)
    lines.push(`- **${reason.severity}** ${m(reason.message)} _${m(reason.remedy)}._`);
  for (const { fact, bring } of verdict.missing) lines.push(`- **not known** ${m(fact)} _${m(bring)}._`);
  if (verdict.reasons.length + verdict.missing.length > 0) lines.push('');
  const { open, kept } = foldObjectives(objectives);
  if (objectives.length > 0) lines.push(`Objectives: ${countObjectives(objectives)}`, '');
  if (open.length > 0) lines.push(...objectiveTable(open), '');
  if (kept.length > 0)
    lines.push(`<details><summary>${kept.length} kept</summary>`, '', ...objectiveTable(kept), '', '</details>', '');
  const rows = facts.populations.filter((one) => isExpected(one) || one.n > 0);
  if (rows.length > 0) {
    lines.push(
      '| endpoint | class | phase | n | p50 ms | p95 ms | p99 ms | max ms |',
      '|---|---|---|--:|--:|--:|--:|--:|',
    );
    for (const one of rows) {
      const q = (p: number) => cell(quantileOf(one, p));
      lines.push(
        `| ${m(one.endpoint)} | ${m(one.statusClass)} | ${m(one.phase)} | ${one.n} | ${q(0.5)} | ${q(0.95)} | ${q(0.99)} | ${one.latency === undefined ? '' : number(one.latency.maxMs)} |`,
      );
    }
    if (rows.some((one) => one.latency?.quantiles.some(({ p, needSeconds }) => SHOWN.includes(p) && needSeconds)))
      lines.push('', '_in …: fewer than ten samples lie beyond it; so much time of this load would earn it._');
  }
  return `${lines.join('\n')}\n`;
}

function objectiveTable(objectives: readonly ObjectiveResult[]): string[] {
  const rows = objectives.map((one) => {
    const interval = one.low === undefined && one.high === undefined ? '' : `${number(one.low)} – ${number(one.high)}`;
    const value = one.value === undefined ? '' : number(one.value);
    return `| ${m(one.key)} ${m(one.expression)} | ${one.outcome} | ${value} | ${interval} | ${one.n} | ${m(one.why ?? '')} |`;
  });
  return ['| objective | result | value | 95 % interval | n | |', '|---|---|--:|--:|--:|---|', ...rows];
}

function cell(quantile: Quantile | undefined): string {
  if (quantile?.carried === true) return number(quantile.value);
  return quantile?.needSeconds === undefined ? '–' : `in ${needed(quantile.needSeconds)}`;
}
