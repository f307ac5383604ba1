/** Documents that a script reads and what it has selected of them; the script holds their numbers. */
import { createRequire } from 'node:module';
import type * as Cheerio from 'cheerio';
import type { AnyNode, Element } from 'domhandler';
import { fieldValue, formValues, textOf } from './forms.ts';
import { innerHtml } from './render.ts';

type Selected = Cheerio.Cheerio<AnyNode>;
/** A number and a size for a selection, else a value. */
export type HtmlAnswer = { readonly id: number; readonly size: number } | { readonly value: unknown };

let loaded: typeof Cheerio | undefined;
/** The parser is read when the first document is. */
function cheerio(): typeof Cheerio {
  loaded ??= createRequire(import.meta.url)('cheerio') as typeof Cheerio;
  return loaded;
}

/** Selectors of jQuery that Go's engine of selectors does not know, and would find nothing for. */
const FOREIGN =
  /:(first|last|eq|gt|lt|even|odd|header|animated|visible|hidden|selected|text|password|radio|checkbox|submit|image|reset|button|file|icontains)\b(?!-)/;

type Operation = (
  selected: Selected,
  of: (id: number) => Selected,
  ...given: never[]
) => Selected | { readonly value: unknown };

const value = (given: unknown) => ({ value: given });
const isElement = (node: AnyNode | undefined): node is Element =>
  node?.type === 'tag' || node?.type === 'script' || node?.type === 'style';

/** What Go's library makes of a selector that is none: it finds nothing. */
function choose(selected: Selected, selector: string, find: (selector: string) => Selected): Selected {
  const foreign = FOREIGN.exec(selector);
  if (foreign !== null) throw new RefusedSelector(foreign[0]);
  // Text without quotes is a name, which no digit begins.
  if (/:contains\(\s*\d/.test(selector)) return selected.slice(0, 0);
  try {
    return find(selector);
  } catch {
    return selected.slice(0, 0);
  }
}

export class RefusedSelector extends Error {}

const WALKS = ['children', 'next', 'nextAll', 'parent', 'parents', 'prev', 'prevAll'] as const;
const UNTILS = ['nextUntil', 'parentsUntil', 'prevUntil'] as const;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...Object.fromEntries(
    WALKS.map((name): [string, Operation] => [
      name,
      (selected, _, selector?: string) =>
        selector === undefined ? selected[name]() : choose(selected, selector, (text) => selected[name](text)),
    ]),
  ),
  ...Object.fromEntries(
    UNTILS.map((name): [string, Operation] => [
      name,
      (selected, _, selector = '', filter?: string) => {
        const walked = choose(selected, selector, (text) => (text === '' ? selected[name]() : selected[name](text)));
        return filter === undefined ? walked : choose(walked, filter, (text) => walked.filter(text));
      },
    ]),
  ),
  find: (selected, _, selector: string) => choose(selected, selector, (text) => selected.find(text)),
  closest: (selected, _, selector: string) => choose(selected, selector, (text) => selected.closest(text)),
  filter: (selected, _, selector: string) => choose(selected, selector, (text) => selected.filter(text)),
  not: (selected, _, selector: string) => choose(selected, selector, (text) => selected.not(text)),
  has: (selected, _, selector: string) => choose(selected, selector, (text) => selected.has(text)),
  filterSelection: (selected, of, id: number) => selected.filter((_, node) => of(id).toArray().includes(node)),
  notSelection: (selected, of, id: number) => selected.filter((_, node) => !of(id).toArray().includes(node)),
  indices: (selected, _, kept: readonly number[]) => selected.filter((i) => kept.includes(i)),
  contents: (selected) => selected.contents(),
  slice: (selected, _, start: number, end?: number) => selected.slice(start, end),
  eq: (selected, _, index: number) => selected.eq(index),
  is: (selected, _, selector: string) => value(choose(selected, selector, (text) => selected.filter(text)).length > 0),
  isSelection: (selected, of, id: number) => value(selected.toArray().some((node) => of(id).toArray().includes(node))),
  attr: (selected, _, name: string) => value(selected.attr(name)),
  data: (selected, _, key?: string) => value(key === undefined ? allData(selected) : selected.data(key)),
  html: (selected) => {
    const first = selected[0];
    return value(first !== undefined && 'children' in first ? innerHtml(first) : undefined);
  },
  text: (selected) => value(textOf(selected.toArray())),
  val: (selected) => value(fieldValue(selected)),
  form: (selected) => value(formValues(selected)),
  node: (selected) => {
    const node = selected[0];
    return value(
      isElement(node)
        ? { name: node.name, attributes: node.attributes.map(({ name, value: text }) => [name, text]) }
        : undefined,
    );
  },
};

/** Words that k6 writes in capitals where they end or stand within a name. */
const INITIALS: ReadonlySet<string> = new Set(
  'acl api ascii cpu css dns eof guid html http https id ip json lhs qps ram rhs rpc sla smtp sql ssh tcp tls ttl udp ui uid uuid uri url utf8 vm xml xmpp xsrf xss'.split(
    ' ',
  ),
);

/** All `data-` attributes under their names in camel case, as k6 builds them: `data-test-id` is `testID`. */
function allData(selected: Selected): Record<string, unknown> {
  const first = selected[0];
  if (!isElement(first)) return {};
  const names = first.attributes.map(({ name }) => name).filter((name) => name.startsWith('data-'));
  return Object.fromEntries(names.map((name) => [dataName(name.slice(5)), selected.data(name.slice(5))]));
}

const dataName = (name: string) =>
  name
    .split('-')
    .map((word, i) =>
      i === 0
        ? word
        : word === 'oauth'
          ? 'OAuth'
          : INITIALS.has(word)
            ? word.toUpperCase()
            : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join('');

export class HtmlSelections {
  private readonly held = new Map<number, Selected>();
  private next = 0;

  /** What the script of an iteration before this one held is let go of. */
  clear(): void {
    this.held.clear();
  }

  parse(text: string): HtmlAnswer {
    return this.hold(cheerio().load(text).root() as unknown as Selected);
  }

  /** @throws RefusedSelector */
  call(id: number, operation: string, given: readonly unknown[]): HtmlAnswer {
    const made = OPERATIONS[operation]?.(this.of(id), (other) => this.of(other), ...(given as never[]));
    if (made === undefined) throw new Error(`no operation "${operation}"`);
    return 'value' in made ? made : this.hold(made as Selected);
  }

  private of(id: number): Selected {
    const selected = this.held.get(id);
    if (selected === undefined) throw new Error('this Selection belongs to an iteration that is over');
    return selected;
  }

  private hold(selected: Selected): HtmlAnswer {
    this.held.set(this.next, selected);
    return { id: this.next++, size: selected.length };
  }
}
