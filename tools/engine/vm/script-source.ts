/** Finds and reads the files of a script: relative imports and `open`, and a plain refusal of everything else. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { mayRead } from '../confinement.ts';
import { moduleText } from '../script-text.ts';
import { INTERNAL_MODULES, OFFERED_MODULES } from './guest.ts';

type Failed = { error: Error };

export interface ScriptSource {
  /** URL of the script, `file:///...`. */
  readonly entry: string;
  /** Absolute name of an import; one that loads to a refusal when there is none. */
  normalise(base: string, requested: string): string;
  /** Source text of a normalised name. */
  load(name: string): string | Failed;
  /** Content of a file that the script opens, by its path as the script wrote it. @param folder URL of the calling module's, where it is another one than the script's */
  open(path: string, binary: boolean, folder?: string): string;
}

/** Only loading can fail with a sentence; so a refusal travels there as a name. */
const REFUSED = 'refused: ';
const WAY_OUT = 'run this script with k6 (--engine k6)';

/** @param path of the script, relative to the working directory or absolute */
export function scriptSource(path: string): ScriptSource {
  const absolute = resolve(path);
  const entry = pathToFileURL(absolute).href;
  const cache = new Map<string, string>();
  const texts = new Map<string, string>();

  const normalise = (base: string, requested: string): string => {
    if (requested in OFFERED_MODULES) return requested;
    if (requested in INTERNAL_MODULES) {
      if (base === 'k6:main' || base in INTERNAL_MODULES || base in OFFERED_MODULES) return requested;
      return `${REFUSED}the module "${requested}" is internal to the embedded engine`;
    }
    if (requested.startsWith('file://')) return requested;
    if (requested.startsWith('./') || requested.startsWith('../')) return new URL(requested, base).href;
    if (isAbsolute(requested)) return pathToFileURL(requested).href;
    return `${REFUSED}the module "${requested}" is not offered by the embedded engine; ${WAY_OUT}`;
  };

  const load = (name: string): string | Failed => {
    if (name.startsWith(REFUSED)) return refuse(name.slice(REFUSED.length));
    const own = OFFERED_MODULES[name] ?? INTERNAL_MODULES[name];
    if (own !== undefined) return own;
    const known = cache.get(name);
    if (known !== undefined) return known;
    const file = fileURLToPath(name);
    if (!existsSync(file)) return refuse(`the module "${name}" could not be found on local disk`);
    let text: string;
    try {
      text = moduleText(readFileSync(file, 'utf8'), file, name === entry);
    } catch (error) {
      return refuse(error instanceof Error ? error.message : String(error));
    }
    cache.set(name, text);
    return text;
  };

  const open = (given: string, binary: boolean, folder?: string): string => {
    const file = isAbsolute(given)
      ? given
      : given.startsWith('file://')
        ? fileURLToPath(given)
        : resolve(folder === undefined ? dirname(absolute) : fileURLToPath(folder), given);
    if (!mayRead(file)) {
      throw new Error(
        `open "${given}": the embedded engine reads nothing below /proc, /sys and /dev; run this script with k6 (--engine k6)`,
      );
    }
    if (!existsSync(file)) throw new Error(`open "${given}": no such file "${file}"`);
    if (statSync(file).isDirectory()) throw new Error(`open "${given}": "${file}" is a directory`);
    const key = `${binary}:${file}`;
    let text = texts.get(key);
    if (text === undefined) {
      text = readFileSync(file, binary ? 'latin1' : 'utf8');
      texts.set(key, text);
    }
    return text;
  };

  return { entry, normalise, load, open };
}

function refuse(message: string): Failed {
  return { error: new Error(message) };
}
