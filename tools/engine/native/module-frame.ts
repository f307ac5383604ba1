/** What stands around a rewritten module: what it is given, and what it exports. */
import { requestsOf } from './links.ts';
import type { ParsedModule } from './parse.ts';

/** Names that are no properties of a realm's object worth a constant. */
const CONSTANTS: ReadonlySet<string> = new Set(['undefined', 'NaN', 'Infinity']);

/** Begins without a line break, so that lines keep their numbers. Globals become constants: those of a realm are slow to find. */
export function header(module: ParsedModule, shared: ReadonlySet<string>): string {
  const requests = requestsOf(module);
  const imports = module.imports
    .filter(({ imported }) => imported !== '')
    .map(({ request, imported, local }) => {
      const from = `$k6i[${requests.indexOf(request)}]`;
      return `const ${local.name}=${imported === '*' ? from : `${from}[${JSON.stringify(imported)}]`};`;
    });
  const globals = [...shared].filter((name) => !CONSTANTS.has(name)).join(',');
  const helpers = `{G:$k6G,no:$k6no,cb:$k6cb,tick:$k6tick,async:$k6async,awaiting:$k6await,gen:$k6gen,global:$k6global,realm:{${globals}}}`;
  return `(()=>{"use strict";return function*($k6g,$k6i,${helpers}){let $k6t,$k6n=1000;${imports.join('')}`;
}

export function footer(module: ParsedModule): string {
  const parts = [...module.exports].map(([name, node]) => {
    const local =
      node.type === 'Identifier'
        ? node.name
        : (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') && node.id
          ? node.id.name
          : '$k6default';
    return `${JSON.stringify(name)}:${local}`;
  });
  const requests = requestsOf(module);
  const handedOn = module.reexports.map(({ request, imported, exported }) => {
    const from = `$k6i[${requests.indexOf(request)}]`;
    // All names but the default one, and below those of the module itself.
    if (exported === undefined) return `...(({default:_,...rest})=>rest)(${from})`;
    return `${JSON.stringify(exported)}:${imported === '*' ? from : `${from}[${JSON.stringify(imported)}]`}`;
  });
  return `return{__proto__:null,${[...handedOn, ...parts].join(',')}}}})()`;
}
