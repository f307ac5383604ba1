/** Analyses many mutated result files, one after the other: each gives an answer or a refusal in one sentence, never a crash. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { hashSeed, type Random, sessionRandom } from '../../../../lib/model/random.ts';
import { writeOutput } from '../../../base/output-file.ts';
import { numberTable } from '../../../base/terminal-table.ts';
import { UserError } from '../../../base/user-error.ts';
import { chartData } from '../../../report/data.ts';
import { reportHtml } from '../../../report/html.ts';
import { reportJunit } from '../../../report/junit.ts';
import { reportMarkdown } from '../../../report/markdown.ts';
import { type AnalyseOptions, withSamples } from '../../../verdict/analyse.ts';
import { gate, printGate } from '../../../verdict/gate.ts';
import { analysisJson } from '../../../verdict/json.ts';
import { STATUSES } from '../../../verdict/judge.ts';
import { printAnalysis } from '../../../verdict/print.ts';
import { type Base, bases } from './bases.ts';
import { mutate, mutateJson } from './mutate.ts';

export interface FuzzOptions {
  readonly files: number;
  /** Share of the files that are samples, which cost a hundred times as much as documents; 0 to 1. */
  readonly samplesShare: number;
  readonly seed: string;
  /** First file's number: a finding is made again with its number and one file. */
  readonly first: number;
  /** Folder that keeps what crashed. */
  readonly keep: string;
  readonly onFile: (n: number, crashes: number) => void;
  /** Aborted: ends after the file at hand, with what was found until then. */
  readonly stop: AbortSignal;
}

export interface Finding {
  readonly kind: string;
  /** Number of the file. */
  readonly n: number;
  readonly what: string;
  readonly kept: string;
}

export interface KindCount {
  readonly kind: string;
  answers: number;
  refusals: number;
  crashes: number;
  slowestMs: number;
}

export interface Fuzz {
  readonly schemaVersion: 1;
  /** Files that were tried. */
  readonly files: number;
  readonly kinds: readonly KindCount[];
  readonly findings: readonly Finding[];
  readonly seconds: number;
}

/** Every so many answers the page with its charts is made too; it costs as much as the analysis. */
const REPORT_EVERY = 10;
/** Longer than this for a file of kilobytes counts as hanging, ms. */
const HANGS_MS = 60_000;

export async function fuzz(options: FuzzOptions): Promise<Fuzz> {
  const all = await bases();
  const scratch = mkdtempSync(join(tmpdir(), 'fuzz-'));
  const counts = new Map<string, KindCount>();
  const findings: Finding[] = [];
  const seed = hashSeed(options.seed);
  const began = performance.now();
  let done = 0;
  try {
    for (let n = options.first; n < options.first + options.files && !options.stop.aborted; n++) {
      const random = sessionRandom(seed, n);
      const base = choose(all, options.samplesShare, random);
      const count = counts.get(base.kind) ?? { kind: base.kind, answers: 0, refusals: 0, crashes: 0, slowestMs: 0 };
      counts.set(base.kind, count);
      const folder = join(scratch, `${n}`);
      const bytes = damaged(base, random);
      const start = performance.now();
      const what = await attempt(base, folder, bytes, n % REPORT_EVERY === 0);
      const ms = performance.now() - start;
      count.slowestMs = Math.max(count.slowestMs, ms);
      if (what === 'answer') count.answers++;
      else if (what === 'refusal') count.refusals++;
      if (what.length > 7 || ms > HANGS_MS) {
        count.crashes++;
        const kept = join(options.keep, `${n}-${base.file}`);
        writeOutput(kept, bytes);
        findings.push({ kind: base.kind, n, what: what.length > 7 ? what : `took ${ms.toFixed(0)} ms`, kept });
      }
      rmSync(folder, { recursive: true, force: true });
      done++;
      options.onFile(n, findings.length);
      // Signals are heard between two files.
      await new Promise((next) => setImmediate(next));
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const seconds = (performance.now() - began) / 1000;
  return { schemaVersion: 1, files: done, kinds: [...counts.values()], findings, seconds };
}

function choose(all: readonly Base[], share: number, random: Random): Base {
  const samples = random() < share;
  const some = all.filter((one) => one.samples === samples);
  return some[Math.floor(random() * some.length)] as Base;
}

/** Half of the gzip streams are damaged inside, so that the damage reaches the reader of what they hold. */
function damaged(base: Base, random: Random): Buffer {
  if (base.kind.endsWith('.gz') && random() < 0.5) return gzipSync(mutate(gunzipSync(base.bytes), random));
  // A document that is no JSON any more is refused at the door; half of them stay JSON and come further.
  const json = random() < 0.5 ? mutateJson(base.bytes, random) : undefined;
  return json ?? mutate(base.bytes, random);
}

/** `answer`, `refusal`, or what is wrong. */
async function attempt(base: Base, folder: string, bytes: Buffer, withReport: boolean): Promise<string> {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(base.beside ?? {})) writeFileSync(join(folder, name), content);
  const file = join(folder, base.file);
  writeFileSync(file, bytes);
  const given = base.give === 'folder' ? [folder] : base.give === 'file' ? [file] : [join(folder, 'sound.json')];
  const extra = base.give === 'folder' || base.give === 'file' ? {} : { [base.give]: file };
  try {
    await answerAll({ paths: given, ...extra }, withReport);
    return 'answer';
  } catch (error) {
    if (!(error instanceof UserError)) return `crash: ${error instanceof Error ? error.stack : String(error)}`;
    const { message } = error;
    if (message.trim() === '' || /\n\s+at /.test(message)) return `refused without a sentence: ${message}`;
    return 'refusal';
  }
}

/** All forms in which an answer is given. */
async function answerAll(options: AnalyseOptions, withReport: boolean): Promise<void> {
  await withSamples(options, async (database, analysis) => {
    if (!STATUSES.includes(analysis.verdict.status)) throw new Error('no verdict');
    JSON.stringify(analysisJson(analysis));
    printAnalysis(analysis);
    printGate(gate(analysis, 'refuse'));
    reportJunit(analysis);
    reportMarkdown(analysis);
    if (withReport) reportHtml(analysis, database === undefined ? undefined : await chartData(database, analysis));
  });
}

export function fuzzText({ files, kinds, findings, seconds }: Fuzz): string {
  const rows = kinds
    .toSorted((a, b) => a.kind.localeCompare(b.kind))
    .map((one) => [one.kind, `${one.answers}`, `${one.refusals}`, `${one.crashes}`, one.slowestMs.toFixed(0)]);
  return [
    `${files} mutated result files in ${seconds.toFixed(0)} s`,
    numberTable([['kind', 'answers', 'refusals', 'crashes', 'slowest ms'], ...rows]),
    ...findings
      .slice(0, 20)
      .map((one) => `${one.kind}, file ${one.n}: ${one.what.split('\n').slice(0, 4).join(' ')} (${one.kept})`),
    '',
  ].join('\n');
}
