/** What a module imports and exports. */
import type { AnyNode, Identifier, Program } from 'acorn';

/** `export * from`, `export { a as b } from`, `export * as b from`. */
export interface Reexport {
  readonly request: string;
  /** Name there; `*` for the whole module. */
  readonly imported: string;
  /** Name here; undefined for all names. */
  readonly exported: string | undefined;
}

export interface ImportFacts {
  readonly request: string;
  /** `*` for the whole module. */
  readonly imported: string;
  readonly local: Identifier;
}

/** Name of a property key that stands in the source. */
export function keyName(key: AnyNode, computed: boolean): string | undefined {
  if (key.type === 'Literal') return String(key.value);
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  return !computed && key.type === 'Identifier' ? key.name : undefined;
}

/** What a module imports from, each once. */
export const requestsOf = ({ imports, reexports }: Links): string[] => [
  ...new Set([...imports, ...reexports].map(({ request }) => request)),
];

export interface Links {
  readonly imports: readonly ImportFacts[];
  readonly reexports: readonly Reexport[];
}

/** The identifiers that a pattern declares. */
function namesOf(pattern: AnyNode): Identifier[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'ObjectPattern':
      return pattern.properties.flatMap((one) => namesOf(one.type === 'RestElement' ? one.argument : one.value));
    case 'ArrayPattern':
      return pattern.elements.flatMap((one) => (one === null ? [] : namesOf(one)));
    case 'AssignmentPattern':
      return namesOf(pattern.left);
    case 'RestElement':
      return namesOf(pattern.argument);
    default:
      return [];
  }
}

export function linksOf(ast: Program) {
  const imports: ImportFacts[] = [];
  const exports = new Map<string, AnyNode>();
  const reexports: Reexport[] = [];
  const declared = (node: AnyNode | null | undefined) => {
    if ((node?.type === 'FunctionDeclaration' || node?.type === 'ClassDeclaration') && node.id)
      exports.set(node.id.name, node.id);
    if (node?.type !== 'VariableDeclaration') return;
    for (const { id } of node.declarations) {
      for (const one of namesOf(id)) exports.set(one.name, one);
    }
  };
  for (const node of ast.body) {
    switch (node.type) {
      case 'ImportDeclaration':
        for (const specifier of node.specifiers) {
          const imported =
            specifier.type === 'ImportDefaultSpecifier'
              ? 'default'
              : specifier.type === 'ImportNamespaceSpecifier'
                ? '*'
                : (keyName(specifier.imported, false) ?? '');
          imports.push({ request: String(node.source.value), imported, local: specifier.local });
        }
        if (node.specifiers.length === 0) {
          imports.push({ request: String(node.source.value), imported: '', local: { name: '' } as Identifier });
        }
        break;
      case 'ExportAllDeclaration':
        reexports.push({
          request: String(node.source.value),
          imported: '*',
          exported: node.exported ? (keyName(node.exported, false) ?? '') : undefined,
        });
        break;
      case 'ExportDefaultDeclaration':
        exports.set('default', node.declaration);
        break;
      case 'ExportNamedDeclaration':
        if (node.source) {
          for (const { exported, local } of node.specifiers) {
            reexports.push({
              request: String(node.source.value),
              imported: keyName(local, false) ?? '',
              exported: keyName(exported, false) ?? '',
            });
          }
          break;
        }
        declared(node.declaration);
        for (const { exported, local } of node.specifiers) exports.set(keyName(exported, false) ?? '', local);
        break;
    }
  }
  return { imports, exports, reexports };
}
