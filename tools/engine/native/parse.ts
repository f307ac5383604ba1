/** A module of a script as a syntax tree: its functions, calls, names, imports and exports; and what cannot be rewritten. */
import { type AnyNode, type CallExpression, type Program, parse, type TaggedTemplateExpression } from 'acorn';
import { analyze, type Variable } from 'eslint-scope';
import { EngineError } from '../engine-error.ts';
import { type ImportFacts, keyName, linksOf, type Reexport } from './links.ts';

/** The script uses what this engine does not run; the message says what and where. */
export class NotRewritable extends Error {
  override readonly name = 'NotRewritable';
}

export type FunctionNode = Extract<
  AnyNode,
  { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }
>;
export type CallNode = CallExpression | TaggedTemplateExpression;

export interface FunctionFacts {
  readonly node: FunctionNode;
  /** Must stay a plain function: a constructor, an accessor, a callback of a built-in. */
  pinned: boolean;
  /** May wait for the engine, and so becomes a generator. */
  suspends: boolean;
  usesThis: boolean;
  /** An async function: its body is a generator, which jobs drive; a call gives a promise. */
  readonly isAsync: boolean;
  /** A generator of the script's own, which stays one. */
  readonly isGenerator: boolean;
}

/** The function that code belongs to; `plain` where nothing can be waited for (default values of parameters, class fields). */
export type Owner = FunctionFacts | 'module' | 'plain';

export interface ParsedModule {
  readonly name: string;
  readonly code: string;
  readonly ast: Program;
  readonly functions: ReadonlyMap<AnyNode, FunctionFacts>;
  readonly calls: readonly { readonly node: CallNode; readonly owner: Owner }[];
  /** Values that are stored under a property's name. */
  readonly stored: readonly { readonly name: string; readonly value: AnyNode }[];
  readonly parentOf: ReadonlyMap<AnyNode, AnyNode>;
  /** Places of all `=>`, rising. */
  readonly arrows: readonly number[];
  /** What a name in the code means: a variable, or null for a global one. Undefined for what is no reference. */
  variableOf(identifier: AnyNode): Variable | null | undefined;
  /** Whether the variable of an exported name gets another value after its first. */
  isReassigned(identifier: AnyNode): boolean;
  readonly imports: readonly ImportFacts[];
  /** Modules whose exports are handed on, all or by name. */
  readonly reexports: readonly Reexport[];
  /** `await` at the top level. */
  readonly awaits: boolean;
  /** Exported name to the local identifier, or to the expression of a default export. */
  readonly exports: ReadonlyMap<string, AnyNode>;
}

