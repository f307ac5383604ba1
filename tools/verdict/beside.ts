/** Finds what k6 left beside samples that were given alone: its console text, its log, its summary. */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readConsole } from './console/text.ts';
import { type ResultFile, sniff } from './files.ts';
import { readLog } from './log.ts';
import { parseJson, type SummaryFormat, summaryFormat } from './summary.ts';
import { logLines, textOf } from './text-file.ts';

export interface Beside {
  readonly logs: readonly ResultFile[];
  readonly summaries: readonly ResultFile[];
}

/** Files larger than this are not looked into unasked. */
const LARGEST = 64 << 20;
/** A folder of more files than this is somebody's home and not the place of a run. */
const MOST_FILES = 200;
const LOOKED_AT = /\.(log|txt|out|err|stdout|stderr|json)$/i;
/** Left out of the stem that samples share with their log: `mix.csv.gz` and `mix.log`. */
const ENDING = /\.(csv|ndjson|json|parquet)(\.gz)?$/i;
const RAW = /\.(csv|ndjson|parquet)(\.gz)?$/i;

/**
 * Console texts, logs and summaries that belong to the samples. A text that names its output is taken when it names this
 * one; any other file when its name begins with that of the samples, or when the samples are the only ones of the folder.
 */
export async function findBeside(samples: readonly ResultFile[]): Promise<Beside> {
  const logs = new Map<string, ResultFile>();
  const summaries = new Map<string, ResultFile>();
  for (const { path } of samples) {
    const folder = dirname(path);
    const names = filesOf(folder);
    const alone = names.filter((name) => RAW.test(name)).length <= 1;
    const stem = basename(path).replace(ENDING, '');
    const own = (name: string) => name.startsWith(stem) && /^[._-]/.test(name.slice(stem.length));
    let summary: ResultFile | undefined;
    for (const name of names.filter((one) => LOOKED_AT.test(one) && one !== basename(path))) {
      const file = await sniff(join(folder, name));
      if (file.kind === 'log') {
        if (belongsTo(path, file, own(name), alone)) logs.set(file.path, file);
      } else if (file.kind === 'json' && (own(name) || alone)) {
        // What handleSummary got tells more than --summary-export; the machine-readable one holds no thresholds.
        const format = formatOf(file);
        if (format === 'handleSummary' || (format === 'summary-export' && summary === undefined)) summary = file;
      }
    }
    if (summary !== undefined) summaries.set(summary.path, summary);
  }
  return { logs: [...logs.values()], summaries: [...summaries.values()] };
}

/** Whether what k6 printed tells of the run of these samples, as far as the two say it. */
function belongsTo(samples: string, file: ResultFile, own: boolean, alone: boolean): boolean {
  const { outputs = [], noOutput = false } = readConsole(file.path, textOf(file)) ?? {};
  if (outputs.length > 0) return outputs.some((output) => namesFile(output, samples));
  if (noOutput) return false;
  // A run that never came to its iterations has no samples of them.
  return own || (alone && !readLog(file.path, logLines(file)).setupFailed);
}

/** Names of regular files of a size that is read at once, sorted; none when the folder holds too many. */
function filesOf(folder: string): string[] {
  try {
    const names = readdirSync(folder).sort();
    if (names.length > MOST_FILES) return [];
    return names.filter((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false });
      return found?.isFile() === true && (found.size <= LARGEST || RAW.test(name));
    });
  } catch {
    return [];
  }
}

/** `csv (out/a.csv), json (b.json)` names `a.csv`. */
function namesFile(output: string, path: string): boolean {
  return [...output.matchAll(/\(([^()]*)\)/g)].some(
    ([, file]) =>
      basename(file ?? '') === basename(path).replace(/\.gz$/, '') || basename(file ?? '') === basename(path),
  );
}

function formatOf(file: ResultFile): SummaryFormat | undefined {
  try {
    return summaryFormat(parseJson(file.path, textOf(file)));
  } catch {
    return undefined;
  }
}
