/** `traffic LOG...`: options to an analysis, its result to table, JSON, workload, page and skeleton. */

import type { SuiteFacts } from '../../../lib/plan/suite-facts.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { optional } from '../../base/optional.ts';
import { writeOutput } from '../../base/output-file.ts';
import { jsonText } from '../../base/terminal-text.ts';
import { UserError } from '../../base/user-error.ts';
import { namedDist, readSuiteFacts } from '../../results/suite-facts.ts';
import { buildModel, type TrafficModel } from '../../traffic/model/model.ts';
import { toWorkload } from '../../traffic/model/workload-out.ts';
import { analyseLog } from '../../traffic/pass/analyse-log.ts';
import { refusalOf } from '../../traffic/present/refusal.ts';
import { textReport } from '../../traffic/present/text.ts';
import { refuseUnusedFields } from '../../traffic/unused-fields.ts';
import type { TrafficFlags } from './flags.ts';
import { trafficOptions } from './options.ts';

/** @throws UserError: wrong options (2), logs that say too little (3) */
export async function runTraffic(logs: readonly string[], flags: TrafficFlags): Promise<void> {
  if (logs.length === 0) {
    throw new UserError(
      'no log named; give files, patterns in quotes, or - for standard input (--help shows all options)',
    );
  }
  const { limit, analyse, model: modelOptions } = trafficOptions(flags);
  if (flags.skeleton !== undefined) {
    const { refuseEdited } = await import('../../traffic/skeleton/write.ts');
    refuseEdited(flags.skeleton, flags.force === true);
  }
  const interrupt = interruption();
  const progress = await progressBar();
  const suite = readSuiteFacts(namedDist(flags.suite));
  const facts = await analyseLog(logs, {
    ...analyse,
    suite,
    stdin: process.stdin,
    stop: interrupt.signal,
    ...(progress === undefined ? {} : { onStart: progress.start, onProgress: progress.update }),
  });
  progress?.stop();
  interrupt.release();
  await refuseUnusedFields(facts, analyse.reader);
  const model = buildModel(facts, modelOptions);
  process.stdout.write(flags.json === true ? `${jsonText(model, 2)}\n` : textReport(model));
  // Logs that cannot be trusted end so after what was found has been printed.
  const others = facts.pass.files.map((file) => file.counts.firstOther);
  const refusal = refusalOf(model, limit, others);
  if (refusal !== undefined) throw new UserError(refusal, EXIT.noVerdict);
  const written = await writeFiles(model, flags, suite);
  // Standard output is one document with --json.
  (flags.json === true ? process.stderr : process.stdout).write(written);
}

/** Writes what was asked for; what was written and what to do next, a line each. */
async function writeFiles(model: TrafficModel, flags: TrafficFlags, suite: SuiteFacts): Promise<string> {
  const written: string[] = [];
  const remarks: string[] = [];
  const next: string[] = [];
  const write = (path: string, content: string): void => {
    writeOutput(path, content);
    written.push(path);
  };
  if (flags.writeTemplates !== undefined) write(flags.writeTemplates, `${model.templates.join('\n')}\n`);
  if (flags.page !== undefined) {
    const { page } = await import('../../traffic/present/page.ts');
    write(flags.page, page(model, suite));
  }
  if (flags.skeleton !== undefined) {
    const { writeSkeleton } = await import('../../traffic/skeleton/write.ts');
    const made = writeSkeleton(model, flags.skeleton, workloadOf(model, flags, suite), flags.force === true);
    written.push(...made.written);
    remarks.push(...made.remarks);
    next.push(...made.next);
  }
  if (flags.out !== undefined) write(flags.out, `${jsonText(workloadOf(model, flags, suite), 2)}\n`);
  const lines = (label: string, texts: readonly string[]) => texts.map((text) => `${label}: ${text}\n`);
  return [...lines('Written', written), ...lines('Note', remarks), ...lines('Next', next)].join('');
}

function workloadOf(model: TrafficModel, flags: TrafficFlags, suite: SuiteFacts) {
  return toWorkload(model, { suite, peak: flags.peak === true, ...optional('source', flags.source) });
}

/** Ctrl-C ends the reading and prints what is known so far; a second one ends the program. */
function interruption(): { signal: AbortSignal; release: () => void } {
  const stop = new AbortController();
  const handler = (): void => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
  };
  process.on('SIGINT', handler);
  return { signal: stop.signal, release: () => process.removeListener('SIGINT', handler) };
}

async function progressBar() {
  if (process.stderr.isTTY !== true) return undefined;
  const { default: cliProgress } = await import('cli-progress');
  const bar = new cliProgress.SingleBar({
    format: 'reading [{bar}] {percentage} % | {value} of {total} MB | {rate} MB/s | {eta_formatted} left',
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
  });
  const started = Date.now();
  return {
    start: (bytes: number) => bar.start(Math.max(1, Math.round(bytes / 1e6)), 0, { rate: '0' }),
    update: (bytes: number) =>
      bar.update(Math.round(bytes / 1e6), { rate: (bytes / 1e3 / Math.max(1, Date.now() - started)).toFixed(0) }),
    stop: () => bar.stop(),
  };
}
