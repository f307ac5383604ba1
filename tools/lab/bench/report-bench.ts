/** How long the report of an hour's run takes to open in a browser, and whether it opens without a word of complaint. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../base/output-file.ts';
import { UserError } from '../../base/user-error.ts';
import { chartData } from '../../report/data.ts';
import { reportHtml } from '../../report/html.ts';
import { withSamples } from '../../verdict/analyse.ts';
import { makeCsv } from './analysis.ts';
import { findChromium, type OpenedPage, openPage } from './report-page.ts';

/** Goals: open within a second, below 2 MB, nothing on the console, nothing beyond the edge of a phone. */
const GOAL = { loadMs: 1000, bytes: 2_000_000 } as const;
const PHONE = 390;

export interface ReportBench {
  readonly schemaVersion: 1;
  readonly bytes: number;
  readonly loadMs: readonly number[];
  readonly errors: readonly string[];
  readonly canvases: number;
  readonly phoneOverflowPx: number;
  readonly missed: readonly string[];
}

/** @param file a report to open; without one the report of a made run of an hour, so many samples */
export async function reportBench(options: {
  samples: number;
  rounds: number;
  file?: string;
  screenshots?: string;
}): Promise<ReportBench> {
  const chromium = findChromium();
  if (chromium === undefined) throw new UserError('there is no Chromium on PATH; name one in CHROMIUM_BIN');
  if (options.screenshots !== undefined) makeFolder(options.screenshots);
  const scratch = mkdtempSync(join(tmpdir(), 'bench-report-'));
  try {
    const file = options.file ?? (await makeReport(scratch, options.samples));
    const shot = (name: string) =>
      options.screenshots === undefined ? {} : { screenshot: join(options.screenshots, `${name}.png`) };
    const opened: OpenedPage[] = [];
    for (let round = 0; round < options.rounds; round++) opened.push(await openPage(chromium, file, shot('light')));
    const dark = await openPage(chromium, file, { dark: true, ...shot('dark') });
    const phone = await openPage(chromium, file, { width: PHONE, ...shot('phone') });
    const all = [...opened, dark, phone];
    const loadMs = opened.map((one) => one.loadMs).sort((a, b) => a - b);
    const median = loadMs[Math.floor(loadMs.length / 2)] ?? Number.NaN;
    const bytes = statSync(file).size;
    const errors = [...new Set(all.flatMap((one) => one.errors))];
    const missed = [
      ...(median > GOAL.loadMs ? [`opened in ${median.toFixed(0)} ms, the goal is ${GOAL.loadMs}`] : []),
      ...(bytes > GOAL.bytes ? [`${bytes} bytes, the goal is ${GOAL.bytes}`] : []),
      ...errors,
      ...(all.every((one) => one.drawn) ? [] : ['the script of the page did not run to its end']),
      ...(phone.overflowPx > 0 ? [`${phone.overflowPx} px lie beyond the edge of a phone`] : []),
    ];
    const [first] = opened;
    return {
      schemaVersion: 1,
      bytes,
      loadMs,
      errors,
      canvases: first?.canvases ?? 0,
      phoneOverflowPx: phone.overflowPx,
      missed,
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function makeReport(scratch: string, samples: number): Promise<string> {
  const [csv, report] = [join(scratch, 'samples.csv'), join(scratch, 'report.html')];
  await makeCsv(csv, samples);
  await withSamples({ paths: [csv] }, async (database, analysis) => {
    if (database === undefined) throw new Error('no samples');
    writeFileSync(report, reportHtml(analysis, await chartData(database, analysis)));
  });
  return report;
}

export function reportBenchText({ bytes, loadMs, errors, canvases, phoneOverflowPx, missed }: ReportBench): string {
  return [
    `report of ${(bytes / 1000).toFixed(0)} kB, ${canvases} charts`,
    `  opened in ${loadMs.map((ms) => `${ms.toFixed(0)} ms`).join(', ')} (navigation to the end of the load event)`,
    `  console errors ${errors.length}; beyond the edge of a phone ${phoneOverflowPx} px`,
    ...missed.map((sentence) => `MISSED ${sentence}`),
    '',
  ].join('\n');
}
