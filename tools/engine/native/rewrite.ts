/**
 * Writes a module anew: functions that may wait as generators, their calls as a `yield` of the callee's generator, a check on every other call whose
 * callee is not known, and a count in every loop and function against those that never end. Line numbers stay.
 */
import type { AnyNode, ArrowFunctionExpression } from 'acorn';
import MagicString from 'magic-string';
import { OF_THE_LANGUAGE, OF_THE_VU } from './globals.ts';
import { keyName } from './links.ts';
import { footer, header } from './module-frame.ts';
import {
  type CallNode,
  childrenOf,
  type FunctionFacts,
  type FunctionNode,
  isFunction,
  NotRewritable,
  type Owner,
  type ParsedModule,
} from './parse.ts';
import { type Analysis, callsBack, waitsWith } from './suspending.ts';

/** Expressions that are no function from elsewhere. */
const PLAINLY_NO_NAME =
  /^(FunctionExpression|ArrowFunctionExpression|Literal|TemplateLiteral|ObjectExpression|ArrayExpression|BinaryExpression|SpreadElement)$/;
/** Functions that change the object they are given. */
const CHANGES = /^(defineProperty|defineProperties|assign|setPrototypeOf|freeze|seal|preventExtensions)$/;

export interface Rewritten {
  /** Source of a generator function `(globals, imports, helpers)` that runs the module and returns its exports. */
  readonly code: string;
  /** Whether the module changes objects that VUs in one realm have in common, so that each VU needs a realm of its own. */
  readonly changesBuiltins: boolean;
}

/**
 * @param guarded whether loops are counted; the engine's own modules need none
 * @throws NotRewritable for what this engine does not run
 */
