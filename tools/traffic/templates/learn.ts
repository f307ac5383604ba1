/**
 * Learns templates from paths: segments that fixed rules know (numbers, GUIDs, ISBNs, hashes, dates) are placeholders from
 * the start; others become one when the data show many different values in the same place.
 */
import { parseTemplate, type Template } from './route-table.ts';
import { isPlaceholder, placeholderOf, segmentsOf } from './segments.ts';

interface Node {
  readonly children: Map<string, Node>;
  /** Requests that end here, per method. */
  readonly methods: Map<string, number>;
  /** Requests that end here or below. */
  count: number;
}

/** When a set of sibling segments is taken for values of one variable. */
export const VARIABLE_RULE = {
  /** So many different siblings are one whatever their counts. */
  many: 100,
  /** Or this many, when they are asked for fewer than `rarely` times each on average. */
  some: 10,
  rarely: 4,
} as const;

/** Siblings kept apart while counting; more are one variable for certain. */
const MAX_CHILDREN = 2_000;
const OVERFLOW = '{name}';

export interface TemplateLearner {
  add(method: string, path: string): void;
  /** Templates by falling number of requests. */
  learn(): Template[];
}

export function templateLearner(): TemplateLearner {
  const root = newNode();
  return {
    add(method, path) {
      let node = root;
      node.count++;
      for (const segment of segmentsOf(path).slice(0, 12)) {
        const rule = placeholderOf(segment);
        node = childOf(node, rule === undefined ? segment : `{${rule}}`);
        node.count++;
      }
      node.methods.set(method, (node.methods.get(method) ?? 0) + 1);
    },
    learn() {
      const found: { name: string; count: number }[] = [];
      fold(root);
      list(root, '', found);
      found.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
      return found.map(({ name }) => parseTemplate(name)).filter((template) => template !== undefined);
    },
  };
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

/** Folds variable siblings into one placeholder, from the top down, because merged children decide together. */
function fold(node: Node): void {
  const groups = new Map<string, [string, Node][]>();
  for (const [key, child] of node.children) {
    if (isPlaceholder(key)) continue;
    // Siblings of the same nature only: a POST /shop/checkout among product pages is an endpoint of its own.
    const nature = `${[...child.methods.keys()].sort().join()} ${child.children.size > 0 ? 'inner' : 'leaf'}`;
    const group = groups.get(nature) ?? [];
    group.push([key, child]);
    groups.set(nature, group);
  }
  for (const group of groups.values()) {
    const requests = group.reduce((sum, [, child]) => sum + child.count, 0);
    const rare = group.length >= VARIABLE_RULE.some && requests < VARIABLE_RULE.rarely * group.length;
    if (group.length <= VARIABLE_RULE.many && !rare) continue;
    const dashes = group.filter(([key]) => key.includes('-')).length;
    const name = dashes * 2 > group.length ? '{slug}' : OVERFLOW;
    for (const [key, child] of group) {
      node.children.delete(key);
      const target = node.children.get(name);
      if (target === undefined) node.children.set(name, child);
      else merge(target, child);
    }
  }
  for (const child of node.children.values()) fold(child);
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
  for (const [method, count] of node.methods) found.push({ name: `${method} ${prefix === '' ? '/' : prefix}`, count });
  for (const [key, child] of node.children) list(child, `${prefix}/${key}`, found);
}
