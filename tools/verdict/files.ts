/**
 * Tells result files apart by what is in them, never by their name: k6 writes `.GZ` plain, people rename files, and
 * the three JSON summaries of k6 look alike.
 */
import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createGunzip, constants as zlib } from 'node:zlib';
import { EXIT } from '../base/exit-codes.ts';
import { parseBoundedJson, readDocument, refuseNoFile } from '../base/input-file.ts';
import { UserError } from '../base/user-error.ts';
import { RUN_FILES, WORKERS_FILE } from '../results/files.ts';
import { isConsoleText } from './console/text.ts';

export type FileKind = 'csv' | 'ndjson' | 'parquet' | 'json' | 'log' | 'empty' | 'unknown';

export interface ResultFile {
  readonly path: string;
  readonly kind: FileKind;
  readonly gzip: boolean;
  /** The first characters (after decompression), at most 64 kB. */
  readonly head: string;
  readonly bytes: number;
}

const HEAD_BYTES = 65_536;

/** Kind of a file by magic bytes and first line. Throws `UserError` when it cannot be read. */
export async function sniff(path: string): Promise<ResultFile> {
  const bytes = readHead(path);
  const size = statSync(path).size;
  const gzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const head = (gzip ? await gunzipHead(bytes) : bytes).toString('utf8').replace(/^\uFEFF/, '');
  return { path, kind: kindOf(head), gzip, head, bytes: size };
}

function isNdjsonLine(line: string): boolean {
  return /"type"\s*:\s*"\w+"/.test(line) && /"metric"\s*:/.test(line) && /"data"\s*:/.test(line);
}

