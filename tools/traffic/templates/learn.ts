/**
 * Learns templates from paths: segments that fixed rules know (numbers, GUIDs, ISBNs, hashes, dates) are placeholders from
 * the start; others become one when siblings.ts takes them for values of one variable.
 */
import { literalSegment } from './name-text.ts';
import { parseTemplate, type Template } from './route-table.ts';
import { isPlaceholder, placeholderOf, segmentsOf } from './segments.ts';
import { judgeSiblings, type Sibling } from './siblings.ts';
import { placeholderFor } from './words.ts';

interface Node {
  readonly children: Map<string, Node>;
  /** Requests that end here, per method and the query key that makes an endpoint of its own: `GET`, `GET ?search=`. */
  readonly methods: Map<string, number>;
  /** Requests that end here or below. */
  count: number;
}

/** Siblings kept apart while counting; more are one variable for certain. */
const MAX_CHILDREN = 2_000;
const OVERFLOW = '{name}';
/** Remarks of one kind; a log in which hundreds of parents are in doubt is better served with a list of templates. */
const MAX_REMARKS = 8;

export interface LearnedTemplates {
  /** By falling number of requests. */
  readonly templates: readonly Template[];
  /** What was taken for values and might be none, and the other way round: parents and numbers, never the values. */
  readonly remarks: readonly string[];
}

export interface TemplateLearner {
  /** @param key the query key that makes an endpoint of its own, when the request has one */
  add(method: string, path: string, key?: string): void;
  learn(): LearnedTemplates;
}

export function templateLearner(): TemplateLearner {
  const root = newNode();
  return {
    add(method, path, key) {
      let node = root;
      node.count++;
      for (const segment of segmentsOf(path).slice(0, 12)) {
        const rule = placeholderOf(segment);
        node = childOf(node, rule === undefined ? literalSegment(segment) : `{${rule}}`);
        node.count++;
      }
      const end = key === undefined ? method : `${method} ?${key}=`;
      node.methods.set(end, (node.methods.get(end) ?? 0) + 1);
    },
    learn() {
      const found: { name: string; count: number }[] = [];
      const told: Told = { folded: [], doubtful: [] };
      fold(root, '', '', told);
      list(root, '', found);
      found.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
      const templates = found.map(({ name }) => parseTemplate(name)).filter((template) => template !== undefined);
      return { templates: templates.map((template) => ({ ...template, splits: true })), remarks: remarksOf(told) };
    },
  };
}

/** What fold has decided and what it has left open, largest first when it is told. */
interface Told {
  readonly folded: { readonly parent: string; readonly n: number; readonly name: string }[];
  readonly doubtful: { readonly parent: string; readonly n: number }[];
}

function remarksOf({ folded, doubtful }: Told): string[] {
  const largest = <T extends { n: number }>(list: readonly T[]): T[] => [...list].sort((a, b) => b.n - a.n);
  const rest = (list: readonly unknown[], what: string): string[] =>
    list.length > MAX_REMARKS ? [`${list.length - MAX_REMARKS} more parents have siblings that ${what}`] : [];
  return [
    ...largest(folded)
      .slice(0, MAX_REMARKS)
      .map(
        ({ parent, n, name }) =>
          `${n} siblings below ${parent}/ look like values and were taken as ${name}; pin them with --templates if they are endpoints`,
      ),
    ...rest(folded, 'were taken as values'),
    ...largest(doubtful)
      .slice(0, MAX_REMARKS)
      .map(
        ({ parent, n }) =>
          `${n} siblings below ${parent}/ were taken as endpoints by their own names; if they are values (names of people, places, words), pin ${parent}/{name} with --templates, or they stand in what is printed`,
      ),
    ...rest(doubtful, 'may be values'),
  ];
}

function newNode(): Node {
  return { children: new Map(), methods: new Map(), count: 0 };
}

function childOf(node: Node, key: string): Node {
  let child = node.children.get(key);
  if (child !== undefined) return child;
  if (node.children.size >= MAX_CHILDREN && !isPlaceholder(key)) return childOf(node, OVERFLOW);
  child = newNode();
  node.children.set(key, child);
  return child;
}

/** Folds values into one placeholder, from the top down, because merged children decide together. */
function fold(node: Node, prefix: string, segment: string, told: Told): void {
  const literals = [...node.children].filter(([key]) => !isPlaceholder(key));
  const { values, doubtful, certain } = judgeSiblings(segment, literals.map(siblingOf));
  if (values.length > 0) {
    const name = placeholderFor(values);
    for (const key of values) {
      moveChild(node, key, name);
    }
    if (!certain) told.folded.push({ parent: prefix, n: values.length, name });
  }
  if (doubtful > 0) told.doubtful.push({ parent: prefix, n: doubtful });
  onePlaceholder(node);
  for (const [key, child] of node.children) fold(child, `${prefix}/${key}`, key, told);
}

function siblingOf([name, node]: [string, Node]): Sibling {
  return {
    name,
    count: node.count,
    methods: [...new Set([...node.methods.keys()].map((end) => end.replace(/ .*$/, '')))],
    children: [...node.children.keys()],
    grandchildren: [...node.children.values()].flatMap((child) => [...child.children.keys()]),
  };
}

function moveChild(node: Node, key: string, name: string): void {
  const child = node.children.get(key) as Node;
  const target = node.children.get(name);
  node.children.delete(key);
  if (target === undefined) node.children.set(name, child);
  else merge(target, child);
}

/** Numbers and names in one place cannot be told apart when a path is looked up: the kind with the most requests names both. */
function onePlaceholder(node: Node): void {
  const kinds = [...node.children].filter(([key]) => isPlaceholder(key));
  const [most, ...others] = kinds.sort((a, b) => b[1].count - a[1].count || (a[0] < b[0] ? -1 : 1));
  for (const [key] of others) moveChild(node, key, (most as [string, Node])[0]);
}

function merge(into: Node, from: Node): void {
  into.count += from.count;
  for (const [method, n] of from.methods) into.methods.set(method, (into.methods.get(method) ?? 0) + n);
  for (const [key, child] of from.children) {
    const target = into.children.get(key);
    if (target === undefined) into.children.set(key, child);
    else merge(target, child);
  }
}

function list(node: Node, prefix: string, found: { name: string; count: number }[]): void {
  for (const [end, count] of node.methods) {
    const [method, query = ''] = end.split(' ?');
    found.push({ name: `${method} ${prefix === '' ? '/' : prefix}${query === '' ? '' : `?${query}`}`, count });
  }
  for (const [key, child] of node.children) list(child, `${prefix}/${key}`, found);
}
