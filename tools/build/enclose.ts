/**
 * Puts a bundle's code into one function. k6's engine keeps the variables of a module by name, in a table per VU, and looks
 * them up through it; those of a function it keeps by number (measured: 7 to 20 kB less for each VU).
 */
import { resolve } from 'node:path';
import type { OutputFile, Plugin } from 'esbuild';
import { fold } from './fold.ts';

/** One import statement of minified output, which stands at the start of a statement. */
const IMPORT = /(?<=^|[;}\n])import(?:\{[^}]*\}|\*as [\w$]+| [\w$]+(?:,\{[^}]*\})?)?\s*(?:from)?"[^"]+";/g;

/** Names in the braces of an import statement: `sleep as e`, `Trend as i`. */
const NAMED = /(?<=\{)[^}]*(?=\})/;

/**
 * Reads each imported function once: k6 makes a new function object at every look at an import by name (some 7 us and 0.9 kB).
 * Constructors, which start with a capital, are used once anyway.
 */
function readOnce(statement: string, locals: string[]): string {
  return statement.replace(NAMED, (names) =>
    names
      .split(',')
      .map((name) => {
        const [, imported, local = imported] = /^([a-z][\w$]*)(?: as ([\w$]+))?$/.exec(name) ?? [];
        if (imported === undefined || imported === 'default') return name;
        const alias = `import${locals.length}`;
        locals.push(`${local}=${alias}`);
        return `${imported} as ${alias}`;
      })
      .join(),
  );
}

/**
 * @param code minified ES module of esbuild
 * @param modules names of all modules that it imports
 * @throws Error when the code is not what esbuild writes
 */
export function enclose(code: string, modules: ReadonlySet<string>): string {
  const text = code.trim();
  const end = /export\{([^}]*)\};?$/.exec(text);
  if (end === null) throw new Error('the bundle exports nothing');
  const found: string[] = [];
  const known = new Map<string, string>();
  const locals: string[] = [];
  const body = text.slice(0, end.index).replace(IMPORT, (statement) => {
    // A module that several files import is bound once: every binding of an import is a function that each VU holds (0.8 kB).
    const [, local, module] = /^import ([\w$]+) from("[^"]+");$/.exec(statement) ?? [];
    if (local !== undefined && module !== undefined) {
      const first = known.get(module);
      if (first !== undefined) return `const ${local}=${first};`;
      known.set(module, local);
    }
    found.push(readOnce(statement, locals));
    return '';
  });
  const seen = new Set(found.map((statement) => statement.split('"')[1] as string));
  const missed = [...modules].filter((name) => !seen.has(name));
  if (missed.length > 0 || seen.size > modules.size) {
    throw new Error(`imports of the bundle: expected ${[...modules].join()}, found ${[...seen].join()}`);
  }
  const names = (end[1] as string).split(',').map((name) => name.split(' as ') as [string, string?]);
  const returned = names.map(([local, name = local]) => `${name}:${local}`).join();
  const taken = names.map(([local, name = local], i) => `${name}:export${i}`).join();
  const exported = names.map(([local, name = local], i) => `export${i} as ${name}`).join();
  const once = locals.length > 0 ? `const ${locals.join()};` : '';
  return `${found.join('')}const{${taken}}=(()=>{${once}${body}return{${returned}}})();export{${exported}};\n`;
}

/** An output file with other contents. */
export function outputFile(path: string, text: string): OutputFile {
  return { path: resolve(path), contents: new TextEncoder().encode(text), hash: '', text };
}

/** Encloses and folds every bundle of a build that stays in memory. */
export function encloseBundles(): Plugin {
  return {
    name: 'enclose',
    setup(plugin) {
      plugin.onEnd(async ({ errors, metafile, outputFiles = [] }) => {
        if (errors.length > 0) return;
        const imports = new Map(
          Object.entries(metafile?.outputs ?? {}).map(([file, output]) => [
            resolve(file),
            new Set(output.imports.map(({ path }) => path)),
          ]),
        );
        for (const [i, { path, text }] of outputFiles.entries()) {
          const modules = imports.get(path);
          if (modules !== undefined) outputFiles[i] = outputFile(path, await fold(enclose(text, modules)));
        }
      });
    },
  };
}
