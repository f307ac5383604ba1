/** Finds in a bundle what k6's engine lacks: globals that are undefined there, syntax that it refuses, regular expressions that silently never match. */
import type { AnyNode, CallExpression, MemberExpression, NewExpression } from 'acorn';
import { ITERATOR_HELPERS, ITERATOR_MAKERS, MISSING_GLOBALS, MISSING_METHODS, MISSING_STATICS } from './lacking.ts';
import { propertyName, readSyntax, type Syntax } from './syntax.ts';

/** Sentences about what `code` (JavaScript) uses and k6 lacks; empty when it is fine. */
export function scanBundle(code: string): string[] {
  const found = new Set<string>();
  if (/\bsourceMappingURL=data:/.test(code)) found.add('inline source map');
  scan(code, found);
  return [...found];
}

function scan(code: string, found: Set<string>): void {
  let syntax: Syntax;
  try {
    syntax = readSyntax(code);
  } catch (error) {
    found.add(`code that cannot be read (${(error as Error).message})`);
    return;
  }
  const own = ownNames(syntax);
  for (const { node, parent } of syntax.nodes) {
    // A guarded look (`typeof URL`) is what tells that it is missing.
    if (parent?.type === 'UnaryExpression' && parent.operator === 'typeof') continue;
    for (const what of faults(node, parent, syntax, own)) found.add(what);
    const body = textAsCode(node, syntax);
    if (body !== undefined) scan(body, found);
  }
}

function* faults(
  node: AnyNode,
  parent: AnyNode | undefined,
  syntax: Syntax,
  own: ReadonlySet<string>,
): Generator<string> {
  switch (node.type) {
    case 'Identifier':
    case 'MemberExpression': {
      const name = isDefinition(node, parent) ? undefined : syntax.globalName(node);
      if (name !== undefined && MISSING_GLOBALS.has(name)) yield `the global ${name}`;
      if (node.type === 'MemberExpression') yield* memberFaults(node, parent, syntax, own);
      return;
    }
    case 'VariableDeclarator':
      if (node.id.type === 'ObjectPattern' && node.init) yield* takenFaults(node.id, node.init, syntax);
      return;
    case 'Literal':
      if ('regex' in node && node.regex) yield* regexFaults(node.regex.pattern, node.regex.flags);
      return;
    case 'CallExpression':
    case 'NewExpression':
      if (syntax.globalName(node.callee as AnyNode) === 'RegExp') {
        yield* regexFaults(syntax.text(node.arguments[0] as AnyNode) ?? '', argument(node, 1, syntax) ?? '');
      }
      return;
    case 'ImportExpression':
      yield 'dynamic import';
      return;
    case 'ImportDeclaration':
      if (node.attributes.length > 0) yield 'import attributes';
      return;
    case 'ForOfStatement':
      if (node.await) yield 'for await';
      return;
    case 'FunctionDeclaration':
    case 'FunctionExpression':
      if (node.async && node.generator) yield 'async generator';
      return;
    default:
  }
}

/** What is looked at by name: a function of a built-in object, a method of a built-in value. */
function* memberFaults(
  node: MemberExpression,
  parent: AnyNode | undefined,
  syntax: Syntax,
  own: ReadonlySet<string>,
): Generator<string> {
  const name = propertyName(node, syntax.text);
  if (name === undefined) return;
  const holder = syntax.origin(node.object as AnyNode);
  const built = `${syntax.globalName(holder)}.${name}`;
  if (MISSING_STATICS.has(built)) yield built;
  const ofPrototype = holder.type === 'MemberExpression' && propertyName(holder, syntax.text) === 'prototype';
  const called = parent?.type === 'CallExpression' && parent.callee === node;
  if (MISSING_METHODS.has(name) && (called || ofPrototype) && !own.has(name)) yield `the method ${name}`;
  if (!called) return;
  if (name === 'toLocaleString' && parent.arguments.length > 0) yield 'toLocaleString with a locale, which throws';
  if (ITERATOR_HELPERS.has(name) && isIterator(holder, syntax, own)) yield `the method ${name} of an iterator`;
}

/** `const { fetch } = globalThis`, `const { groupBy } = Object`. */
function* takenFaults(
  pattern: Extract<AnyNode, { type: 'ObjectPattern' }>,
  init: AnyNode,
  { globalName, text }: Syntax,
): Generator<string> {
  const from = globalName(init);
  for (const property of pattern.properties) {
    if (property.type !== 'Property') continue;
    const key = property.key as AnyNode;
    const name = !property.computed && key.type === 'Identifier' ? key.name : text(key);
    if (name === undefined) continue;
    if (from === 'globalThis' && MISSING_GLOBALS.has(name)) yield `the global ${name}`;
    if (MISSING_STATICS.has(`${from}.${name}`)) yield `${from}.${name}`;
  }
}

function isIterator(value: AnyNode, { origin, text, globalName }: Syntax, own: ReadonlySet<string>): boolean {
  if (value.type !== 'CallExpression') return false;
  const callee = origin(value.callee as AnyNode);
  if ('generator' in callee && callee.generator) return true;
  if (callee.type !== 'MemberExpression') return false;
  const name = propertyName(callee, text);
  if (name === undefined || !ITERATOR_MAKERS.has(name) || own.has(name)) return false;
  // Those of `Object` take an object and give arrays.
  const arrays = ['Object', 'Reflect'].includes(globalName(callee.object as AnyNode) ?? '');
  return !arrays && (value.arguments.length === 0 || name === 'matchAll');
}

function* regexFaults(body: string, flags: string): Generator<string> {
  if (/\\p\{/i.test(body)) yield `/${body}/${flags}: \\p{...} compiles but never matches`;
  if (/[dv]/.test(flags)) yield `/${body}/${flags}: the flags d and v are refused`;
  if (/\(\?[ims]*-?[ims]+:/.test(body)) yield `/${body}/${flags}: flags within the expression are refused`;
}

/** Code that is given as a text: `Function('return x')`, `eval('x')`. */
function textAsCode(node: AnyNode, syntax: Syntax): string | undefined {
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined;
  const name = syntax.globalName(node.callee as AnyNode);
  if (name === 'eval') return argument(node, 0, syntax);
  return name === 'Function' ? argument(node, node.arguments.length - 1, syntax) : undefined;
}

const argument = (node: CallExpression | NewExpression, i: number, { text }: Syntax): string | undefined =>
  text(node.arguments[i] as AnyNode | undefined);

/** Whether the name is given here and not looked up: a key, a declared variable. */
function isDefinition(node: AnyNode, parent: AnyNode | undefined): boolean {
  if (parent === undefined || node.type !== 'Identifier') return false;
  if (parent.type === 'VariableDeclarator') return parent.id === node;
  if (parent.type === 'MemberExpression') return parent.property === node && !parent.computed;
  return parent.type === 'Property' && parent.key === node && !parent.computed && !parent.shorthand;
}

/** Names of methods and properties that the code makes itself: what it calls by them is most likely its own. */
function ownNames({ nodes, text }: Syntax): Set<string> {
  const names = new Set<string>();
  for (const { node, parent } of nodes) {
    const isKey =
      (node.type === 'Property' && parent?.type === 'ObjectExpression') ||
      node.type === 'MethodDefinition' ||
      node.type === 'PropertyDefinition';
    if (isKey && node.key.type === 'Identifier') names.add(node.key.name);
    if (node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression') {
      const name = propertyName(node.left, text);
      if (name !== undefined) names.add(name);
    }
  }
  return names;
}
