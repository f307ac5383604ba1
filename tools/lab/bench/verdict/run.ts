/**
 * Runs every case with k6 against the faulty target and asks the analysis for its verdict: each broken run must make
 * its rule speak, no healthy run may make any (notes do not count: loopback is always the same host).
 */
import { spawn } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../base/package.ts';
import { analyse } from '../../../verdict/analyse.ts';
import { BROKEN, HEALTHY, type VerdictCase } from './cases.ts';
import { FOREIGN, FOREIGN_BROKEN } from './foreign-cases.ts';
import { memoryGroup, within } from './memory-group.ts';
import { startTarget } from './target.ts';

export interface CaseResult {
  readonly name: string;
  /** Rule that had to fire, or `-` for a healthy run. */
  readonly rule: string;
  readonly status: string;
  /** Rules that spoke, gravest first, with their severity. */
  readonly fired: readonly string[];
  readonly ok: boolean;
  readonly message: string;
}

export interface VerdictBench {
  readonly schemaVersion: 1;
  readonly broken: readonly CaseResult[];
  readonly healthy: readonly CaseResult[];
  /** By CSV and console text alone: VALID, and UNPROVEN by the CSV alone. */
  readonly foreign: readonly CaseResult[];
  /** By CSV and console text, with something broken: not VALID. */
  readonly foreignBroken: readonly CaseResult[];
}

export interface VerdictBenchOptions {
  readonly k6: string;
  /** Only cases whose name or rule holds this text. */
  readonly only?: string;
  readonly onCase: (name: string) => void;
}

