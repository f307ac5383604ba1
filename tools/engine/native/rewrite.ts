/**
 * Writes a module anew: functions that may wait as generators, their calls as a `yield` of the callee's generator, a check on every other call whose
 * callee is not known, and a count in every loop and function against those that never end. Line numbers stay.
 */
import type { AnyNode, ArrowFunctionExpression } from 'acorn';
import MagicString from 'magic-string';
import {
  type CallNode,
  childrenOf,
  type FunctionFacts,
  type FunctionNode,
  isFunction,
  keyName,
  NotRewritable,
  type Owner,
  type ParsedModule,
} from './parse.ts';
import { type Analysis, callsBack } from './suspending.ts';

/** Globals that each VU has for itself. */
const OF_THE_VU: ReadonlySet<string> = new Set(
  '__ENV __VU __ITER console open Date Math Function globalThis global'.split(' '),
);
/** Those that guest/boot.js adds to the VU's global object. */
const ON_THE_GLOBAL_OBJECT: ReadonlySet<string> = new Set(
  'crypto TextEncoder TextDecoder GoError exports module'.split(' '),
);
/** Globals of the language that all VUs share; scripts that use another one are left to the interpreter. */
const SHARED: ReadonlySet<string> = new Set(
  'undefined NaN Infinity Object Array String Number Boolean Symbol BigInt JSON RegExp Map Set WeakMap WeakSet Error TypeError RangeError SyntaxError ReferenceError EvalError URIError Promise Proxy Reflect ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape'.split(
    ' ',
  ),
);
/** Expressions that are no function from elsewhere. */
const PLAINLY_NO_NAME =
  /^(FunctionExpression|ArrowFunctionExpression|Literal|TemplateLiteral|ObjectExpression|ArrayExpression|BinaryExpression|SpreadElement)$/;
/** Names that are no properties of a realm's object worth a constant. */
const CONSTANTS: ReadonlySet<string> = new Set(['undefined', 'NaN', 'Infinity']);
/** Functions that change the object they are given. */
const CHANGES = /^(defineProperty|defineProperties|assign|setPrototypeOf|freeze|seal|preventExtensions)$/;

/**
 * @param guarded whether loops are counted; the engine's own modules need none
 * @returns source of a generator function `(globals, imports, helpers)` that runs the module and returns its exports
 * @throws NotRewritable for what only the interpreter can run
 */
export function rewriteModule(module: ParsedModule, analysis: Analysis, guarded: boolean): string {
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
        refuseSharedChange(node.left);
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
      case 'ImportDeclaration':
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
      if (isChange(node.callee)) for (const argument of node.arguments.slice(0, 1)) refuseSharedChange(argument, true);
      if (callsBack(node)) {
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
      if (kind === 'may wait') refuse(node, 'a call that may wait in the middle of an optional chain');
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
    const generator = facts.suspends && !facts.pinned;
    const isBlock = node.body.type === 'BlockStatement';
    if (guarded && isBlock) text.appendLeft(node.body.start + 1, COUNT);
    if (node.type === 'ArrowFunctionExpression') {
      if (generator) editArrow(node, facts.usesThis);
      else if (guarded && !isBlock) surround(node.body.start, '(--$k6n<0&&($k6n=$k6tick()),', node.body.end, ')');
    } else if (generator) editNamed(node, parent);
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
    } else if (ON_THE_GLOBAL_OBJECT.has(node.name)) {
      const own = `$k6g.globalThis.${node.name}`;
      text.update(node.start, node.end, parent?.type === 'Property' && parent.shorthand ? `${node.name}:${own}` : own);
    } else if (SHARED.has(node.name)) shared.add(node.name);
    else refuse(node, `the global name "${node.name}"`);
  };

  const isChange = (callee: AnyNode) =>
    callee.type === 'MemberExpression' && CHANGES.test(keyName(callee.property, callee.computed) ?? '');

  /** One VU must not change for the others what they share: the built-ins of the language. */
  const refuseSharedChange = (target: AnyNode, whole = false) => {
    let at = target;
    let depth = whole ? 1 : 0;
    while (at.type === 'MemberExpression') {
      if (keyName(at.property, at.computed) === '__proto__') refuse(at, 'a change of a prototype');
      at = at.object;
      depth++;
    }
    const shared = depth > 0 && at.type === 'Identifier' && module.variableOf(at) === null && SHARED.has(at.name);
    if (shared) refuse(target, 'a change of a built-in object');
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
  return `${header(module, shared)}${text.toString()}\n;${footer(module)}`;
}

/** A shorthand property is the same text twice. */
function ordered(node: AnyNode): AnyNode[] {
  return node.type === 'Property' && node.shorthand ? [node.value] : childrenOf(node);
}

/** Begins without a line break, so that lines keep their numbers. Globals become constants: those of a realm are slow to find. */
function header(module: ParsedModule, shared: ReadonlySet<string>): string {
  const requests = [...new Set(module.imports.map(({ request }) => request))];
  const imports = module.imports
    .filter(({ imported }) => imported !== '')
    .map(({ request, imported, local }) => {
      const from = `$k6i[${requests.indexOf(request)}]`;
      return `const ${local.name}=${imported === '*' ? from : `${from}[${JSON.stringify(imported)}]`};`;
    });
  const globals = [...shared].filter((name) => !CONSTANTS.has(name)).join(',');
  const helpers = `{G:$k6G,no:$k6no,cb:$k6cb,tick:$k6tick,realm:{${globals}}}`;
  return `(()=>{"use strict";return function*($k6g,$k6i,${helpers}){let $k6t,$k6n=1000;${imports.join('')}`;
}

function footer(module: ParsedModule): string {
  const parts = [...module.exports].map(([name, node]) => {
    const local =
      node.type === 'Identifier'
        ? node.name
        : (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id
          ? node.id.name
          : '$k6default';
    return `${JSON.stringify(name)}:${local}`;
  });
  return `return{__proto__:null,${parts.join(',')}}}})()`;
}
