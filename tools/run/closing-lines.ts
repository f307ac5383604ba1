/** How a run ended, as a person and a program are told. */

import { cpus } from 'node:os';
import { relative } from 'node:path';
import { largest } from '../../lib/model/extremes.ts';
import { EXIT } from '../base/exit-codes.ts';
import { visible } from '../base/terminal-text.ts';
import type { GeneratorSeries } from '../results/manifest.ts';
import { documentOf } from './document.ts';
import type { RunResult } from './run.ts';

/** Crossed thresholds that the closing lines name; the manifest has all. */
const SHOWN_THRESHOLDS = 3;

/** k6's code; a run that passed without leaving what was asked of it gives no verdict. */
export function exitCodeOf({ exitCode, problems }: RunResult): number {
  return exitCode === EXIT.ok && problems.length > 0 ? EXIT.noVerdict : exitCode;
}

/** Says on standard error how the run ended; with `json`, prints the document on standard output. */
export function report(result: RunResult, quiet: boolean, json: boolean): void {
  for (const line of closingLines(result, quiet, json)) process.stderr.write(`${visible(line)}\n`);
  if (json) process.stdout.write(`${JSON.stringify(documentOf(result))}\n`);
}

/** Above this share of the machine's cores whatever runs on it waits for a core now and then. */
const BUSY_SHARE = 0.9;

/** What the generator used and whether its machine was busy; undefined when nothing was observed. */
export function generatorLine(series: GeneratorSeries, cores: number): string | undefined {
  const { cpuCores, machineCores, rssBytes } = series;
  if (cpuCores.length === 0) return undefined;
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const megabytes = Math.round(largest(rssBytes) / 1e6);
  const used = `generator: ${mean(cpuCores).toFixed(2)} CPU cores on average, ${largest(cpuCores).toFixed(2)} at most, ${megabytes} MB`;
  const busy = mean(machineCores);
  const machine = `${used}; its machine: ${busy.toFixed(2)} of ${cores} cores busy`;
  return busy < BUSY_SHARE * cores ? machine : `${machine}: too busy, the latencies contain waiting for a core`;
}

/** What a person needs to know at the end; both facts when a run ended badly and crossed thresholds besides. */
export function closingLines(result: RunResult, quiet: boolean, json: boolean): string[] {
  const lines: string[] = [];
  if (result.exitCode !== 0) {
    lines.push(`bookstore-load: exit code ${result.exitCode}: ${result.meaning}`);
    const crossed = result.thresholdsCrossed ?? [];
    if (result.exitCode !== 99 && crossed.length > 0) {
      const shown = crossed.slice(0, SHOWN_THRESHOLDS).join('; ');
      const more = crossed.length > SHOWN_THRESHOLDS ? `; and ${crossed.length - SHOWN_THRESHOLDS} more` : '';
      lines.push(`bookstore-load: besides, crossed thresholds: ${shown}${more}`);
    }
  }
  for (const problem of result.problems) lines.push(`bookstore-load: ${problem}`);
  const generator = quiet || !result.loadSent ? undefined : generatorLine(result.generator, cpus().length);
  if (generator !== undefined) lines.push(generator);
  // The document of --json names the folder.
  if (!quiet || !json) lines.push(`results: ${relative(process.cwd(), result.folder) || result.folder}`);
  return lines;
}
