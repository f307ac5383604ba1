/** HTML text of nodes as k6 (Go's html.Render) writes it. */
import {
  type AnyNode,
  type Element,
  isCDATA,
  isComment,
  isDirective,
  isDocument,
  isTag,
  isText,
  type ParentNode,
} from 'domhandler';

const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input keygen link meta param source track wbr'.split(' '),
);
/** Elements whose text is written as it is. */
const RAW: ReadonlySet<string> = new Set('iframe noembed noframes noscript plaintext script style xmp'.split(' '));

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  '\r': '&#13;',
};

const escapedText = (text: string) => text.replace(/[&'<>"\r]/g, (char) => ESCAPES[char] ?? char);

/** What stands in a node. As in k6, the text of a script alone is escaped, and within its element is not. */
export const innerHtml = (node: ParentNode): string =>
  node.children.map((child) => (isText(child) ? escapedText(child.data) : outerHtml(child))).join('');

const within = (node: ParentNode): string => node.children.map(outerHtml).join('');

function outerHtml(node: AnyNode): string {
  if (isText(node)) {
    const { parent } = node;
    return parent !== null && isTag(parent) && RAW.has(parent.name) ? node.data : escapedText(node.data);
  }
  if (isComment(node)) return `<!--${node.data}-->`;
  if (isDirective(node)) return `<${node.data}>`;
  if (isTag(node)) return elementHtml(node);
  return isDocument(node) || isCDATA(node) ? within(node) : '';
}

function elementHtml(element: Element): string {
  const attributes = element.attributes.map(({ name, value }) => ` ${name}="${escapedText(value)}"`).join('');
  if (VOID.has(element.name)) return `<${element.name}${attributes}/>`;
  return `<${element.name}${attributes}>${within(element)}</${element.name}>`;
}
