/** Values of fields, and of whole forms, as k6's `val` and `serialize` read them. */
import type * as Cheerio from 'cheerio';
import type { AnyNode, Element } from 'domhandler';

interface FormValue {
  readonly name: string;
  readonly value: unknown;
}

type Selected = Cheerio.Cheerio<AnyNode>;

const FIELDS = 'input,select,textarea,keygen';
/** k6 leaves boxes out too, checked or not. */
const LEFT_OUT: ReadonlySet<string> = new Set(['submit', 'button', 'image', 'reset', 'file', 'checkbox', 'radio']);

const isElement = (node: AnyNode | undefined): node is Element => node?.type === 'tag';

export function formValues(selected: Selected): FormValue[] {
  const isForm = selected.toArray().some((node) => isElement(node) && node.name === 'form');
  const fields = isForm ? selected.filter('form').find(FIELDS) : selected.filter(FIELDS);
  return fields.toArray().flatMap((node) => {
    if (!isElement(node)) return [];
    const { name, type = '' } = node.attribs;
    if (name === undefined || LEFT_OUT.has(type.toLowerCase())) return [];
    return [{ name, value: fieldValue(fields.filter((_, other) => other === node)) ?? '' }];
  });
}

export function fieldValue(selected: Selected): unknown {
  const first = selected[0];
  if (!isElement(first)) return undefined;
  switch (first.name) {
    case 'textarea':
      return textOf([first]);
    case 'option':
      return optionValue(first);
    case 'select': {
      const options = selected.first().find('option').toArray().filter(isElement);
      const chosen = options.filter(({ attribs }) => attribs['selected'] !== undefined).map(optionValue);
      return first.attribs['multiple'] === undefined ? (chosen[0] ?? '') : chosen;
    }
    default:
      return first.attribs['value'];
  }
}

const optionValue = (option: Element) => option.attribs['value'] ?? textOf([option]);

/** All of the text, scripts and styles included. */
export function textOf(nodes: readonly AnyNode[]): string {
  return nodes
    .map((node) => (node.type === 'text' ? node.data : 'children' in node ? textOf(node.children) : ''))
    .join('');
}
