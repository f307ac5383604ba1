/**
 * Which literal segments below one parent are values of one variable (names, slugs, codes) and which are endpoints of their
 * own. Wrong both ways hurts: a value taken for an endpoint stands in the output, where no user name may be, and takes flows
 * apart; an endpoint taken for a value is lost among others. So looks, structure, numbers and the parent's name all count, and
 * what stays open is told.
 */

import { largest } from '../../../lib/model/extremes.ts';
import { isPlaceholder } from './segments.ts';
import { isCodeWord, isReserved, parentKind, VERBS, valueShape } from './words.ts';

export interface Sibling {
  readonly name: string;
  /** Requests here and below. */
  readonly count: number;
  /** Methods of requests that end here. */
  readonly methods: readonly string[];
  /** Segments below, literal or placeholder. */
  readonly children: readonly string[];
  /** Segments two levels below. */
  readonly grandchildren: readonly string[];
}

/** When a set of sibling segments is taken for values of one variable. */
const VARIABLE_RULE = {
  /** More different siblings than this are one whatever else speaks for names. */
  many: 100,
  /** Or this many, when they are asked for fewer than `rarely` times each on average. */
  some: 10,
  rarely: 4,
  /** Siblings that share what is below them, and leaves below a parent whose children are values by its name. */
  alike: 8,
  /** Leaves below a parent whose name says nothing, and below one that holds endpoints by its name. */
  neutral: 12,
  namespace: 30,
  /** Siblings that look like values: letters mixed with several digits or text in percent signs; with one or two digits. */
  shaped: 3,
  slightlyShaped: 8,
} as const;

export interface Judgement {
  /** Names that are values of one variable. */
  readonly values: readonly string[];
  /** How many siblings may be values as well and stay endpoints. */
  readonly doubtful: number;
  /** Whether nobody would take the values for endpoints. */
  readonly certain: boolean;
}

/** @param parent the segment above, empty for the root */
export function judgeSiblings(parent: string, siblings: readonly Sibling[]): Judgement {
  const kind = parentKind(parent);
  const values = new Set<string>();
  const take = (group: readonly Sibling[]): void => {
    for (const { name } of group) values.add(name);
  };
  const open = siblings.filter(({ name }) => !isReserved(name));
  take(shaped(open, kind));
  let doubtful = 0;
  let certain = true;
  for (const group of clusters(open.filter(({ name }) => !values.has(name)))) {
    const verdict = judgeGroup(group, kind);
    if (verdict === 'doubt') doubtful += group.length;
    if (verdict === 'many' || verdict === 'values') take(group);
    if (verdict === 'values') certain = false;
  }
  take(alikeWith(open, values, kind));
  return { values: [...values], doubtful, certain: certain && values.size > VARIABLE_RULE.many };
}

/** Siblings that look like values, whatever is below them. */
function shaped(siblings: readonly Sibling[], kind: ReturnType<typeof parentKind>): Sibling[] {
  const strong = siblings.filter(({ name }) => valueShape(name) === 'strong');
  const any = siblings.filter(({ name }) => valueShape(name) !== 'none');
  const least = kind === 'values' ? VARIABLE_RULE.shaped + 2 : VARIABLE_RULE.slightlyShaped;
  if (any.length >= least && any.length * 2 >= siblings.length) return any;
  return strong.length >= VARIABLE_RULE.shaped ? strong : [];
}

