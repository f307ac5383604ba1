/** The objectives as HTML: a box for each endpoint, open where one was crossed or saw no samples; guards and what is kept are folded. */
import { escapeMarkup as e } from '../../lib/model/markup.ts';
import type { ObjectiveResult } from '../verdict/objectives/decide.ts';
import {
  byEndpoint,
  countObjectives,
  type FoldedObjectives,
  foldObjectives,
  keyInGroup,
} from '../verdict/objectives/fold.ts';
import { htmlTable, number } from './tables.ts';

export function objectiveGroups(objectives: readonly ObjectiveResult[]): string {
  const title = 'Objectives of the system';
  if (objectives.length === 0)
    return `<h2>${title}</h2><p>No objective was given: nothing about the system was asserted.</p>`;
  const groups = byEndpoint(objectives).map(([name, list]) => ({ name, ...foldObjectives(list) }));
  // What needs an eye comes first.
  const ordered = [...groups.filter(({ open }) => open.length > 0), ...groups.filter(({ open }) => open.length === 0)];
  return `<h2>${title} <small>${e(countObjectives(objectives))}</small></h2><div class="groups">${ordered.map(group).join('')}</div>`;
}

function group({ name, open, kept, guards }: FoldedObjectives & { readonly name: string }): string {
  const title = name === '' ? 'whole run' : name;
  // What is only undecided is said by its number; a reader may open it.
  const grave = open.some(({ outcome }) => outcome !== 'undecided');
  const counts = (['crossed', 'no samples', 'undecided'] as const).flatMap((outcome) => {
    const n = open.filter((one) => one.outcome === outcome).length;
    return n === 0 ? [] : [`<span class="${cssClass(outcome)}">${n} ${outcome}</span>`];
  });
  const all = kept.length + guards.length;
  if (all > 0) counts.push(`<span class="kept">${all} kept</span>`);
  const box = (text: string, list: readonly ObjectiveResult[]) =>
    list.length === 0
      ? ''
      : `<details><summary>${list.length} ${text}</summary>${table(list, `${title}: ${text}`)}</details>`;
  const body =
    open.length > 0
      ? table(open, `Objectives of ${title}`) + box('kept', kept)
      : kept.length > 0
        ? table(kept, `Objectives of ${title}`)
        : '';
  return `<details class="group"${grave ? ' open' : ''}><summary>${e(title)} ${counts.join(', ')}</summary>${body}${box('kept that only guard against an empty population', guards)}</details>`;
}

const cssClass = (outcome: ObjectiveResult['outcome']): string => outcome.replace(' ', '-');

function table(objectives: readonly ObjectiveResult[], caption: string): string {
  const rows = objectives.map((one) => [
    `${e(keyInGroup(one.key))} ${e(one.expression)}${one.why === undefined ? '' : `<small>${e(one.why)}</small>`}`,
    `<td class="${cssClass(one.outcome)}">${one.outcome}</td>`,
    one.value === undefined ? '-' : number(one.value),
    one.low === undefined && one.high === undefined ? '-' : `${number(one.low)} – ${number(one.high)}`,
    one.n.toLocaleString('en-US'),
  ]);
  return htmlTable(e(caption), ['objective', 'result', 'value', '95 % interval', 'n'], rows);
}