function kindOf(head: string): FileKind {
  if (head.startsWith('PAR1')) return 'parquet';
  const start = head.trimStart();
  if (start === '') return 'empty';
  const [firstLine = '', ...following] = start.split('\n', 5);
  if (isNdjsonLine(firstLine)) return 'ndjson';
  // The first line of a damaged file may be cut; a document that goes over several lines has none like these.
  if (following.some((line) => line.startsWith('{') && isNdjsonLine(line))) return 'ndjson';
  if (start.startsWith('{')) return 'json';
  if (/(^|,)"?metric_name"?(,|\r?$)/.test(firstLine)) return 'csv';
  if (/^(time="|\{"level|\s*level=|ERRO\[|WARN\[|INFO\[)/.test(start) || /\blevel=(error|warning|info)\b/.test(head)) {
    return 'log';
  }
  if (isConsoleText(stripVTControlCharacters(head))) return 'log';
  return 'unknown';
}

function readHead(path: string): Buffer {
  let handle: number;
  refuseNoFile(path);
  try {
    handle = openSync(path, 'r');
  } catch {
    throw new UserError(`${path}: no such file, or not readable; name a k6 result file or a results folder`);
  }
  try {
    const buffer = Buffer.alloc(HEAD_BYTES);
    return buffer.subarray(0, readSync(handle, buffer, 0, HEAD_BYTES, 0));
  } catch {
    throw new UserError(`${path}: cannot be read; name a k6 result file or a results folder`);
  } finally {
    closeSync(handle);
  }
}

/** Decompresses as much as the bytes give; a cut stream is no error here. */
function gunzipHead(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const gunzip = createGunzip({ finishFlush: zlib.Z_SYNC_FLUSH });
    const finish = () => resolve(Buffer.concat(chunks).subarray(0, HEAD_BYTES));
    gunzip.on('data', (chunk: Buffer) => {
      if (length < HEAD_BYTES) chunks.push(chunk);
      length += chunk.length;
    });
    gunzip.on('end', finish);
    gunzip.on('error', finish);
    gunzip.end(bytes);
  });
}

/** What `analyse` and friends were pointed at, sorted by what each file can say. */
export interface Inputs {
  /** Raw samples: CSV, NDJSON, Parquet. */
  readonly samples: readonly ResultFile[];
  /** JSON documents: summaries, manifests, rule files. */
  readonly documents: readonly ResultFile[];
  readonly logs: readonly ResultFile[];
  readonly empty: readonly ResultFile[];
  /** Results folders among the arguments. */
  readonly folders: readonly string[];
}

/** Names in a results folder that hold raw samples, best first; only the best is read, since they hold the same rows. */
const SAMPLE_NAMES = ['samples.parquet', 'samples.csv', 'samples.csv.gz', 'samples.ndjson', 'samples.ndjson.gz'];
const LOG_NAMES = [RUN_FILES.log, 'stderr.log', 'k6.stderr.log', 'log.txt'];

/** The results folders that a path stands for: those of the workers when it is the folder of a run of several. */
export function workerFolders(folder: string): string[] {
  const path = join(folder, WORKERS_FILE);
  if (!existsSync(path)) return [folder];
  const names = workerNames(readDocument(path).toString('utf8'));
  if (names.length === 0) {
    throw new UserError(`${path}: names no workers; give their folders one by one`, EXIT.noVerdict);
  }
  const missing = names.find((name) => !existsSync(join(folder, name)));
  if (missing !== undefined) {
    throw new UserError(
      `${join(folder, missing)}: the results of this worker are missing; without them the union is not the run`,
      EXIT.noVerdict,
    );
  }
  return names.map((name) => join(folder, name));
}

/** Names of folders in the document; none when it is damaged or names anything else. */
function workerNames(json: string): string[] {
  try {
    const names: unknown = (parseBoundedJson(json) as { workers?: unknown } | null)?.workers;
    const isName = (name: unknown) => typeof name === 'string' && /^[\w-][\w.-]*$/.test(name);
    return Array.isArray(names) && names.every(isName) ? (names as string[]) : [];
  } catch {
    return [];
  }
}

/** Sorts files and results folders. Throws `UserError` (exit 3) for a file that is none of the known kinds. */
export async function gather(paths: readonly string[]): Promise<Inputs> {
  const folders: string[] = [];
  const files: string[] = [];
  // What lies in a results folder under a log's name is one, whatever its first line: k6 also complains in plain text.
  const logs: string[] = [];
  for (const path of paths) {
    if (existsSync(path) && statSync(path).isDirectory()) {
      for (const folder of workerFolders(path)) {
        folders.push(folder);
        const { data, log } = filesOfFolder(folder);
        files.push(...data);
        logs.push(...log);
      }
    } else files.push(path);
  }
  const sniffed = await Promise.all([
    ...files.map(sniff),
    ...logs.map(async (path) => ({ ...(await sniff(path)), kind: 'log' as const })),
  ]);
  const unknown = sniffed.find((file) => file.kind === 'unknown');
  if (unknown !== undefined) {
    throw new UserError(
      `${unknown.path}: neither a k6 CSV (no metric_name column), nor k6 NDJSON, Parquet, a k6 summary or a k6 log; ` +
        'record samples with: k6 run --out csv=samples.csv',
      EXIT.noVerdict,
    );
  }
  const of = (...kinds: FileKind[]) => sniffed.filter((file) => kinds.includes(file.kind));
  return {
    samples: of('csv', 'ndjson', 'parquet'),
    documents: of('json'),
    logs: of('log'),
    empty: of('empty'),
    folders,
  };
}

function filesOfFolder(folder: string): { readonly data: string[]; readonly log: string[] } {
  const names = readdirSync(folder);
  const samples = SAMPLE_NAMES.find((name) => names.includes(name));
  const summary = [RUN_FILES.summary, RUN_FILES.summaryExport].find((name) => names.includes(name));
  const found = [samples, summary].filter((name) => name !== undefined);
  if (found.length === 0) {
    throw new UserError(
      `${folder}: holds neither samples (${SAMPLE_NAMES.slice(0, 2).join(', ')}) nor summary.json; name a results folder`,
      EXIT.noVerdict,
    );
  }
  const inFolder = (name: string): string => join(folder, name);
  return { data: found.map(inFolder), log: LOG_NAMES.filter((name) => names.includes(name)).map(inFolder) };
}