/** Groups of the same nature: leaves by their methods, inner ones by what most of them have below. */
function clusters(siblings: readonly Sibling[]): Sibling[][] {
  const groups = new Map<string, Sibling[]>();
  let inner: Sibling[] = [];
  for (const one of siblings) {
    if (one.children.length > 0) {
      inner.push(one);
      continue;
    }
    // A POST /shop/checkout among product pages is an endpoint of its own.
    const key = [...one.methods].sort().join();
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const result = [...groups.values()];
  while (inner.length > 0) {
    const core = coreOf(inner);
    const alike = inner.filter((one) => conforms(one, core));
    if (alike.length === 0) break;
    result.push(alike);
    inner = inner.filter((one) => !alike.includes(one));
  }
  if (inner.length > 0) result.push(inner);
  return result;
}

const featuresOf = (one: Sibling): string[] => [...one.methods, ...one.children.map((child) => `/${child}`)];

/** Methods and children that at least half as many siblings have as have the most common one. */
function coreOf(siblings: readonly Sibling[]): ReadonlySet<string> {
  const support = new Map<string, number>();
  for (const one of siblings)
    for (const feature of featuresOf(one)) support.set(feature, (support.get(feature) ?? 0) + 1);
  const most = largest(support.values());
  return new Set([...support].filter(([, n]) => n * 2 >= most && n > 1).map(([feature]) => feature));
}

function conforms(one: Sibling, core: ReadonlySet<string>): boolean {
  const features = featuresOf(one);
  const common = features.filter((feature) => core.has(feature));
  return common.length * 5 >= features.length * 3 && common.some((feature) => feature.startsWith('/'));
}

function judgeGroup(
  group: readonly Sibling[],
  kind: ReturnType<typeof parentKind>,
): 'many' | 'values' | 'names' | 'doubt' {
  const n = group.length;
  if (n > VARIABLE_RULE.many) return 'many';
  if (n < VARIABLE_RULE.alike) return 'names';
  const inner = (group[0] as Sibling).children.length > 0;
  const code = group.filter(({ name }) => isCodeWord(name)).length * 2 >= n;
  if (code) return 'names';
  const structure = inner ? structureOf(group) : 'none';
  if (structure === 'resource' && kind !== 'values') return 'names';
  const requests = group.reduce((sum, { count }) => sum + count, 0);
  if (n >= VARIABLE_RULE.some && requests < VARIABLE_RULE.rarely * n) return 'values';
  if (inner) {
    if (structure === 'values') return 'values';
    if (kind !== 'values') return structure === 'deep' && n >= VARIABLE_RULE.some ? 'doubt' : 'names';
    return structure === 'none' ? 'doubt' : 'values';
  }
  const reads = group.some(({ methods }) => methods.some((method) => method !== 'POST'));
  const least = kind === 'values' ? VARIABLE_RULE.alike : VARIABLE_RULE[kind];
  if (reads && n >= least) return 'values';
  return n >= VARIABLE_RULE.some ? 'doubt' : 'names';
}

/**
 * What siblings share below them. Words of their own (`/hours`, `/orders`) make them values. Resources share an id and verbs
 * (`/books/7`, `/orders/7`, `/books/search`): an id seldom stands right behind a value.
 */
function structureOf(group: readonly Sibling[]): 'values' | 'resource' | 'deep' | 'none' {
  const shared = sharedBy(group, (one) => one.children);
  if (shared.some((child) => isPlaceholder(child))) return 'resource';
  if (shared.length > 0) return shared.every((child) => VERBS.has(child.toLowerCase())) ? 'resource' : 'values';
  return sharedBy(group, (one) => one.grandchildren).some((child) => !isPlaceholder(child)) ? 'deep' : 'none';
}

/** What more than a third of the group have. */
function sharedBy(group: readonly Sibling[], list: (one: Sibling) => readonly string[]): string[] {
  const support = new Map<string, number>();
  for (const one of group) for (const item of new Set(list(one))) support.set(item, (support.get(item) ?? 0) + 1);
  return [...support].filter(([, n]) => n * 3 > group.length).map(([item]) => item);
}

/** Few that have nothing that the values do not have: a user who has asked for one of the pages only is one all the same. */
function alikeWith(
  open: readonly Sibling[],
  values: ReadonlySet<string>,
  kind: ReturnType<typeof parentKind>,
): Sibling[] {
  if (values.size === 0) return [];
  const folded = open.filter(({ name }) => values.has(name));
  const features = new Set(folded.flatMap(featuresOf));
  const innerValues = folded.some(({ children }) => children.length > 0);
  return open.filter((one) => {
    if (values.has(one.name) || isCodeWord(one.name)) return false;
    if (!featuresOf(one).every((feature) => features.has(feature))) return false;
    // Beside values with pages below them, a leaf that many values are as well.
    return one.children.length > 0 ? innerValues : kind === 'values';
  });
}
