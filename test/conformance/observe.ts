/** What a run showed, without times: the part that two engines must agree on. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { specOfArguments } from '../../tools/engine/command-line.ts';
import { runEmbedded } from '../../tools/engine/run.ts';
import { consoleLines, countRows, readRows, SKIPPED } from '../../tools/lab/conformance/rows.ts';
import type { ConformanceCase } from './cases.ts';

export interface Observation {
  readonly exitCode: number;
  readonly csvHeader: string | null;
  /** Rows by metric and tags: how many, and their sum where values are no times. */
  readonly rows: Readonly<Record<string, string>>;
  /** Metrics of the summary with the names of their values, and their thresholds (true: crossed). */
  readonly metrics: Readonly<Record<string, { values: string; thresholds?: Record<string, boolean> }>> | null;
  /** What the script printed, sorted. */
  readonly console: readonly string[];
  /** Lines of level error. */
  readonly errors: number;
  /** Iterations and drops together. */
  readonly started: number;
}

const SCRIPTS = join(import.meta.dirname, 'scripts');
type Environment = Readonly<Record<string, string>>;
export type Runner = (args: readonly string[], env?: Environment) => Promise<{ exitCode: number; stderr: string }>;

export async function observe(test: ConformanceCase, base: string, run: Runner): Promise<Observation> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const csv = join(folder, 'samples.csv');
    const summary = join(folder, 'summary.json');
    const { exitCode, stderr } = await run(
      [
        '--quiet',
        ...['--out', `csv=${csv}`, '--summary-export', summary, '-e', `BASE=${base}`, '-e', 'COLOUR=red'],
        ...(test.args ?? []),
        join(SCRIPTS, `${test.script ?? test.name}${test.ending ?? '.js'}`),
      ],
      test.env,
    );
    const text = existsSync(csv) ? withoutPort(readFileSync(csv, 'utf8'), base) : '';
    const samples = readRows(text);
    return {
      exitCode,
      csvHeader: text === '' ? null : (text.split('\n')[0] ?? null),
      rows: countRows(samples),
      metrics: existsSync(summary) ? readMetrics(readFileSync(summary, 'utf8')) : null,
      console: consoleLines(withoutPort(stderr, base)),
      errors: stderr.split('\n').filter((line) => / level=error /.test(line)).length,
      started: samples
        .filter((row) => row['metric_name'] === 'iterations' || row['metric_name'] === 'dropped_iterations')
        .reduce((sum, row) => sum + Number(row['metric_value']), 0),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const withoutPort = (text: string, base: string) =>
  text.replaceAll(base, 'BASE').replaceAll(new URL(base).host, 'HOST');

function readMetrics(json: string): NonNullable<Observation['metrics']> {
  const { metrics } = JSON.parse(json) as { metrics: Record<string, Record<string, unknown>> };
  return Object.fromEntries(
    Object.keys(metrics)
      .filter((name) => !SKIPPED.includes(name))
      .sort()
      .map((name) => {
        const { thresholds, ...values } = metrics[name] ?? {};
        const judged = thresholds === undefined ? {} : { thresholds: thresholds as Record<string, boolean> };
        return [name, { values: Object.keys(values).sort().join(' '), ...judged }];
      }),
  );
}

/** The embedded engine, in this process. */
export const embeddedRunner: Runner = async (args, env = {}) => {
  let stderr = '';
  const result = await runEmbedded({
    ...specOfArguments(args, env),
    stdout: () => undefined,
    stderr: (text) => {
      stderr += text;
    },
  });
  return { exitCode: result.exitCode, stderr };
};

/** k6 itself. */
export function k6Runner(path: string): Runner {
  return (args, env) =>
    new Promise((resolve) => {
      const options = { maxBuffer: 2 ** 26, env: { ...process.env, ...env } };
      execFile(path, ['run', '--no-usage-report', ...args], options, (error, _, stderr) => {
        resolve({ exitCode: error === null ? 0 : Number(error.code ?? -1), stderr });
      });
    });
}

/** Takes out what the case says k6 does not repeat. */
export function comparable(observation: Observation, test: ConformanceCase): unknown {
  const inexact = test.inexact ?? [];
  if (inexact.length === 0) return observation;
  const { started: _, errors: __, ...rest } = observation;
  const loosely = (key: string) => {
    const metric = key.split(' ')[0] ?? '';
    const leader = metric.startsWith('http_req')
      ? 'http_reqs'
      : /^(iteration|data_)/.test(metric)
        ? 'iterations'
        : metric;
    return inexact.includes(leader) || inexact.includes(metric);
  };
  return {
    ...rest,
    rows: Object.fromEntries(Object.entries(rest.rows).map(([key, count]) => [key, loosely(key) ? 'some' : count])),
    console: inexact.includes('console') ? [] : rest.console,
  };
}
