/** Makes a public script one that may be run here: its hosts are the stand-in's, its load is small and short. */

/** The addresses of a script that name a host elsewhere; modules are fetched by k6 itself, before anything runs. */
const HOST =
  /\b(https?|wss?):\/\/(?!127\.|localhost\b|\$\{)(?:[^\s/@'"`]*@)?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::\d+)?/g;
const IMPORT = /^\s*(?:import|export)\b[^;]*?\bfrom\s*['"]|\bimport\(\s*['"]|\brequire\(\s*['"]|^\s*import\s*['"]/;

/** Numbers of options, the most that is left of each. */
const NUMBERS: Readonly<Record<string, number>> = {
  vus: 2,
  iterations: 4,
  target: 3,
  rate: 5,
  startRate: 3,
  startVUs: 2,
  preAllocatedVUs: 3,
  maxVUs: 5,
};
/** Durations of options, likewise. */
const TIMES: Readonly<Record<string, string>> = {
  duration: '1s',
  startTime: '500ms',
  gracefulStop: '2s',
  gracefulRampDown: '1s',
  timeUnit: '1s',
  maxDuration: '10s',
};

/** @param base origin of the stand-in */
export function bounded(text: string, base: string): string {
  const { host } = new URL(base);
  return text
    .split('\n')
    .map((line) => (IMPORT.test(line) ? line : line.replace(HOST, (address) => elsewhere(address, host))))
    .join('\n')
    .replace(/\b(vus|iterations|target|rate|startRate|startVUs|preAllocatedVUs|maxVUs)(['"]?\s*:\s*)(\d+)/g, limited)
    .replace(
      /\b(duration|startTime|gracefulStop|gracefulRampDown|timeUnit|maxDuration)(['"]?\s*:\s*)(['"])\d[^'"]*\3/g,
      (_, name: string, between: string) => `${name}${between}'${TIMES[name]}'`,
    )
    .replace(/\bsleep\(([^()]|\([^()]*\))*\)/g, 'sleep(0.05)');
}

function limited(_: string, name: string, between: string, number: string): string {
  return `${name}${between}${Math.min(Number(number), NUMBERS[name] ?? 1)}`;
}

/** The user of an address stays: it is part of what is tried out. */
function elsewhere(address: string, host: string): string {
  const user = /\/\/([^/@]*@)/.exec(address)?.[1] ?? '';
  return `${address.startsWith('ws') ? 'ws' : 'http'}://${user}${host}`;
}
