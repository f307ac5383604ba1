/** `traffic LOG...`: options to an analysis, its result to table, JSON, workload, page and skeleton. */
import { availableParallelism } from 'node:os';
import { EXIT } from '../exit-codes.ts';
import { writeOutput } from '../output-file.ts';
import { UserError } from '../user-error.ts';
import { analyseLog } from './analyse-log.ts';
import { buildModel, type TrafficModel } from './model/model.ts';
import { toWorkload } from './model/workload-out.ts';
import { refusalOf } from './present/refusal.ts';
import { textReport } from './present/text.ts';
import { type ReaderOptions, STANDARD_FIELDS, type StandardField } from './readers/raw-record.ts';

export interface TrafficFlags {
  readonly out?: string;
  readonly page?: string;
  readonly json?: boolean;
  readonly format: string;
  readonly map?: string;
  readonly clientField?: string;
  readonly sessionField?: string;
  readonly sessionCookie?: string;
  readonly durationUnit?: string;
  readonly stamp?: string;
  readonly gap?: string;
  readonly keep?: string;
  readonly drop?: string;
  readonly openapi?: string;
  readonly templates?: string;
  readonly writeTemplates?: string;
  readonly queryKeys: string;
  readonly itemRoute?: string;
  readonly catalogue?: string;
  readonly items?: boolean;
  readonly peak?: boolean;
  readonly compress: string;
  readonly maxMalformed: string;
  readonly threads?: string;
  readonly source?: string;
  readonly skeleton?: string;
}

/** @throws UserError: wrong options (2), logs that say too little (3) */
export async function runTraffic(logs: readonly string[], flags: TrafficFlags): Promise<void> {
  if (logs.length === 0) {
    throw new UserError(
      'no log named; give files, patterns in quotes, or - for standard input (--help shows all options)',
    );
  }
  const limit = shareOf(flags.maxMalformed, '--max-malformed');
  const interrupt = interruption();
  const progress = await progressBar();
  const facts = await analyseLog(logs, {
    format: flags.format,
    reader: readerOptions(flags),
    keep: listOf(flags.keep),
    drop: listOf(flags.drop),
    queryKeys: listOf(flags.queryKeys),
    threads:
      flags.threads === undefined ? Math.min(8, availableParallelism()) : numberOf(flags.threads, '--threads', 1),
    stdin: process.stdin,
    stopped: interrupt.stopped,
    ...optional('openapi', flags.openapi),
    ...optional('templates', flags.templates),
    ...optional('stamp', oneOf(flags.stamp, '--stamp', ['start', 'end'] as const)),
    ...optional('gap', flags.gap === undefined ? undefined : numberOf(flags.gap, '--gap', 1)),
    ...optional('itemRoute', flags.itemRoute),
    ...(progress === undefined ? {} : { onStart: progress.start, onProgress: progress.update }),
  });
  progress?.stop();
  interrupt.release();
  const model = buildModel(facts, {
    compress: numberOf(flags.compress, '--compress', 0.001),
    items: flags.items === true,
    ...optional('catalogue', flags.catalogue === undefined ? undefined : numberOf(flags.catalogue, '--catalogue', 1)),
  });
  process.stdout.write(flags.json === true ? `${JSON.stringify(model, null, 2)}\n` : textReport(model));
  // Logs that cannot be trusted end so after what was found has been printed.
  const others = facts.pass.files.map((file) => file.counts.firstOther);
  const refusal = refusalOf(model, limit, others);
  if (refusal !== undefined) throw new UserError(refusal, EXIT.noVerdict);
  if (flags.writeTemplates !== undefined) writeOutput(flags.writeTemplates, `${model.templates.join('\n')}\n`);
  if (flags.page !== undefined) {
    const { page } = await import('./present/page.ts');
    writeOutput(flags.page, page(model));
  }
  if (flags.skeleton !== undefined) {
    const { writeSkeleton } = await import('./skeleton/write.ts');
    writeSkeleton(model, flags.skeleton, workloadOf(model, flags));
  }
  if (flags.out !== undefined) writeOutput(flags.out, `${JSON.stringify(workloadOf(model, flags), null, 2)}\n`);
}

function workloadOf(model: TrafficModel, flags: TrafficFlags) {
  return toWorkload(model, { peak: flags.peak === true, ...optional('source', flags.source) });
}

function readerOptions(flags: TrafficFlags): ReaderOptions {
  const map: Partial<Record<StandardField, string>> = {};
  for (const pair of listOf(flags.map)) {
    const at = pair.indexOf('=');
    const field = pair.slice(0, at);
    if (at <= 0 || !(STANDARD_FIELDS as readonly string[]).includes(field)) {
      throw new UserError(
        `--map "${pair}": write STANDARD=YOURS with one of ${STANDARD_FIELDS.join(', ')}, for example method=verb`,
      );
    }
    map[field as StandardField] = pair.slice(at + 1);
  }
  return {
    ...optional('clientField', flags.clientField),
    ...optional('sessionField', flags.sessionField),
    ...optional('sessionCookie', flags.sessionCookie),
    ...optional('durationUnit', oneOf(flags.durationUnit, '--duration-unit', ['s', 'ms', 'us', 'ns'] as const)),
    map,
  };
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function oneOf<T extends string>(value: string | undefined, flag: string, values: readonly T[]): T | undefined {
  if (value === undefined || (values as readonly string[]).includes(value)) return value as T | undefined;
  throw new UserError(`${flag} ${value}: must be ${values.join(' or ')}`);
}

function numberOf(text: string, flag: string, least: number): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= least) || !Number.isFinite(value))
    throw new UserError(`${flag} ${text}: must be a number of ${least} or more`);
  return value;
}

function shareOf(text: string, flag: string): number {
  const value = Number(text.replace(/%$/, '')) / (text.endsWith('%') ? 100 : 1);
  if (!(value >= 0 && value <= 1)) throw new UserError(`${flag} ${text}: must be a share such as 5% or 0.05`);
  return value;
}

/** Ctrl-C ends the reading and prints what is known so far; a second one ends the program. */
function interruption(): { stopped: () => boolean; release: () => void } {
  let stop = false;
  const handler = (): void => {
    if (stop) process.exit(130);
    stop = true;
  };
  process.on('SIGINT', handler);
  return { stopped: () => stop, release: () => process.removeListener('SIGINT', handler) };
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
