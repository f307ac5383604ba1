/** What the type declarations of k6 name: modules, their exports, and the members of those. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

export interface DeclaredModule {
  /** As a script imports it. */
  readonly name: string;
  readonly exports: readonly DeclaredExport[];
}

export interface DeclaredExport {
  readonly name: string;
  readonly kind: 'function' | 'class' | 'object' | 'constant';
  readonly members: readonly string[];
}

const EXPORT =
  /^export (?:declare )?(?:(function) (\w+)|(?:abstract )?(class) (\w+)[^{]*\{|(const) (\w+)(: \{)?|(enum) (\w+))/gm;
const MEMBER = /^ {4}(?:readonly )?(\w+)(?:\??:|\(|<)/gm;

export function declaredModules(): DeclaredModule[] {
  const root = dirname(createRequire(import.meta.url).resolve('@types/k6/package.json'));
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(^|\/)index\.d\.ts$/.test(path))
    .map((path) => ({
      name: ['k6', ...dirname(relative(root, join(root, path))).split('/')].filter((part) => part !== '.').join('/'),
      exports: exportsOf(readFileSync(join(root, path), 'utf8')),
    }))
    .filter(({ name, exports }) => exports.length > 0 && name !== 'k6/options')
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function exportsOf(text: string): DeclaredExport[] {
  const found = new Map<string, DeclaredExport>();
  for (const match of text.matchAll(EXPORT)) {
    const [, isFunction, functionName, isClass, className, , constName, isObject, , enumName] = match;
    const name = functionName ?? className ?? constName ?? enumName ?? '';
    const kind = isFunction ? 'function' : isClass ? 'class' : isObject ? 'object' : 'constant';
    const members = kind === 'class' || kind === 'object' ? membersOf(text.slice(match.index)) : [];
    found.set(name, { name, kind, members });
  }
  // Of answers there is an interface alone; what they can do is as much of the module.
  const response = /^export interface Response \{/m.exec(text);
  if (response !== null)
    found.set('Response', { name: 'Response', kind: 'class', members: membersOf(text.slice(response.index)) });
  return [...found.values()];
}

function membersOf(text: string): string[] {
  const body = text.slice(0, text.indexOf('\n}'));
  return [...new Set([...body.matchAll(MEMBER)].map(([, name = '']) => name))].filter(
    (name) => !name.startsWith('__') && name !== 'protected' && name !== 'constructor' && name !== 'new',
  );
}
