/**
 * The analysis as a whole process against a bare DuckDB scan with the same quantiles: time and highest memory of each,
 * in turns, on a CSV with the rows that k6 writes for a request.
 */

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { largest } from '../../../lib/model/extremes.ts';
import { DURATION_METRICS, K6_HTTP_METRICS } from '../../../lib/model/names.ts';
import { textTable } from '../../../lib/model/text-table.ts';
import { UserError } from '../../base/user-error.ts';
import { openDatabase, text } from '../../verdict/database.ts';
import { QUANTILES } from '../../verdict/populations.ts';

/** Goals: at most one and a half times the bare scan, at most 1 GB. */
const GOAL = { ratio: 1.5, memoryMb: 1000 } as const;

export interface Measured {
  readonly seconds: number;
  /** Highest resident memory, MB; undefined where the system has no /proc. */
  readonly memoryMb?: number;
}

export interface AnalysisBench {
  readonly schemaVersion: 1;
  readonly samples: number;
  readonly bytes: number;
  readonly bare: readonly Measured[];
  readonly analyse: readonly Measured[];
  /** Median of the ratios of each round. */
  readonly ratio: number;
  readonly missed: readonly string[];
}

export async function analysisBench(options: {
  samples: number;
  rounds: number;
  file?: string;
}): Promise<AnalysisBench> {
  const scratch = mkdtempSync(join(tmpdir(), 'bench-analysis-'));
  try {
    const file = options.file ?? join(scratch, 'samples.csv');
    if (options.file === undefined) await makeCsv(file, options.samples);
    const [lab, cli] = [process.argv[1] ?? '', resolve('dist/cli.mjs')];
    if (!existsSync(cli))
      throw new UserError('bench analysis: run it in the folder of the project, after npm run build');
    const bare: Measured[] = [];
    const analyse: Measured[] = [];
    for (let round = 0; round < options.rounds; round++) {
      bare.push(await timed([lab, 'bench', 'analysis', '--bare', file]));
      analyse.push(await timed([cli, 'analyse', file, '--json', '--report', join(scratch, 'report.html')]));
    }
    const ratios = analyse.map((one, round) => one.seconds / (bare[round]?.seconds ?? 1)).sort((a, b) => a - b);
    const ratio = ratios[Math.floor(ratios.length / 2)] ?? Number.NaN;
    const memory = largest(analyse.map((one) => one.memoryMb ?? 0));
    const missed = [
      ...(ratio > GOAL.ratio ? [`${ratio.toFixed(2)} times the bare scan, the goal is ${GOAL.ratio}`] : []),
      ...(memory > GOAL.memoryMb ? [`${memory.toFixed(0)} MB, the goal is ${GOAL.memoryMb}`] : []),
    ];
    return { schemaVersion: 1, samples: options.samples, bytes: statSync(file).size, bare, analyse, ratio, missed };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Start-up of Node and DuckDB included, as a user waits for it. */
function timed(words: readonly string[]): Promise<Measured> {
  return new Promise((done, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] });
    let memoryMb: number | undefined;
    const watch = setInterval(() => {
      try {
        const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1];
        if (peak !== undefined) memoryMb = Number(peak) / 1000;
      } catch {
        // No /proc here, or the process has just ended.
      }
    }, 50);
    child.on('error', reject);
    child.on('exit', () => {
      clearInterval(watch);
      done({ seconds: (performance.now() - started) / 1000, ...(memoryMb === undefined ? {} : { memoryMb }) });
    });
  });
}

/** The least that can be done: columns by name, the analysis' quantiles of the durations by endpoint and status class. */
export async function bareScan(file: string): Promise<void> {
  const header = (await firstLine(file)).split(',');
  const columns = header.map((name) => `${text(name)}:'${name === 'metric_value' ? 'DOUBLE' : 'VARCHAR'}'`).join(', ');
  const database = await openDatabase();
  const rows = await database.query(
    `SELECT name, status[1] AS class, count(*) AS n, quantile_cont(metric_value, [${QUANTILES.join(', ')}]) AS q
     FROM read_csv(${text(file)}, header=true, auto_detect=false, delim=',', quote='"', escape='"', columns={${columns}})
     WHERE metric_name = 'http_req_duration' GROUP BY ALL`,
  );
  process.stdout.write(`${JSON.stringify(rows)}\n`);
  database.close();
}

async function firstLine(file: string): Promise<string> {
  const { sniff } = await import('../../verdict/files.ts');
  return (await sniff(file)).head.split('\n')[0] ?? '';
}

/** Rows as k6 writes them for requests of six endpoints, connections kept alive, two tags of the suite. */
export async function makeCsv(file: string, samples: number): Promise<void> {
  const metrics = [...K6_HTTP_METRICS, DURATION_METRICS['2xx']];
  const requests = Math.ceil(samples / metrics.length);
  const database = await openDatabase({ memoryMb: 2000 });
  await database.run(`COPY (
    WITH r AS (SELECT i, 1795982260000 + (i * 3600000) // ${requests} AS ts, ['GET /api/books', 'GET /api/books?search=', 'GET /api/books/{isbn}',
        'POST /api/carts', 'PUT /api/carts/{id}/items/{isbn}', 'POST /api/orders'][CAST(1 + hash(i) % 6 AS BIGINT)] AS name,
        CASE WHEN hash(i + 7) % 1000 < 995 THEN 200 ELSE 503 END AS status, -20 * ln((hash(i * 3 + 1) % 1000003 + 1) / 1000004.0) AS d
      FROM range(${requests}) t(i)), m AS (SELECT unnest([${metrics.map(text).join(', ')}]) AS metric)
    SELECT metric AS metric_name, ts AS "timestamp", printf('%.6f', CASE metric WHEN 'http_reqs' THEN 1.0 WHEN 'http_req_failed' THEN 0.0
        WHEN 'http_req_connecting' THEN 0.0 WHEN 'http_req_tls_handshaking' THEN 0.0 WHEN 'http_req_blocked' THEN 0.003 + (i % 7) / 1000.0 ELSE d END) AS metric_value,
      NULL AS "check", NULL AS error, NULL AS error_code, 'true' AS expected_response, NULL AS "group", 'GET' AS method, name, 'HTTP/1.1' AS proto,
      'browse' AS scenario, NULL AS service, status, NULL AS subproto, NULL AS tls_version, name AS url,
      CASE WHEN hash(i + 3) % 2 = 0 THEN 'flow=browse&phase=measure' ELSE 'phase=measure&flow=browse' END AS extra_tags, NULL AS metadata
    FROM r, m) TO ${text(file)} (HEADER)`);
  database.close();
}

export function benchText(result: AnalysisBench): string {
  const row = (name: string, runs: readonly Measured[]) => [
    name,
    `${runs.map((one) => `${one.seconds.toFixed(2)} s`).join(', ')}; highest memory ${largest(runs.map((one) => one.memoryMb ?? 0)).toFixed(0)} MB`,
  ];
  return [
    `${result.samples.toLocaleString('en-US')} samples, ${(result.bytes / 1e9).toFixed(2)} GB, whole processes in turns`,
    ...textTable([row('bare scan', result.bare), row('analyse', result.analyse)]),
    `  ratio (median) ${result.ratio.toFixed(2)}`,
    ...result.missed.map((sentence) => `MISSED ${sentence}`),
    '',
  ].join('\n');
}
