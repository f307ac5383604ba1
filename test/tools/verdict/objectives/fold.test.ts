/** What is folded away of objectives, and what never is. */
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import type { ObjectiveResult } from '../../../../tools/verdict/objectives/decide.ts';
import { byEndpoint, countObjectives, keyInGroup } from '../../../../tools/verdict/objectives/fold.ts';
import { printObjectives } from '../../../../tools/verdict/print.ts';

const one = (key: string, expression: string, outcome: ObjectiveResult['outcome']): ObjectiveResult => ({
  key,
  expression,
  outcome,
  limit: 0,
  n: 9,
});
const LIST = [
  one('http_req_duration{name:a,phase:measure}', 'p(95)<5', 'kept'),
  one('http_req_duration{name:a,phase:measure}', 'max>0', 'kept'),
  one('http_reqs{name:b}', 'count>0', 'crossed'),
  one('checks', 'rate>0.9', 'undecided'),
  one('http_req_duration{name:b,status:200}', 'p(99)<5', 'no samples'),
];
const text = (all: boolean) => printObjectives(LIST, all).map(stripVTControlCharacters);

it('what is kept is a number until all is asked for; a crossed guard is never folded', () => {
  expect(countObjectives(LIST)).toBe('2 kept (1 of them guards), 1 crossed, 1 undecided, 1 without samples');
  expect(text(false)[0]).toBe(`Objectives: ${countObjectives(LIST)}; --all lists them`);
  expect(
    text(false)
      .slice(1)
      .map((line) => line.trim().split(/ {2,}/)[0]),
  ).toEqual(['crossed', 'no samples', 'undecided']);
  expect(text(false).join()).toContain('http_reqs{name:b}  count>0');
  const many = Array.from({ length: 9 }, (_, i) =>
    one(`checks{name:${i}}`, 'rate>0.9', i < 3 ? 'crossed' : 'undecided'),
  );
  expect(printObjectives(many).map(stripVTControlCharacters).at(-1)?.trim()).toBe('2 more undecided: --all');
  expect(printObjectives(many, true)).toHaveLength(10);
  expect(text(true)).toHaveLength(6);
  expect(text(true)[0]).not.toContain('--all');
});

it('groups by the endpoint that a key names, the whole run last, and leaves out of a key what the group says', () => {
  expect(byEndpoint(LIST).map(([name, list]) => [name, list.length])).toEqual([
    ['a', 2],
    ['b', 2],
    ['', 1],
  ]);
  expect(LIST.map(({ key }) => keyInGroup(key))).toEqual([
    'http_req_duration',
    'http_req_duration',
    'http_reqs',
    'checks',
    'http_req_duration{status:200}',
  ]);
});
