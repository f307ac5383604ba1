/**
 * Which functions of a program may wait for the engine: those become generators. An estimate that errs on the side of "may":
 * whatever it misses is noticed when it happens (`rewrite.ts` checks every call whose callee is not known to return at once).
 */
import type { AnyNode } from 'acorn';
import type { Variable } from 'eslint-scope';
import { WAITING_METHODS } from './callbacks.ts';
import { OF_THE_LANGUAGE } from './globals.ts';
import { keyName } from './links.ts';
import {
  type CallNode,
  childrenOf,
  type FunctionFacts,
  type FunctionNode,
  isFunction,
  type ParsedModule,
} from './parse.ts';

/** What a call may do: wait, or return a value at once; `unlikely` is taken for the latter, and checked. */
export type CallKind = 'may wait' | 'unlikely' | 'at once';

export interface Analysis {
  /** Names of properties that may hold a function that may wait. */
  readonly waiting: ReadonlySet<string>;
  callKind(module: ParsedModule, call: CallNode): CallKind;
  /** Whether the identifier is one of the program's global variables, that is of the language or of k6. */
  isGlobal(module: ParsedModule, identifier: AnyNode): boolean;
}

/** Built-ins that call what they are given, by the name of their method. */
export const CALLS_BACK: ReadonlySet<string> = new Set(
  'forEach map filter reduce reduceRight some every find findIndex findLast findLastIndex flatMap sort toSorted replace replaceAll from parse stringify groupBy'.split(
    ' ',
  ),
);
/** Those of arrays, sets and maps that wait with their callbacks: the realm has its own (`callbacks.ts`). */
const WAITS_WITH: ReadonlySet<string> = new Set(WAITING_METHODS);
/** Methods that the language calls by itself. */
const PROTOCOL: ReadonlySet<string> = new Set(['toString', 'valueOf', 'toJSON', 'constructor']);

/**
 * @param modules in the order of their loading
 * @param target module that an import of another one means; undefined when there is none
 * @param known names of properties that hold functions that may wait
 */
