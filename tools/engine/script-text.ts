/** The text of a script's modules as the engine runs it. */
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Sucrase from 'sucrase';

const TYPESCRIPT = /\.[cm]?tsx?$/;

/**
 * @param file absolute path of the module
 * @param isEntry whether it is the script itself, whose folder `open` starts from anyway
 * @throws Error with the place, for TypeScript that cannot be read
 */
export function moduleText(text: string, file: string, isEntry: boolean): string {
  const plain = text.replace(/^#!.*/, '');
  const code = TYPESCRIPT.test(file) ? withoutTypes(plain, file) : plain;
  if (isEntry || !/\bopen\s*\(/.test(code) || DECLARES_OPEN.test(code)) return code;
  // On the first line, so that all lines keep their numbers.
  const folder = JSON.stringify(`${pathToFileURL(dirname(file)).href}/`);
  return `const open=(path,mode)=>globalThis.open(path,mode,${folder});${code}`;
}

/** A module whose `open` is none of k6's. */
const DECLARES_OPEN = /\b(?:import|const|let|var|function|class)\b[^;()=]*\bopen\b/;

/** Types are stripped and not checked, as in k6; lines keep their numbers. The library is read when there are types. */
function withoutTypes(text: string, file: string): string {
  const jsx = file.endsWith('x') ? (['jsx'] as const) : [];
  const { transform } = createRequire(import.meta.url)('sucrase') as typeof Sucrase;
  return transform(text, { transforms: ['typescript', ...jsx], disableESTransforms: true, filePath: file }).code;
}
