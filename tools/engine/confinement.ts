/**
 * Scripts run as Node's own code, and whoever gets out of their realm is in this process. So it is one in which Node starts no program,
 * no thread and no native code, and whose environment is empty. What is left is what any k6 script may do: read files (`open`), write
 * some (`handleSummary`), send requests.
 */

const FLAG = process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission';

/** Settings of Node for such a process. */
export const CONFINED: readonly string[] = [
  FLAG,
  '--allow-fs-read=*',
  '--allow-fs-write=*',
  '--disable-warning=ExperimentalWarning',
];

/** Whether this process is confined. */
export const isConfined = (): boolean => 'permission' in process && process.permission !== undefined;

/** What Node itself goes on to ask for. */
const KEPT = ['TZ'];

/** Takes the environment away; whoever needs something of it has it by now. */
export function emptyEnvironment(): void {
  for (const name of Object.keys(process.env)) if (!KEPT.includes(name)) delete process.env[name];
}