export function analyseSuspending(
  modules: readonly ParsedModule[],
  target: (module: ParsedModule, request: string) => ParsedModule | undefined,
  known: ReadonlySet<string> = new Set(['__suspend', 'call', 'apply']),
): Analysis {
  const waiting = new Set(known);
  const stored = new Set(modules.flatMap((module) => module.stored.map(({ name }) => name)));

  const isGlobal = (module: ParsedModule, node: AnyNode) =>
    node.type === 'Identifier' && module.variableOf(node) === null;

  /** Whether the value of an expression may be a function that may wait. */
  const mayHold = (module: ParsedModule, node: AnyNode, depth = 0): CallKind => {
    if (depth > 20) return 'may wait';
    const facts = module.functions.get(node);
    // A pinned async function gives its promise, and only that.
    if (facts !== undefined) return facts.suspends && !facts.pinned ? 'may wait' : 'at once';
    switch (node.type) {
      case 'Identifier':
        return ofVariable(module, node, module.variableOf(node), depth + 1);
      case 'MemberExpression': {
        // What the language has returns at once; what k6 has may be made of functions that wait.
        if (isGlobal(module, node.object) && isOfLanguage(node.object)) return 'at once';
        const name = keyName(node.property, node.computed);
        return name === undefined || waiting.has(name) ? 'may wait' : 'unlikely';
      }
      case 'NewExpression':
        // What is in its text is not known.
        return isGlobal(module, node.callee) && isNamed(node.callee, 'Function') ? 'may wait' : 'at once';
      case 'ConditionalExpression':
        return worse(mayHold(module, node.consequent, depth + 1), mayHold(module, node.alternate, depth + 1));
      case 'LogicalExpression':
        return worse(mayHold(module, node.left, depth + 1), mayHold(module, node.right, depth + 1));
      case 'ChainExpression':
      case 'ParenthesizedExpression':
        return mayHold(module, node.expression, depth + 1);
      case 'CallExpression':
        return ofResult(module, node.callee, depth + 1);
      case 'Super':
      case 'Literal':
      case 'TemplateLiteral':
      case 'ObjectExpression':
      case 'ArrayExpression':
      case 'BinaryExpression':
      case 'UnaryExpression':
      case 'UpdateExpression':
      case 'ClassExpression':
      case 'ClassDeclaration':
        return 'at once';
      default:
        return 'may wait';
    }
  };

  const ofVariable = (
    module: ParsedModule,
    node: AnyNode,
    variable: Variable | null | undefined,
    depth: number,
  ): CallKind => {
    // Calls of the language's own functions, and of k6's.
    if (variable === null) return isOfLanguage(node) ? 'at once' : 'unlikely';
    // An identifier without a reference is the declaration itself, as exports name it.
    if (variable === undefined) return ofDeclaration(module, node, depth);
    const definition = variable.defs[0];
    if (definition === undefined || variable.defs.length !== 1) return 'may wait';
    const written = variable.references.filter((reference) => reference.isWrite() && reference.init !== true).length;
    if (written > 0) return 'may wait';
    const at = definition.node as AnyNode;
    if (definition.type === 'ImportBinding') {
      const found = module.imports.find(({ local }) => local === (definition.name as unknown));
      const other = found === undefined ? undefined : target(module, found.request);
      const exported = other?.exports.get(found?.imported ?? '');
      return other === undefined || exported === undefined ? 'may wait' : mayHold(other, exported, depth + 1);
    }
    const taken = takenFrom(module, definition.name as unknown as AnyNode);
    if (taken !== undefined && at.type === 'VariableDeclarator' && at.init && isGlobal(module, at.init))
      return isOfLanguage(at.init) ? 'at once' : 'may wait';
    // As where it is read from its object, if the program says what the object holds.
    if (taken !== undefined) return stored.has(taken) && !waiting.has(taken) ? 'unlikely' : 'may wait';
    if (at.type === 'VariableDeclarator') {
      if (at.id.type !== 'Identifier' || !at.init) return 'may wait';
      return mayHold(module, at.init, depth + 1);
    }
    return isFunction(at) && definition.type === 'FunctionName' ? mayHold(module, at, depth + 1) : 'may wait';
  };

  const ofDeclaration = (module: ParsedModule, node: AnyNode, depth: number): CallKind => {
    const parent = module.parentOf.get(node);
    if (parent?.type === 'VariableDeclarator' && parent.init) return mayHold(module, parent.init, depth + 1);
    return parent !== undefined && isFunction(parent) ? mayHold(module, parent, depth + 1) : 'may wait';
  };

  /** Whether what a call returns may be a function that may wait. */
  const ofResult = (module: ParsedModule, callee: AnyNode, depth: number): CallKind => {
    if (depth > 20) return 'may wait';
    if (isNamed(callee, 'Number', 'String', 'Boolean') && isGlobal(module, callee)) return 'at once';
    if (callee.type === 'MemberExpression') {
      const isData = isNamed(callee.object, 'JSON', 'Math') && isGlobal(module, callee.object);
      return isData ? 'at once' : 'may wait';
    }
    const facts = module.functions.get(callee) ?? functionOf(module, callee);
    if (facts === undefined) return 'may wait';
    if (facts.isAsync || facts.isGenerator) return 'at once';
    return returnedBy(facts.node).reduce<CallKind>(
      (all, value) => worse(all, mayHold(module, value, depth + 1)),
      'at once',
    );
  };

  const callKind = (module: ParsedModule, call: CallNode): CallKind =>
    waitsWith(call) &&
    call.type === 'CallExpression' &&
    call.arguments.some((one) => mayHold(module, one) === 'may wait')
      ? 'may wait'
      : mayHold(module, call.type === 'CallExpression' ? call.callee : call.tag);

  for (const module of modules) {
    pinCallbacks(module);
    if (NEVER_WAIT.has(module.name)) for (const facts of module.functions.values()) facts.pinned = true;
  }
  for (let changed = true; changed; ) {
    changed = false;
    for (const module of modules) {
      for (const { node, owner } of module.calls) {
        if (typeof owner === 'string' || owner.suspends || owner.pinned) continue;
        if (callKind(module, node) !== 'may wait') continue;
        owner.suspends = true;
        changed = true;
      }
      for (const { name, value } of NEVER_WAIT.has(module.name) ? [] : module.stored) {
        if (waiting.has(name) || mayHold(module, value) !== 'may wait') continue;
        waiting.add(name);
        changed = true;
      }
    }
  }
  return { callKind, isGlobal, waiting };
}

/** Modules of our own that call nothing that waits, and hand nothing on that does, whatever a script calls its properties. */
const NEVER_WAIT: ReadonlySet<string> = new Set([
  'k6:core',
  'k6:shared',
  'k6:bodies',
  'k6:cookie-jar',
  'k6:http-request',
  'k6/data',
  'k6/metrics',
]);

