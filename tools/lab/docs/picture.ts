/** The rooms and who uses whom, as a Mermaid flowchart made from the imports. */
import type { Import } from './imports.ts';
import { roomOf, TREES, wrongArrows } from './rooms.ts';

/**
 * An arrow leads from a room to one that it uses. What follows from other arrows is left out: where a uses b and b uses c, a may
 * use c. Arrows that the rule of the rooms forbids are dotted.
 */
export function roomsPicture(imports: readonly Import[]): string {
  const wrong = new Set(wrongArrows(imports).map(arrowOf));
  const all = [...new Set(imports.map(arrowOf))].filter((arrow) => arrow !== undefined).sort();
  const right = all.filter((arrow) => !wrong.has(arrow)).map((arrow) => arrow.split(' ') as [string, string]);
  const used = new Map<string, string[]>();
  for (const [from, to] of right) used.set(from, [...(used.get(from) ?? []), to]);
  const reaches = (from: string, to: string): boolean =>
    (used.get(from) ?? []).some((next) => next === to || reaches(next, to));
  const needed = right.filter(
    ([from, to]) => !(used.get(from) ?? []).some((other) => other !== to && reaches(other, to)),
  );
  const dotted = all.filter((arrow) => wrong.has(arrow)).map((arrow) => arrow.split(' ') as [string, string]);
  const rooms = [...new Set(all.flatMap((arrow) => arrow.split(' ')))];
  return [
    '```mermaid',
    'flowchart TD',
    ...Object.keys(TREES).flatMap((tree) => [
      `  subgraph ${tree}-tree ["${tree}/"]`,
      ...rooms
        .filter((room) => room.split('/')[0] === tree)
        .sort()
        .map((room) => `    ${room}["${labelOf(room, tree)}"]`),
      '  end',
    ]),
    ...needed.map(([from, to]) => `  ${from} --> ${to}`),
    ...dotted.map(([from, to]) => `  ${from} -.-> ${to}`),
    '```',
  ].join('\n');
}

function labelOf(room: string, tree: string): string {
  if (room !== tree) return room.slice(tree.length + 1);
  return TREES[tree]?.levels.length === 0 ? 'all of it' : 'files in it';
}

/** `tools/run tools/verdict`; undefined within a room, and where a file stands in none. */
function arrowOf({ from, to }: Import): string | undefined {
  const [a, b] = [roomOf(from), roomOf(to)];
  return a === undefined || b === undefined || a === b ? undefined : `${a} ${b}`;
}
