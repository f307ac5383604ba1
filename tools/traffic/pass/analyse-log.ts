/** From log files to counted facts: opens the sources, learns from their beginning, reads everything. */
import type { Readable } from 'node:stream';
import type { SuiteFacts } from '../../../lib/plan/suite-facts.ts';
import { UserError } from '../../base/user-error.ts';
import { suiteAtHand } from '../../results/suite-facts.ts';
import { copyRemarks } from '../input/copies.ts';
import { replayable } from '../input/replay.ts';
import { expandNames, openSource, type Source } from '../input/sources.ts';
import type { ReaderOptions } from '../readers/raw-record.ts';
import { openApiTemplates, ownTemplates, pinnedTemplates } from '../templates/given.ts';
import { nameOfText, readableName } from '../templates/name-text.ts';
import { type RouteTable, routeTable, type Template } from '../templates/route-table.ts';
import { fullPass, type PassResult } from './full-pass.ts';
import { type Learned, learnPass } from './learn-pass.ts';
import { droppedTable, NOISE } from './noise.ts';
import { readSource } from './read-source.ts';
import { startWorkerPool, type WorkerPool } from './worker-pool.ts';

export interface AnalyseOptions {
  readonly format: string;
  readonly reader: ReaderOptions;
  readonly keep: readonly string[];
  readonly drop: readonly string[];
  readonly openapi?: string;
  readonly templates?: string;
  readonly queryKeys: readonly string[];
  readonly stamp?: 'start' | 'end';
  /** Inactivity gap, s. */
  readonly gap?: number;
  readonly itemRoute?: string;
  readonly threads: number;
  /** Bytes from which several threads are used. */
  readonly parallelFrom?: number;
  readonly stdin: Readable;
  readonly onStart?: (totalBytes: number) => void;
  readonly onProgress?: (bytes: number) => void;
  /** Whose endpoints and flows are known; the suite at hand by default. */
  readonly suite?: SuiteFacts;
  /** Leaves it at what has been read. */
  readonly stop?: AbortSignal;
}

export interface LogFacts {
  readonly pass: PassResult;
  readonly learned: Learned;
  readonly routes: RouteTable;
  readonly sources: readonly Source[];
  readonly dropped: Uint8Array;
  /** Whose endpoints and flows are known. */
  readonly suite: SuiteFacts;
  /** What is to be known of the files given. */
  readonly remarks: readonly string[];
}

/** With this share of the requests at the suite's own endpoints the flows are the suite's; below it they are discovered. */
export const OWN_SHARE = 0.5;

/** @throws UserError for files that cannot be read and options that cannot be used */
export async function analyseLog(names: readonly string[], options: AnalyseOptions): Promise<LogFacts> {
  for (const name of [...options.keep, ...options.drop]) {
    if (!(NOISE as readonly string[]).includes(name) || name === 'none') {
      throw new UserError(`--keep and --drop know ${NOISE.slice(1).join(', ')}; "${name}" is none of them`);
    }
  }
  const suite = options.suite ?? suiteAtHand();
  const { files, remarks } = await expandNames(names);
  const sources: Source[] = [];
  for (const file of files) sources.push(replayable(await openSource(file, options.stdin, options.stop)));
  const given =
    options.templates !== undefined
      ? await pinnedTemplates(options.templates)
      : options.openapi !== undefined
        ? await openApiTemplates(options.openapi)
        : ownTemplates(suite);
  const dropped = droppedTable(options.keep, options.drop);
  const pool = startWorkerPool(sources, options.threads, options.parallelFrom);
  try {
    const facts = await readWith(pool, sources, given, dropped, options);
    return { ...facts, suite, remarks: [...remarks, ...(await copyRemarks(sources))] };
  } finally {
    await pool?.close();
  }
}

async function readWith(
  pool: WorkerPool | undefined,
  sources: readonly Source[],
  given: readonly Template[],
  dropped: Uint8Array,
  options: AnalyseOptions,
): Promise<Omit<LogFacts, 'remarks' | 'suite'>> {
  const parser = { format: options.format, reader: options.reader, dropped };
  const itemRoute = options.itemRoute === undefined ? undefined : nameOfText(options.itemRoute);
  const found = await learnPass(sources, {
    parser,
    given,
    queryKeys: options.queryKeys,
    ...(options.stamp === undefined ? {} : { stampIs: options.stamp }),
    ...(itemRoute === undefined ? {} : { itemRoute }),
  });
  if (itemRoute !== undefined && !found.templates.some((template) => template.name === itemRoute)) {
    const names = found.templates.map((template) => readableName(template.name)).filter((name) => name.endsWith('}'));
    throw new UserError(
      `--item-route "${options.itemRoute}" is no endpoint of this log; choose one such as ${names.slice(0, 3).join(', ') || 'GET /things/{id}'}`,
    );
  }
  const learned: Learned =
    options.gap === undefined ? found : { ...found, gap: { ms: options.gap * 1000, reason: 'as told by --gap' } };
  const routes = routeTable(learned.templates, options.queryKeys);
  const itemRoutes = new Set(learned.itemRoute === undefined ? [] : [learned.itemRoute]);
  options.onStart?.(sources.reduce((sum, source) => sum + source.size, 0));
  const gap = learned.gap.ms;
  const { stop } = options;
  const stopped = (): boolean => stop?.aborted === true;
  const parserOptions = { ...parser, routes, itemRoutes, stopped };
  const setup = {
    format: options.format,
    reader: options.reader,
    dropped,
    templates: learned.templates,
    queryKeys: options.queryKeys,
    itemRoutes: [...itemRoutes],
  };
  const read = pool?.reader(setup, routes, learned, stop) ?? ((source: Source) => readSource(source, parserOptions));
  const pass = await fullPass(sources, read, {
    gap,
    resolution: learned.resolution,
    clusterGaps: learned.knownShare < OWN_SHARE,
    stampIs: learned.stampIs,
    firstTimes: learned.firstTimes,
    noiseClasses: NOISE.length,
    ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
    stopped,
  });
  return { pass, learned, routes, sources, dropped };
}