export async function verdictBench(options: VerdictBenchOptions): Promise<VerdictBench> {
  const target = await startTarget();
  const scratch = mkdtempSync(join(tmpdir(), 'bench-verdict-'));
  const run = async (cases: readonly VerdictCase[]) => {
    const results: CaseResult[] = [];
    for (const [index, one] of cases.entries()) {
      if (options.only !== undefined && !`${one.name} ${one.rule ?? ''}`.includes(options.only)) continue;
      options.onCase(one.name);
      const folder = mkdtempSync(join(scratch, `${index}-`));
      results.push(await judgeCase(one, folder, target.url, options.k6));
    }
    return results;
  };
  try {
    const [broken, healthy] = [await run(BROKEN), await run(HEALTHY)];
    return { schemaVersion: 1, broken, healthy, foreign: await run(FOREIGN), foreignBroken: await run(FOREIGN_BROKEN) };
  } finally {
    await target.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function judgeCase(one: VerdictCase, folder: string, url: string, k6: string): Promise<CaseResult> {
  const scriptPath = join(folder, 'script.js');
  writeFileSync(scriptPath, one.script.replaceAll('URL', url));
  if (one.consoleOnly !== undefined) return judgeByConsole(one, folder, scriptPath, k6);
  const analysis =
    one.recorded === true
      ? await recorded(one, folder, scriptPath, k6, url)
      : await foreign(one, folder, scriptPath, k6);
  const spoke = analysis.verdict.reasons.filter((reason) => reason.severity !== 'note');
  const own = analysis.verdict.reasons.find((reason) => reason.rule === one.rule);
  return {
    name: one.name,
    rule: one.rule ?? '-',
    status: analysis.verdict.status,
    fired: [...new Set(analysis.verdict.reasons.map((reason) => `${reason.rule} (${reason.severity})`))],
    ok: one.rule === undefined ? spoke.length === 0 : own !== undefined,
    message: ((one.rule === undefined ? spoke[0] : own)?.message ?? '').replaceAll(`${folder}/`, ''),
  };
}

/** A run of which nothing is known but its samples and what k6 printed; and the same without the latter. */
async function judgeByConsole(one: VerdictCase, folder: string, scriptPath: string, k6: string): Promise<CaseResult> {
  const [samples, log] = [join(folder, 'samples.csv'), join(folder, 'k6.log')];
  const words = [
    'run',
    '--no-usage-report',
    '--address',
    '',
    '--out',
    `csv=${samples}`,
    ...(one.arguments ?? []),
    scriptPath,
  ];
  const { stdout, stderr } = await k6Process(k6, words);
  const printed = one.after === 'cut' ? stdout.slice(0, stdout.indexOf('█')) : stdout + stderr;
  damage(one, samples);
  const paths = one.after === 'twice' ? [samples, samples] : [samples];
  const alone = await analyse({ paths });
  writeFileSync(log, printed);
  const { verdict } = await analyse({ paths, log });
  const [first] = verdict.reasons;
  const broken = FOREIGN_BROKEN.includes(one);
  const ok = broken
    ? verdict.status !== 'VALID' && alone.verdict.status !== 'VALID'
    : verdict.status === 'VALID' && alone.verdict.status === 'UNPROVEN';
  return {
    name: one.name,
    rule: '-',
    status: `${verdict.status}; without the text ${alone.verdict.status}`,
    fired: [...new Set(verdict.reasons.map((reason) => `${reason.rule} (${reason.severity})`))],
    ok,
    message: (first?.message ?? '').replaceAll(`${folder}/`, ''),
  };
}

/** What is done to samples before they are judged. */
function damage(one: VerdictCase, samples: string): void {
  const content = readFileSync(samples, 'utf8');
  if (one.after === 'cut') writeFileSync(samples, content.slice(0, -60));
  if (one.after === 'part') writeFileSync(samples, halfOfTheSessions(content));
}

/** A foreign run: plain k6, its CSV, its summary and all that it prints, the plan from `k6 inspect`. */
async function foreign(one: VerdictCase, folder: string, scriptPath: string, k6: string) {
  const file = (name: string) => join(folder, name);
  const plan = await k6Process(k6, ['inspect', '--execution-requirements', scriptPath]);
  writeFileSync(file('plan.json'), plan.stdout);
  const words = [
    'run',
    '--no-usage-report',
    '--address',
    '',
    '--out',
    `csv=${file('samples.csv')}`,
    '--summary-export',
    file('summary.json'),
    ...(one.arguments ?? []),
    scriptPath,
  ];
  if (one.apart === true) return apart(k6, words, folder, file('samples.csv'));
  const { stdout, stderr } = await k6Process(k6, words);
  writeFileSync(file('k6.log'), stdout + stderr);
  const samples = file('samples.csv');
  damage(one, samples);
  const there = readdirSync(folder);
  return analyse({
    paths: one.after === 'twice' ? [samples, samples] : [samples],
    ...(plan.code === 0 ? { plan: file('plan.json') } : {}),
    ...(there.includes('summary.json') && statSync(file('summary.json')).size > 0
      ? { summary: file('summary.json') }
      : {}),
    log: file('k6.log'),
  });
}

/** Two halves of one test, the second begun when the first has ended. */
async function apart(k6: string, words: readonly string[], folder: string, samples: string) {
  const paths: string[] = [];
  for (const segment of ['0:1/2', '1/2:1']) {
    const path = join(folder, `worker-${paths.length + 1}.csv`);
    const own = ['--execution-segment', segment, '--execution-segment-sequence', '0,1/2,1'];
    await k6Process(k6, [...words.slice(0, -1), ...own, ...words.slice(-1)]);
    renameSync(samples, path);
    paths.push(path);
  }
  return analyse({ paths });
}

/** Leaves out every second finished session and its requests, as a lost worker's file would. */
function halfOfTheSessions(csv: string): string {
  let n = 0;
  return csv
    .split('\n')
    .filter((line) => !/^iteration/.test(line) || n++ % 4 < 2)
    .join('\n');
}

async function recorded(one: VerdictCase, folder: string, scriptPath: string, k6: string, url: string) {
  const results = join(folder, 'results');
  const words = [
    join(packageRoot(), 'bin/bookstore-load.mjs'),
    'run',
    scriptPath,
    '--quiet',
    '-e',
    `BASE_URL=${url}`,
    '--results',
    results,
    '--',
    ...(one.arguments ?? []),
  ];
  const group = one.memoryBytes === undefined ? undefined : memoryGroup(one.memoryBytes);
  try {
    await processOf(...within(group, process.execPath, words), { ...process.env, K6_BIN: k6 });
  } finally {
    if (group !== undefined) rmdirSync(group);
  }
  const [run] = readdirSync(results);
  if (run === undefined) throw new Error(`${one.name}: no results folder`);
  return analyse({ paths: [join(results, run)] });
}

function k6Process(k6: string, words: readonly string[]) {
  return processOf(k6, words, { ...process.env, K6_CSV_TIME_FORMAT: 'unix_milli' });
}

function processOf(
  file: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** The tables as Markdown. */
export function verdictTables({ broken, healthy, foreign: others, foreignBroken }: VerdictBench): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const lines = ['| broken run | rule | fired | verdict | what it said |', '|---|---|---|---|---|'];
  for (const one of broken)
    lines.push(`| ${one.name} | ${one.rule} | ${one.ok ? 'yes' : '**no**'} | ${one.status} | ${cell(one.message)} |`);
  lines.push('', '| healthy run | rules that fired | verdict |', '|---|---|---|');
  for (const one of healthy)
    lines.push(
      `| ${one.name} | ${one.ok ? 'none' : `**${one.fired.join(', ')}**: ${cell(one.message)}`} | ${one.status} |`,
    );
  for (const [title, list] of [
    ['healthy run of somebody else', others],
    ['the same, broken', foreignBroken],
  ] as const) {
    lines.push(
      '',
      `| ${title}: CSV and console text alone | as it must be | verdict | what it said first |`,
      '|---|---|---|---|',
    );
    for (const one of list)
      lines.push(`| ${one.name} | ${one.ok ? 'yes' : '**no**'} | ${one.status} | ${cell(one.message)} |`);
  }
  return `${lines.join('\n')}\n`;
}