export function rewriteModule(module: ParsedModule, analysis: Analysis, guarded: boolean): Rewritten {
  if (module.code.includes('$k6')) throw new NotRewritable(`${module.name}: names that begin with $k6`);
  const text = new MagicString(module.code);
  const ownerOf = new Map<AnyNode, Owner>(module.calls.map(({ node, owner }) => [node, owner]));
  const refuse = (node: AnyNode, what: string): never => {
    const line = module.code.slice(0, node.start).split('\n').length;
    throw new NotRewritable(`${module.name}:${line}: ${what}`);
  };
  // Children first, so that what surrounds them is put around them.
  const visit = (node: AnyNode, parent: AnyNode | undefined): void => {
    for (const child of ordered(node)) visit(child, node);
    const facts = module.functions.get(node);
    if (facts !== undefined) editFunction(facts, parent);
    switch (node.type) {
      case 'Identifier':
        if (module.variableOf(node) === null) editGlobal(node, parent);
        break;
      case 'CallExpression':
      case 'TaggedTemplateExpression':
        editCall(node, parent);
        break;
      case 'AssignmentExpression':
        noteChange(node.left);
        break;
      case 'ExpressionStatement':
        // What begins with a parenthesis now must not become the call of the line before.
        if (edited.has(node.start)) text.prependRight(node.start, '0,');
        break;
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
        if (guarded) editLoop(node.body);
        break;
      case 'AwaitExpression':
        text.update(node.start, node.start + 'await'.length, '(yield $k6await(');
        text.appendLeft(node.end, '))');
        edited.add(node.start);
        break;
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
        text.remove(node.start, node.end);
        break;
      case 'ExportNamedDeclaration':
        if (node.declaration) text.remove(node.start, node.declaration.start);
        else text.remove(node.start, node.end);
        break;
      case 'ExportDefaultDeclaration':
        editDefault(node.start, node.declaration);
        break;
    }
  };
  const shared = new Set<string>();
  let changesBuiltins = false;
  /** Places where an expression now begins with a parenthesis. */
  const edited = new Set<number>();
  const surround = (start: number, before: string, end: number, after: string) => {
    text.prependRight(start, before);
    text.appendLeft(end, after);
    edited.add(start);
  };

  const editCall = (node: CallNode, parent: AnyNode | undefined) => {
    if (node.type === 'CallExpression') {
      if (node.callee.type === 'Super') return;
      if (analysis.isGlobal(module, node.callee) && node.callee.type === 'Identifier' && node.callee.name === 'eval')
        refuse(node, 'eval');
      if (isChange(node.callee)) for (const argument of node.arguments.slice(0, 1)) noteChange(argument, true);
      if (callsBack(node) && !waitsWith(node)) {
        for (const argument of node.arguments) {
          if (!PLAINLY_NO_NAME.test(argument.type)) surround(argument.start, '$k6cb(', argument.end, ')');
        }
      }
    }
    const kind = analysis.callKind(module, node);
    if (kind === 'at once') return;
    let outer: AnyNode = node;
    if (parent?.type === 'ChainExpression') outer = parent;
    // Parentheses end a chain; before a further `?.` that makes no difference.
    else if (inChain(node) && !(parent !== undefined && 'optional' in parent && parent.optional)) {
      const literals = node.type === 'CallExpression' && waitsWith(node) ? node.arguments : undefined;
      if (
        kind === 'may wait' &&
        (literals === undefined || literals.some((one) => module.functions.get(one)?.suspends))
      )
        refuse(node, 'a call that may wait in the middle of an optional chain');
      // What it calls back must not wait then, and says so if it does.
      for (const one of literals ?? []) {
        if (!PLAINLY_NO_NAME.test(one.type)) surround(one.start, '$k6cb(', one.end, ')');
      }
      return;
    }
    const owner = ownerOf.get(node);
    const waits = owner === 'module' || (typeof owner === 'object' && owner.suspends);
    const after = waits ? ')instanceof $k6G?yield $k6t:$k6t)' : ')instanceof $k6G?$k6no($k6t):$k6t)';
    surround(outer.start, '(($k6t=', outer.end, after);
  };

  /** Whether an optional link to the left could skip this call. */
  const inChain = (node: AnyNode): boolean => {
    let up: AnyNode | undefined = module.parentOf.get(node);
    while (up?.type === 'MemberExpression' || up?.type === 'CallExpression') up = module.parentOf.get(up);
    if (up?.type !== 'ChainExpression') return false;
    for (let at: AnyNode = node; at.type === 'CallExpression' || at.type === 'MemberExpression'; ) {
      if (at.optional) return true;
      at = at.type === 'CallExpression' ? at.callee : at.object;
    }
    return false;
  };

  const COUNT = 'if(--$k6n<0)$k6n=$k6tick();';
  const editLoop = (body: AnyNode) => {
    if (body.type === 'BlockStatement') text.appendLeft(body.start + 1, COUNT);
    else surround(body.start, `{${COUNT}`, body.end, '}');
  };

  const editFunction = (facts: FunctionFacts, parent: AnyNode | undefined) => {
    const { node } = facts;
    const isBlock = node.body.type === 'BlockStatement';
    if (guarded && isBlock) text.appendLeft(node.body.start + 1, COUNT);
    if (facts.isGenerator) return editGenerator(node, parent);
    if (facts.isAsync) return editAsync(node, parent, facts.pinned);
    const generator = facts.suspends && !facts.pinned;
    if (node.type === 'ArrowFunctionExpression') {
      if (generator) editArrow(node, facts.usesThis);
      else if (guarded && !isBlock) surround(node.body.start, '(--$k6n<0&&($k6n=$k6tick()),', node.body.end, ')');
    } else if (generator) editNamed(node, parent);
  };

  /** Generators of the script's own are told from calls that wait by their prototype. */
  const editGenerator = (node: FunctionNode, parent: AnyNode | undefined) => {
    if (node.type === 'FunctionDeclaration' && node.id) {
      const block = module.parentOf.get(node);
      const at = block?.type === 'BlockStatement' ? block.start + 1 : node.start;
      text.prependRight(at, `$k6gen(${node.id.name});`);
    } else if (parent?.type === 'MethodDefinition' || (parent?.type === 'Property' && parent.method)) {
      refuse(node, 'a generator as a method');
    } else surround(node.start, '$k6gen(', node.end, ')');
  };

  /** The body becomes a generator, which jobs drive from one \`await\` to the next. */
  const editAsync = (node: FunctionNode, parent: AnyNode | undefined, isPinned: boolean) => {
    const [before, after] = isPinned ? ['$k6no($k6async(function*(){', '))'] : ['$k6async(function*(){', ')'];
    const isMethod = parent?.type === 'MethodDefinition' || (parent?.type === 'Property' && parent.method);
    const from = isMethod ? parent.start : node.start;
    const found = /\basync\b/.exec(module.code.slice(from, node.body.start));
    if (found !== null) text.remove(from + found.index, from + found.index + found[0].length);
    const call = node.type === 'ArrowFunctionExpression' ? '.call(this)' : '.apply(this,arguments)';
    if (node.body.type === 'BlockStatement') {
      text.appendLeft(node.body.start + 1, `return ${before}`);
      text.prependRight(node.body.end - 1, `}${call}${after}`);
    } else surround(node.body.start, `${before}return(`, node.body.end, `)}${call}${after}`);
  };

  const editNamed = (node: FunctionNode, parent: AnyNode | undefined) => {
    if (parent?.type === 'MethodDefinition' || (parent?.type === 'Property' && parent.method)) {
      const keyStart = parent.computed ? module.code.lastIndexOf('[', parent.key.start) : parent.key.start;
      // A field without a semicolon may stand before.
      const plainClass = parent.type === 'MethodDefinition' && !parent.static;
      text.prependRight(keyStart, plainClass ? ';*' : '*');
    } else text.appendLeft(node.start + 'function'.length, '*');
  };

  const editArrow = (node: ArrowFunctionExpression, usesThis: boolean) => {
    const from = node.params.at(-1)?.end ?? node.start;
    const arrow = module.arrows.find((at) => at >= from && at < node.body.start) ?? from;
    const isBlock = node.body.type === 'BlockStatement';
    if (module.code[node.start] === '(') surround(node.start, '(function*', node.end, '');
    else {
      surround(node.start, '(function*(', node.end, '');
      text.appendLeft(from, ')');
    }
    text.update(arrow, arrow + 2, isBlock ? '' : `{${guarded ? COUNT : ''}return(`);
    text.appendLeft(node.end, `${isBlock ? '' : ')}'})${usesThis ? '.bind(this)' : ''}`);
  };

  const editGlobal = (node: AnyNode & { name: string }, parent: AnyNode | undefined) => {
    if (OF_THE_VU.has(node.name)) {
      // All of Math but its dice is shared, and called directly.
      const isMember = node.name === 'Math' && parent?.type === 'MemberExpression' && parent.object === node;
      const member = isMember ? keyName(parent.property, parent.computed) : undefined;
      if (member !== undefined && member !== 'random') {
        shared.add('Math');
        return;
      }
      const own = `$k6g.${node.name === 'global' ? 'globalThis' : node.name}`;
      const shorthand = parent?.type === 'Property' && parent.shorthand;
      text.update(node.start, node.end, shorthand ? `${node.name}:${own}` : own);
    } else if (OF_THE_LANGUAGE.has(node.name)) shared.add(node.name);
    else if (!isWritten(parent, node)) editOther(node, parent);
  };

  /** A global name that the language does not know: k6's, or none at all. */
  const editOther = (node: AnyNode & { name: string }, parent: AnyNode | undefined) => {
    const isAsked = parent?.type === 'UnaryExpression' && parent.operator === 'typeof';
    const found = isAsked ? `$k6g.globalThis.${node.name}` : `($k6global($k6g,"${node.name}"))`;
    edited.add(node.start);
    text.update(
      node.start,
      node.end,
      parent?.type === 'Property' && parent.shorthand ? `${node.name}:${found}` : found,
    );
  };

  /** Whether a name is assigned to, which stays what it is: an error of the language. */
  const isWritten = (parent: AnyNode | undefined, node: AnyNode) =>
    (parent?.type === 'AssignmentExpression' && parent.left === node) ||
    (parent?.type === 'UpdateExpression' && parent.argument === node);

  const isChange = (callee: AnyNode) =>
    callee.type === 'MemberExpression' && CHANGES.test(keyName(callee.property, callee.computed) ?? '');

  /** One VU must not change for the others what they share: the built-ins of the language. */
  const noteChange = (target: AnyNode, whole = false) => {
    let at = target;
    let depth = whole ? 1 : 0;
    while (at.type === 'MemberExpression') {
      if (keyName(at.property, at.computed) === '__proto__') changesBuiltins = true;
      at = at.object;
      depth++;
    }
    if (depth > 0 && at.type === 'Identifier' && module.variableOf(at) === null && OF_THE_LANGUAGE.has(at.name)) {
      changesBuiltins = true;
    }
  };

  const editDefault = (start: number, declaration: AnyNode) => {
    const named =
      (isFunction(declaration) || declaration.type === 'ClassDeclaration') && 'id' in declaration && declaration.id;
    if (named && declaration.type.endsWith('Declaration')) text.remove(start, declaration.start);
    else {
      text.update(start, declaration.start, 'const $k6default=');
      text.appendLeft(declaration.end, ';');
    }
  };

  for (const node of module.exports.values()) {
    const written = node.type === 'Identifier' && module.isReassigned(node);
    if (written) refuse(node, 'an export that is assigned anew');
  }
  visit(module.ast, undefined);
  return { code: `${header(module, shared)}${text.toString()}\n;${footer(module)}`, changesBuiltins };
}

/** A shorthand property is the same text twice. */
function ordered(node: AnyNode): AnyNode[] {
  return node.type === 'Property' && node.shorthand ? [node.value] : childrenOf(node);
}