/** @throws NotRewritable for syntax that has no generator form, EngineError for what is no script */
export function parseModule(name: string, code: string): ParsedModule {
  const arrows: number[] = [];
  let ast: Program;
  try {
    ast = parse(code, {
      ecmaVersion: 2022,
      sourceType: 'module',
      ranges: true,
      onToken: (token) => {
        if (token.type.label === '=>') arrows.push(token.start);
      },
    });
  } catch (error) {
    throw EngineError.script(`SyntaxError: ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const scopes = analyze(ast as never, { ecmaVersion: 2022, sourceType: 'module' });
  // To k6 a file without `import` and `export` is a CommonJS module.
  const isModule = ast.body.some(({ type }) => /^(Import|Export)/.test(type));
  const free = scopes.globalScope?.through.map(({ identifier }) => identifier.name) ?? [];
  const common = isModule ? undefined : ['module', 'exports'].find((one) => free.includes(one));
  if (common !== undefined) throw new NotRewritable(`${name}: CommonJS modules (${common})`);
  const variables = new Map<unknown, Variable | null>();
  for (const scope of scopes.scopes) {
    for (const { identifier, resolved } of scope.references) variables.set(identifier, resolved);
  }
  const isReassigned = (node: AnyNode) => {
    const named = node.type === 'Identifier' ? node.name : '';
    const variable = scopes.scopes.find((scope) => scope.type === 'module')?.set.get(named);
    return variable?.references.some((reference) => reference.isWrite() && reference.init !== true) === true;
  };
  const found = collect(name, code, ast);
  const { imports, exports, reexports } = linksOf(ast);
  return {
    name,
    code,
    ast,
    arrows,
    ...found,
    imports,
    exports,
    reexports,
    isReassigned,
    variableOf: (node) => variables.get(node),
  };
}

/** Nodes directly below a node, in the order of the source. */
export function childrenOf(node: AnyNode): AnyNode[] {
  const children: AnyNode[] = [];
  let isOrdered = true;
  const look = (item: unknown) => {
    if (item === null || typeof item !== 'object' || !('type' in item) || typeof item.type !== 'string') return;
    const child = item as AnyNode;
    const last = children.at(-1);
    if (last !== undefined && child.start <= last.start) isOrdered = false;
    children.push(child);
  };
  for (const value of Object.values(node) as unknown[]) {
    if (Array.isArray(value)) for (const item of value as unknown[]) look(item);
    else look(value);
  }
  // A shorthand property holds one node twice.
  return isOrdered ? children : [...new Set(children)].sort((a, b) => a.start - b.start);
}

export const isFunction = (node: AnyNode): node is FunctionNode =>
  node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';

function collect(name: string, code: string, ast: Program) {
  const placeOf = (node: AnyNode) => `${name}:${code.slice(0, node.start).split('\n').length}`;
  const functions = new Map<AnyNode, FunctionFacts>();
  const calls: { node: CallNode; owner: Owner }[] = [];
  const stored: { name: string; value: AnyNode }[] = [];
  let awaits = false;
  const parentOf = new Map<AnyNode, AnyNode>();
  const store = (key: AnyNode, computed: boolean, value: AnyNode | null | undefined) => {
    const text = keyName(key, computed);
    if (text !== undefined && value !== null && value !== undefined) stored.push({ name: text, value });
  };

  const visitFunction = (node: FunctionNode, owner: Owner) => {
    if (node.async && node.generator) throw new NotRewritable(`${placeOf(node)}: async generators`);
    const isAsync = node.async === true;
    const isGenerator = node.generator === true;
    const facts: FunctionFacts = {
      node,
      pinned: isGenerator,
      suspends: isAsync,
      usesThis: false,
      isAsync,
      isGenerator,
    };
    functions.set(node, facts);
    if (node.id) visit(node.id, node, owner);
    for (const param of node.params) visit(param, node, 'plain');
    visit(node.body, node, facts);
    const isArrow = node.type === 'ArrowFunctionExpression';
    if (!isArrow && !isAsync) return;
    const uses = usesOf(node);
    if (isAsync && (uses.has('super') || uses.has('new.target') || (isArrow && uses.has('arguments'))))
      throw new NotRewritable(`${placeOf(node)}: super, new.target or arguments inside an async function`);
    if (!isArrow) return;
    facts.usesThis = uses.has('this');
    // These mean the function around, which a function of its own would hide.
    if (uses.has('arguments') || uses.has('super') || uses.has('new.target')) facts.pinned = true;
  };

  const visit = (node: AnyNode, parent: AnyNode | undefined, owner: Owner): void => {
    if (parent !== undefined) parentOf.set(node, parent);
    if (isFunction(node)) {
      visitFunction(node, owner);
      return;
    }
    let inner = owner;
    switch (node.type) {
      case 'CallExpression':
      case 'TaggedTemplateExpression':
        calls.push({ node, owner });
        break;
      case 'AwaitExpression':
        if (owner === 'module') awaits = true;
        else if (owner === 'plain') throw new NotRewritable(`${placeOf(node)}: await in a default value`);
        break;
      case 'ForOfStatement':
        if (node.await) throw new NotRewritable(`${placeOf(node)}: for await, which k6 does not know either`);
        break;
      case 'ImportExpression':
        throw new NotRewritable(`${placeOf(node)}: import()`);
      case 'MetaProperty':
        if (node.meta.name !== 'new') throw new NotRewritable(`${placeOf(node)}: import.meta`);
        break;
      case 'Property':
        if (parent?.type !== 'ObjectPattern') store(node.key, node.computed, node.value);
        break;
      case 'MethodDefinition':
        store(node.key, node.computed, node.value);
        break;
      case 'PropertyDefinition':
        store(node.key, node.computed, node.value);
        visit(node.key, node, owner);
        if (node.value) visit(node.value, node, 'plain');
        return;
      case 'StaticBlock':
        inner = 'plain';
        break;
      case 'AssignmentExpression':
        if (node.left.type === 'MemberExpression') store(node.left.property, node.left.computed, node.right);
        break;
    }
    for (const child of childrenOf(node)) visit(child, node, inner);
  };
  visit(ast, undefined, 'module');
  return { functions, calls, stored, parentOf, awaits };
}

/** Which of `this`, `arguments`, `super` and `new.target` an arrow function takes from the function around it. */
function usesOf(node: AnyNode): Set<string> {
  const uses = new Set<string>();
  const look = (at: AnyNode) => {
    if (at.type === 'ThisExpression') uses.add('this');
    if (at.type === 'Super') uses.add('super');
    if (at.type === 'MetaProperty') uses.add('new.target');
    if (at.type === 'Identifier' && at.name === 'arguments') uses.add('arguments');
    for (const child of childrenOf(at)) {
      const ownThis = (isFunction(child) && child.type !== 'ArrowFunctionExpression') || child.type.startsWith('Class');
      if (!ownThis) look(child);
    }
  };
  look(node);
  return uses;
}
