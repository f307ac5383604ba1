/** The rooms of the source tree, and whether imports only look down. */
import type { Import } from './imports.ts';

/** A tree of the repository: folders that run in the same place. */
export interface Tree {
  /**
   * Its rooms from the bottom up: a room may use those of the levels before its own. A room is a folder of the tree, or a file
   * that lies directly in the tree; `.` stands for all such files. A tree without levels is one room.
   */
  readonly levels: readonly (readonly string[])[];
  /** Other trees that every file of this one may use. */
  readonly uses: readonly string[];
  /** Rooms that may use further trees. */
  readonly also?: Readonly<Record<string, readonly string[]>>;
}

/** Commands that start the reference bookstore, and what shows or measures something on it; all else works with any API. */
const ON_THE_BOOKSTORE = ['bookstore', 'scenarios'];

export const TREES: Readonly<Record<string, Tree>> = {
  lib: { levels: [['k6'], ['model'], ['session', 'plan'], ['summary'], ['.']], uses: [] },
  scenarios: { levels: [['bookstore'], ['.']], uses: ['lib', 'data'] },
  bookstore: { levels: [], uses: ['lib', 'scenarios'] },
  tools: {
    levels: [
      ['base'],
      ['results', 'schemas', 'catalogue'],
      ['build'],
      ['engine', 'traffic', 'verdict'],
      ['report', 'run'],
      ['rehearse', 'start'],
      ['experiments'],
      ['commands'],
      ['cli.ts'],
      ['lab'],
    ],
    uses: ['lib'],
    also: Object.fromEntries(['start', 'experiments', 'commands', 'lab'].map((room) => [room, ON_THE_BOOKSTORE])),
  },
};

/** The room of a file: `tools/verdict`, `tools/cli.ts`, `lib`; undefined for a file in none. */
export function roomOf(path: string, trees: Readonly<Record<string, Tree>> = TREES): string | undefined {
  const [tree = '', inside = '', ...rest] = path.split('/');
  if (!Object.hasOwn(trees, tree)) return undefined;
  const rooms = trees[tree]?.levels.flat() ?? [];
  if (rooms.length === 0 || (rest.length === 0 && !rooms.includes(inside))) return tree;
  return rooms.includes(inside) ? `${tree}/${inside}` : undefined;
}

/** What is wrong with imports, a sentence each: arrows that do not lead down, and files that stand in no room. Pure. */
export function wrongArrows(
  imports: readonly Import[],
  trees: Readonly<Record<string, Tree>> = TREES,
): readonly (Import & { readonly why: string })[] {
  return imports.flatMap((one) => {
    const why = objection(one, trees);
    return why === undefined ? [] : [{ ...one, why }];
  });
}

function objection({ from, to }: Import, trees: Readonly<Record<string, Tree>>): string | undefined {
  const [above, below] = [roomOf(from, trees), roomOf(to, trees) ?? to.split('/')[0]];
  if (above === undefined) return `${from} stands in no room`;
  const tree = from.split('/')[0] as string;
  const { levels = [], uses = [], also = {} } = trees[tree] ?? {};
  if (below !== tree && !below?.startsWith(`${tree}/`)) {
    const target = to.split('/')[0] as string;
    const room = above.slice(tree.length + 1);
    return [...uses, ...(also[room] ?? [])].includes(target) ? undefined : `${above} may not use ${target}`;
  }
  if (above === below) return undefined;
  const level = (room: string): number =>
    levels.findIndex((rooms) => rooms.includes(room === tree ? '.' : room.slice(tree.length + 1)));
  return level(below) < level(above) ? undefined : `${above} does not lie above ${below}`;
}

/**
 * Circles: in every folder, what lies in it (files and folders) must use one another in one direction only; that rules out
 * circles of files as well. Pure.
 * @returns each circle as the paths in it
 */
export function circles(imports: readonly Import[]): string[][] {
  const uses = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [a, b] = [from.split('/'), to.split('/')];
    const parting = a.findIndex((part, i) => part !== b[i]);
    if (parting === -1) continue;
    const [user, used] = [a, b].map((parts) => parts.slice(0, parting + 1).join('/')) as [string, string];
    uses.set(user, (uses.get(user) ?? new Set()).add(used));
  }
  const found: string[][] = [];
  const done = new Set<string>();
  const walk = (node: string, above: readonly string[]): void => {
    if (above.includes(node)) found.push([...above.slice(above.indexOf(node)), node]);
    if (done.has(node)) return;
    done.add(node);
    for (const next of uses.get(node) ?? []) walk(next, [...above, node]);
  };
  for (const node of uses.keys()) walk(node, []);
  return found;
}
