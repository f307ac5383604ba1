/** A stand-in for the k6 program, to be named in K6_BIN: records how it was called and ends as a test wants. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface StubBehaviour {
  /** Exit code of `run`. */
  readonly exit?: number;
  /** Signal by which `run` kills itself. */
  readonly kill?: NodeJS.Signals;
  /** `run` waits for a signal, then ends with 105 after this many. */
  readonly signals?: number;
  /** Options that `inspect` prints; null makes `archive` fail as k6 does with a broken script. */
  readonly options?: Readonly<Record<string, unknown>> | null;
  /** What `run` writes to `$SUMMARY_JSON` and to `--summary-export`. */
  readonly summary?: unknown;
  readonly summaryExport?: unknown;
  /** `run` writes no samples, as k6 does that ends before its outputs start. */
  readonly removeSamples?: boolean;
  /** `run` removes the folder of its samples, as if the disk had gone. */
  readonly removeFolder?: boolean;
  /** What `run` prints on standard output. */
  readonly print?: string;
  /** What `run` logs, on standard error. */
  readonly log?: string;
  /** How long `run` keeps one core as busy as it may, s. */
  readonly burnSeconds?: number;
  /** What `version` prints. */
  readonly version?: string;
}

export interface StubK6 {
  readonly folder: string;
  readonly path: string;
  /** Arguments of each call so far, in order. */
  readonly calls: () => string[][];
  /** Environment of `run`. */
  readonly environment: () => Record<string, string>;
  /** CPU seconds that `run` used, by its own account. */
  readonly cpuSeconds: () => number;
  /** Signals that `run` received so far. */
  readonly signals: () => string[];
}

/** Writes the stand-in into a folder of its own. */
export function stubK6(behaviour: StubBehaviour = {}): StubK6 {
  const folder = mkdtempSync(join(tmpdir(), 'stub-k6-'));
  const path = join(folder, 'k6');
  writeFileSync(path, program(behaviour, folder), { mode: 0o755 });
  const linesOf = (name: string): string[] => {
    const file = join(folder, name);
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  };
  return {
    folder,
    path,
    calls: () => linesOf('calls').map((line) => line.split('\0').slice(0, -1)),
    environment: () => JSON.parse(linesOf('environment')[0] ?? '{}') as Record<string, string>,
    cpuSeconds: () => Number(linesOf('cpu')[0]),
    signals: () => linesOf('signals'),
  };
}

/** A shell script for the quick answers, since each start of Node costs a test 0.1 s; `run` is a Node program. */
function program(behaviour: StubBehaviour, folder: string): string {
  const inspection = { ...behaviour.options, rps: null, maxVUs: 7, totalDuration: '1m30s' };
  writeFileSync(join(folder, 'inspection'), JSON.stringify(inspection));
  writeFileSync(join(folder, 'version'), behaviour.version ?? 'k6 v2.2.0 (stub)');
  writeFileSync(join(folder, 'run.cjs'), runProgram(behaviour, folder));
  return `#!/bin/sh
{ for word in "$@"; do printf '%s\\0' "$word"; done; printf '\\n'; } >> '${folder}/calls'
case "$1" in
  version) cat '${folder}/version' ;;
  archive) ${behaviour.options === null ? 'exit 107' : ': > "$3"'} ;;
  inspect) cat '${folder}/inspection' ;;
  run) exec '${process.execPath}' '${folder}/run.cjs' "$@" ;;
esac
`;
}

function runProgram(behaviour: StubBehaviour, folder: string): string {
  return `
const fs = require('node:fs');
const behaviour = ${JSON.stringify(behaviour)};
const note = (name, text) => fs.appendFileSync(${JSON.stringify(folder)} + '/' + name, text + '\\n');
const argv = process.argv.slice(2);
note('environment', JSON.stringify(process.env));
if (behaviour.print) console.log(behaviour.print);
if (behaviour.log) console.error(behaviour.log);
if (process.env.K6_CSV_FILENAME && !behaviour.removeSamples) fs.writeFileSync(process.env.K6_CSV_FILENAME, 'metric_name,timestamp\\nhttp_reqs,1\\n');
const paths = argv.flatMap((word) => (word.startsWith('SUMMARY_JSON=') ? [word.slice(13)] : []));
if (behaviour.summary) for (const path of paths) fs.writeFileSync(path, JSON.stringify(behaviour.summary));
const exported = argv[argv.indexOf('--summary-export') + 1];
if (behaviour.summaryExport) fs.writeFileSync(exported, JSON.stringify(behaviour.summaryExport));
if (behaviour.removeFolder) fs.rmSync(require('node:path').dirname(process.env.K6_CSV_FILENAME), { recursive: true });
const until = Date.now() + (behaviour.burnSeconds ?? 0) * 1e3;
while (Date.now() < until);
const { user, system } = process.cpuUsage();
note('cpu', String((user + system) / 1e6));
if (behaviour.kill) process.kill(process.pid, behaviour.kill);
if (behaviour.signals) {
  let left = behaviour.signals;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(name, () => {
      note('signals', name);
      if (--left === 0) process.exit(105);
    });
  }
  note('ready', String(process.pid));
  setTimeout(() => process.exit(0), 50_000);
} else if (behaviour.kill) setTimeout(() => {}, 5_000);
else process.exit(behaviour.exit ?? 0);
`;
}
