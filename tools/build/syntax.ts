/** JavaScript as a tree, with the little evaluation that a scan needs: what a name stands for, and which text a value is. */
import { type AnyNode, type Program, parse } from 'acorn';
import { analyze, type Variable } from 'eslint-scope';

export interface Syntax {
  /** Every node with the one above it, in the order of the text. */
  readonly nodes: readonly { readonly node: AnyNode; readonly parent: AnyNode | undefined }[];
  /** The name of a global that the value is, `globalThis.x` included; undefined for anything else. */
  globalName(node: AnyNode): string | undefined;
  /** What the value is made by: a name that is set once stands for what it was set to. */
  origin(node: AnyNode): AnyNode;
  /** The text that the value is for sure; undefined when only the run knows. */
  text(node: AnyNode | undefined): string | undefined;
}

/** Names of the object that holds all globals. */
const GLOBAL_OBJECT = 'globalThis';
/** Names that stand for each other are followed this far. */
const DEEPEST = 5;

/** @throws SyntaxError */
export function readSyntax(code: string): Syntax {
  const ast: Program = parse(code, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    ranges: true,
    allowReturnOutsideFunction: true,
  });
  const nodes: { node: AnyNode; parent: AnyNode | undefined }[] = [];
  collect(ast, undefined, nodes);
  const variables = new Map<unknown, Variable | null>();
  for (const scope of analyze(ast as never, { ecmaVersion: 2022, sourceType: 'module' }).scopes) {
    for (const { identifier, resolved } of scope.references) variables.set(identifier, resolved);
  }

  const origin = (node: AnyNode, depth = 0): AnyNode => {
    if (node.type === 'ChainExpression' || node.type === 'ParenthesizedExpression')
      return origin(node.expression, depth);
    const variable = node.type === 'Identifier' ? variables.get(node) : undefined;
    if (!variable || depth > DEEPEST) return node;
    const writes = variable.references.filter((one) => one.isWrite());
    const definition = variable.defs[0];
    if (definition?.type === 'FunctionName' && writes.length === 0) return definition.node as AnyNode;
    const declared = definition?.node as AnyNode | undefined;
    const once = declared?.type === 'VariableDeclarator' && declared.id.type === 'Identifier' && writes.length === 1;
    return once && declared.init ? origin(declared.init, depth + 1) : node;
  };
  const text = (node: AnyNode | undefined): string | undefined => {
    if (node === undefined) return undefined;
    const value = origin(node);
    if (value.type === 'Literal') return typeof value.value === 'string' ? value.value : undefined;
    if (value.type === 'TemplateLiteral') {
      const parts = value.quasis.map((one, i) => {
        const next = value.expressions[i];
        const inserted = next === undefined ? '' : text(next);
        return inserted === undefined ? undefined : `${one.value.cooked ?? ''}${inserted}`;
      });
      return parts.includes(undefined) ? undefined : parts.join('');
    }
    if (value.type !== 'BinaryExpression' || value.operator !== '+') return undefined;
    const [left, right] = [text(value.left as AnyNode), text(value.right)];
    return left === undefined || right === undefined ? undefined : left + right;
  };
  const globalName = (node: AnyNode): string | undefined => {
    const value = origin(node);
    if (value.type === 'Identifier') return variables.get(value) === null ? value.name : undefined;
    if (value.type !== 'MemberExpression' || globalName(value.object as AnyNode) !== GLOBAL_OBJECT) return undefined;
    return propertyName(value, text);
  };
  return { nodes, globalName, origin, text };
}

/** Name of the property that is looked at, if it is known before the run. */
export function propertyName(
  node: Extract<AnyNode, { type: 'MemberExpression' }>,
  text: Syntax['text'],
): string | undefined {
  if (node.computed) return text(node.property as AnyNode);
  return node.property.type === 'Identifier' ? node.property.name : undefined;
}

function collect(
  node: AnyNode,
  parent: AnyNode | undefined,
  into: { node: AnyNode; parent: AnyNode | undefined }[],
): void {
  into.push({ node, parent });
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof (child as AnyNode | null)?.type === 'string') collect(child as AnyNode, node, into);
    }
  }
}
