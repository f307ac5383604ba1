/** Reads made-up logs for the tests of the traffic room. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'vitest';
import { giveBack, takeKernel } from '../../../tools/traffic/kernel/kernel.ts';
import type { LineCounts } from '../../../tools/traffic/pass/accounting.ts';
import { type AnalyseOptions, analyseLog, type LogFacts } from '../../../tools/traffic/pass/analyse-log.ts';
import { lineParser } from '../../../tools/traffic/pass/line-parser.ts';
import { droppedTable } from '../../../tools/traffic/pass/noise.ts';
import { type RawRecord, type ReaderOptions, textOf } from '../../../tools/traffic/readers/raw-record.ts';
import { parseTemplate, routeTable } from '../../../tools/traffic/templates/route-table.ts';

export interface ReadRecord {
  readonly time: string;
  readonly status: number;
  readonly duration: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly client: string;
  readonly user: string;
  readonly agent: string;
  readonly session: string;
}

function decode(raw: RawRecord, method: string): ReadRecord {
  return {
    time: Number.isNaN(raw.time) ? 'none' : new Date(raw.time).toISOString(),
    status: raw.status,
    duration: raw.duration,
    method,
    path: textOf(raw.buf, raw.path),
    query: textOf(raw.buf, raw.query),
    client: textOf(raw.buf, raw.client),
    user: textOf(raw.buf, raw.user),
    agent: textOf(raw.buf, raw.agent),
    session: textOf(raw.buf, raw.session),
  };
}

/** Records and line counts of a log given as text (one character a byte) or bytes. */
export function readLog(
  log: string | Buffer,
  options: { format?: string; reader?: ReaderOptions } = {},
): {
  records: ReadRecord[];
  lines: LineCounts;
  statusClasses: number[];
  reasons: Record<string, number>;
  places: number[];
  formats: Record<string, number>;
} {
  const records: ReadRecord[] = [];
  const parser = lineParser({
    format: options.format ?? 'auto',
    reader: options.reader ?? {},
    routes: routeTable([], []),
    dropped: droppedTable(['scanner', 'health', 'static', 'bot', 'monitoring', 'preflight', 'cdn', 'redirect'], []),
    itemRoutes: new Set(),
    onRecord: (raw, method) => records.push(decode(raw, method)),
  });
  const bytes = typeof log === 'string' ? Buffer.from(log, 'latin1') : log;
  const ended =
    bytes.length > 0 && bytes.at(-1) !== 10 ? Buffer.concat([bytes, Buffer.from('\n')]) : Buffer.from(bytes);
  parser.parse(ended, 0, ended.length);
  const { counts } = parser;
  return {
    records,
    lines: counts.lines,
    statusClasses: [...counts.statusClasses],
    reasons: counts.reasons,
    places: counts.firstMalformed.map((place) => place.line),
    formats: counts.formats,
  };
}

/** Everything that a log is turned into, read with the kernel or without. */
export function countsAndEvents(log: string | Buffer, withKernel: boolean, templates: readonly string[] = []): object {
  const kernel = withKernel ? takeKernel() : undefined;
  try {
    const bytes = typeof log === 'string' ? Buffer.from(`${log}\n`, 'latin1') : Buffer.from(log);
    const routes = routeTable(
      templates.map((name) => parseTemplate(name)).filter((template) => template !== undefined),
      ['search', 'q'],
    );
    const parser = lineParser({
      format: 'auto',
      reader: {},
      routes,
      dropped: droppedTable([], []),
      itemRoutes: new Set(routes.names.filter((name) => name.endsWith('}'))),
      kernel,
    });
    // In uneven parts, as a stream brings them, but of whole lines.
    for (let at = 0, i = 0; at < bytes.length; i++) {
      const next = bytes.indexOf(10, Math.min(bytes.length - 1, at + (i % 7) * 1000)) + 1;
      parser.parse(bytes, at, next);
      at = next;
    }
    const { n, rows } = parser.events.take();
    expect(n).toBe(rows.ints.length / 8);
    // NaNs have many bit patterns: doubles and floats as numbers, the rest as integers.
    const { doubles, floats, ints, shorts } = rows;
    const events = Array.from({ length: n }, (_, i) => [
      doubles[4 * i],
      doubles[4 * i + 1],
      ints[8 * i + 4],
      ints[8 * i + 5],
      floats[8 * i + 6],
      routes.names[shorts[16 * i + 14] as number],
      shorts[16 * i + 15],
    ]);
    return { counts: parser.counts, events };
  } finally {
    if (kernel !== undefined) giveBack(kernel);
  }
}

/** Sum of the parts that every physical line falls into. */
export function sumOfParts(lines: LineCounts): number {
  return lines.blank + lines.directive + lines.other + lines.records + lines.withoutRequest + lines.malformed;
}

/** Analyses files with the given contents, written to a temporary folder. */
export async function analyse(
  files: Readonly<Record<string, string | Buffer>>,
  options: Partial<AnalyseOptions> & { input?: string | Buffer } = {},
): Promise<LogFacts> {
  const folder = await mkdtemp(join(tmpdir(), 'traffic-'));
  try {
    const names: string[] = [];
    for (const [name, content] of Object.entries(files)) {
      const file = join(folder, name);
      await writeFile(file, content, typeof content === 'string' ? 'latin1' : undefined);
      names.push(file);
    }
    const { input, ...rest } = options;
    return await analyseLog(input === undefined ? names : [...names, '-'], {
      format: 'auto',
      reader: {},
      keep: [],
      drop: [],
      queryKeys: ['search', 'q', 'query'],
      threads: 1,
      stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
      ...rest,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
