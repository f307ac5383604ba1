/** The objectives as HTML: a box for each endpoint, open where something is not kept; guards and what is kept are folded. */
import { escapeMarkup as e } from '../../lib/model/markup.ts';
import type { ObjectiveResult } from '../verdict/objectives/decide.ts';
import { byEndpoint, countObjectives, foldObjectives, keyInGroup } from '../verdict/objectives/fold.ts';
import { htmlTable, number } from './tables.ts';

export function objectiveGroups(objectives: readonly ObjectiveResult[]): string {
  if (objectives.length === 0) return '<p>No objective was given: nothing about the system was asserted.</p>';
  const groups = byEndpoint(objectives).map(([name, list]) => group(name, list));
  return `<p class="dim">${e(countObjectives(objectives))}</p><div class="groups">${groups.join('')}</div>`;
}

function group(name: string, list: readonly ObjectiveResult[]): string {
  const { open, kept, guards } = foldObjectives(list);
  const title = name === '' ? 'whole run' : name;
  const counts = (['crossed', 'no samples', 'undecided'] as const).flatMap((outcome) => {
    const n = open.filter((one) => one.outcome === outcome).length;
    return n === 0 ? [] : [`<span class="${cssClass(outcome)}">${n} ${outcome}</span>`];
  });
  const all = kept.length + guards.length;
  if (all > 0) counts.push(`<span class="kept">${all} kept</span>`);
  const folded =
    guards.length === 0
      ? ''
      : `<details><summary>${guards.length} guards against empty populations, kept</summary>${table(guards, `Guards of ${title}`)}</details>`;
  const rows = [...open, ...kept];
  const body = `${rows.length === 0 ? '' : table(rows, `Objectives of ${title}`)}${folded}`;
  return `<details class="group"${open.length > 0 ? ' open' : ''}><summary><b>${e(title)}</b> ${counts.join(', ')}</summary>${body}</details>`;
}

const cssClass = (outcome: ObjectiveResult['outcome']): string => outcome.replace(' ', '-');

function table(objectives: readonly ObjectiveResult[], caption: string): string {
  const rows = objectives.map((one) => [
    `${e(keyInGroup(one.key))} ${e(one.expression)}`,
    `<td class="text ${cssClass(one.outcome)}">${one.outcome}</td>`,
    one.value === undefined ? 'not recorded' : number(one.value),
    one.low === undefined && one.high === undefined ? '-' : `${number(one.low)} – ${number(one.high)}`,
    one.n.toLocaleString('en-US'),
    `<td class="text wrap">${e(one.why ?? '')}</td>`,
  ]);
  return htmlTable(e(caption), ['objective', 'result', 'value', '95 % interval', 'n', ''], rows);
}