const worse = (a: CallKind, b: CallKind): CallKind =>
  a === 'may wait' || b === 'may wait' ? 'may wait' : a === 'unlikely' ? a : b;

const isOfLanguage = (node: AnyNode) =>
  node.type === 'Identifier' && node.name !== 'Reflect' && (OF_THE_LANGUAGE.has(node.name) || BUILT_IN.has(node.name));
/** Those of the language that each VU has for itself. */
const BUILT_IN: ReadonlySet<string> = new Set(['Date', 'Math']);

const isNamed = (node: AnyNode, ...names: readonly string[]) => node.type === 'Identifier' && names.includes(node.name);

/** Finds the functions that the language or its built-ins call. */
function pinCallbacks(module: ParsedModule): void {
  const pin = (node: AnyNode) => {
    const facts = module.functions.get(node) ?? functionOf(module, node);
    if (facts !== undefined) facts.pinned = true;
  };
  for (const [node, parent] of module.parentOf) {
    switch (node.type) {
      case 'MethodDefinition':
        if (node.kind !== 'method' || isProtocol(node.key, node.computed)) pin(node.value);
        break;
      case 'Property':
        if (node.kind !== 'init' || isProtocol(node.key, node.computed) || describes(module, parent, node.key))
          pin(node.value);
        break;
      case 'NewExpression':
        pin(node.callee);
        // A promise waits for what it begins with; any other constructor calls it at once.
        if (!isNamed(node.callee, 'Promise')) for (const argument of node.arguments) pin(argument);
        break;
      case 'CallExpression':
        if (callsBack(node) && !waitsWith(node)) for (const argument of node.arguments) pin(argument);
        break;
    }
  }
}

/** Whether a call may hand its arguments to a built-in that calls them. */
export function callsBack(node: AnyNode): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  const name = keyName(node.callee.property, node.callee.computed);
  return name !== undefined && CALLS_BACK.has(name);
}

/** Whether the built-in that a call may mean waits as its callbacks do. */
export function waitsWith(node: AnyNode): boolean {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return false;
  return WAITS_WITH.has(keyName(node.callee.property, node.callee.computed) ?? '');
}

/** Names such as `Symbol.iterator`, and those that the language knows. */
function isProtocol(key: AnyNode, computed: boolean): boolean {
  if (computed && key.type !== 'Literal') return key.type === 'MemberExpression' && isNamed(key.object, 'Symbol');
  return PROTOCOL.has(keyName(key, computed) ?? '');
}

/** An object literal that describes a property or the handler of a proxy. */
function describes(module: ParsedModule, object: AnyNode, key: AnyNode): boolean {
  const user = module.parentOf.get(object);
  if (user?.type === 'NewExpression') return isNamed(user.callee, 'Proxy');
  if (user?.type !== 'CallExpression' || user.callee.type !== 'MemberExpression') return false;
  return (
    isNamed(key, 'get', 'set') && /^(define|create)/.test(keyName(user.callee.property, user.callee.computed) ?? '')
  );
}

/** The property that a variable takes from an object: `b` in `const { b: a } = object`. */
function takenFrom(module: ParsedModule, name: AnyNode): string | undefined {
  const property = module.parentOf.get(name);
  if (property?.type !== 'Property' || module.parentOf.get(property)?.type !== 'ObjectPattern') return undefined;
  return keyName(property.key, property.computed);
}

/** What a function returns, each expression of it. */
function returnedBy({ body }: FunctionNode): AnyNode[] {
  if (body.type !== 'BlockStatement') return [body];
  const found: AnyNode[] = [];
  const look = (node: AnyNode) => {
    if (node.type === 'ReturnStatement' && node.argument) found.push(node.argument);
    if (!isFunction(node)) for (const child of childrenOf(node)) look(child);
  };
  look(body);
  return found;
}

/** The one function that a name stands for. */
function functionOf(module: ParsedModule, node: AnyNode): FunctionFacts | undefined {
  if (node.type !== 'Identifier') return undefined;
  const definition = module.variableOf(node)?.defs[0];
  const at = definition?.node as AnyNode | undefined;
  if (at === undefined) return undefined;
  const value = at.type === 'VariableDeclarator' ? at.init : at;
  return value && definition?.type !== 'Parameter' ? module.functions.get(value) : undefined;
}
