/**
 * Scripts run as Node's own code, and whoever gets out of their realm is in this process. So it is one in which Node starts no program,
 * no thread and no native code, whose environment is empty from its start, and which writes only where the run's files go. What is left
 * is what any k6 script may do: read files (`open`), write some (`handleSummary`), send requests.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const FLAG = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';

/** Of the system: here a process finds the environment of every other one. */
const UNREAD: ReadonlySet<string> = new Set(['proc', 'sys', 'dev']);
const READABLE =
  process.platform === 'linux'
    ? readdirSync('/')
        .filter((name) => !UNREAD.has(name))
        .map((name) => `/${name}`)
    : ['*'];

/** What Node itself asks of its environment. */
const KEPT = ['TZ', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];

/** How to start such a process. */
export interface Confined {
  /** Settings of Node. */
  readonly settings: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** What it reads on its standard input: the environment as data. */
  readonly input: string;
}

/**
 * @param writable files, and folders with all below them
 * @param environment what the script and the engine may know of it
 */
export function confined(writable: readonly string[], environment: NodeJS.ProcessEnv): Confined {
  const kept = KEPT.filter((name) => environment[name] !== undefined);
  return {
    settings: [
      FLAG,
      ...READABLE.map((path) => `--allow-fs-read=${path}`),
      ...settingsFor(writable.map((path) => resolve(path))),
      '--disable-warning=ExperimentalWarning',
    ],
    env: Object.fromEntries(kept.map((name) => [name, environment[name]])),
    input: JSON.stringify(environment),
  };
}

/** Node gives up when a path is named twice, and so when one lies in a folder that is named too. */
function settingsFor(paths: readonly string[]): string[] {
  const within = (path: string) =>
    paths.some((other) => path.startsWith(`${other.replace(/\/$/, '')}/`) && path !== other);
  return [...new Set(paths)]
    .filter((path) => !within(path))
    .flatMap((path) => {
      const all = `${path}/*`;
      // What is not there yet may become a file or a folder.
      return existsSync(path) ? [path] : [path, all];
    })
    .map((path) => `--allow-fs-write=${path}`);
}

interface Permission {
  readonly has: (scope: string, path: string) => boolean;
}
const permission = (): Permission | undefined =>
  'permission' in process ? (process.permission as Permission) : undefined;

/** Whether this process is confined. */
export const isConfined = (): boolean => permission() !== undefined;

/** Whether this process may read a file. */
export const mayRead = (file: string): boolean => permission()?.has('fs.read', file) ?? true;

let handed: NodeJS.ProcessEnv | undefined;

/** The environment that the command was called with. */
export function environment(): NodeJS.ProcessEnv {
  if (!isConfined()) return process.env;
  handed ??= JSON.parse(readFileSync(0, 'utf8')) as NodeJS.ProcessEnv;
  return handed;
}
