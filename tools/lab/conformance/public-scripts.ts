/** Scripts of a folder: files, and the snippets of Markdown documents that are whole scripts. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

export interface PublicScript {
  /** Where it stands, with the line of a snippet. */
  readonly place: string;
  /** The folder that its relative paths start from. */
  readonly folder: string;
  readonly text: string;
  readonly extension: '.js' | '.ts';
}

/** A fenced block of JavaScript or TypeScript, indented or not. */
const FENCE = /^([ \t]*)```(javascript|js|typescript|ts)\b[^\n]*\n([\s\S]*?)^\1```/gm;
/** What makes a snippet a script that can be run. */
const WHOLE = /^export default |^export (async )?function |^module\.exports|^exports\./m;

/** @returns each text once, in the order of their paths */
export function publicScripts(root: string): PublicScript[] {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(js|ts|md)$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const seen = new Set<string>();
  return files
    .flatMap((file) => (file.endsWith('.md') ? snippets(root, file) : [wholeFile(root, file)]))
    .filter(({ text }) => WHOLE.test(text) && !seen.has(text) && seen.add(text));
}

function wholeFile(root: string, file: string): PublicScript {
  const extension = file.endsWith('.ts') ? '.ts' : '.js';
  return { place: relative(root, file), folder: dirname(file), text: readFileSync(file, 'utf8'), extension };
}

function snippets(root: string, file: string): PublicScript[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(FENCE)].map(({ index, 1: indent = '', 2: language = '', 3: code = '' }) => ({
    place: `${relative(root, file)}:${text.slice(0, index).split('\n').length}`,
    folder: dirname(file),
    text: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    extension: language.startsWith('t') ? '.ts' : '.js',
  }));
}

/** A name for a file made of a place. */
export const fileName = (place: string): string =>
  `${basename(place)
    .replaceAll(/[^A-Za-z0-9.]/g, '-')
    .replace(/\.(js|ts|md)\b/, '')}`;
