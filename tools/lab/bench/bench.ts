/** Measures what the suite costs the load generator, interleaved with a ten-line script, so that a noisy machine hits both. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { largest } from '../../../lib/model/extremes.ts';
import { requestsPerSession, type Workload } from '../../../lib/model/workload.ts';
import { readSuiteFacts } from '../../results/suite-facts.ts';
import { flowRequests, ownFlows } from '../../traffic/model/flow-shapes.ts';
import { type Cost, type Job, runJob } from './k6-process.ts';
import { EMPTY, FEATURES, type Feature, featureScript, TEN_LINES } from './scripts.ts';
import { type Spread, spread } from './spread.ts';
import { startTarget, type Target } from './target.ts';

export interface BenchOptions {
  /** Path of k6. */
  readonly k6: string;
  /** Folder of the project, with `dist/` built. */
  readonly root: string;
  readonly rounds: number;
  /** Length of each run that measures processor time, s. */
  readonly seconds: number;
  /** Requests per second of every script. */
  readonly rate: number;
  readonly parts: readonly Part[];
  /** Told before each k6 process. */
  readonly onRun: (what: string) => void;
}

export const PARTS = ['cpu', 'vus', 'features'] as const;
export type Part = (typeof PARTS)[number];

/** Costs of one script over the rounds, and their ratios to the ten-line script of the same round. */
export interface CpuRow {
  readonly script: string;
  readonly samples: boolean;
  /** Processor time per request, microseconds. */
  readonly microseconds: Spread;
  readonly ratio: Spread;
  /** The same without what a run of one session costs: start-up, which is paid once. */
  readonly steadyMicroseconds: Spread;
  readonly steadyRatio: Spread;
  /** Processor time of a run of one session with as many VUs, s. */
  readonly startSeconds: Spread;
  /** Requests per second that arrived. */
  readonly rate: Spread;
}

export interface VuRow {
  readonly script: string;
  /** Resident memory of one more VU, bytes. */
  readonly bytesPerVu: Spread;
  readonly ratio: Spread;
  /** From the start of k6 to the first request at the many VUs, s. */
  readonly initSeconds: Spread;
  /** The same minus that of the ten-line script of the same round. */
  readonly initExcess: Spread;
}

export interface FeatureRow {
  readonly feature: string;
  /** Processor time each, microseconds, the loop taken off. */
  readonly microseconds: Spread;
}

export interface BenchResult {
  readonly cpu: readonly CpuRow[];
  readonly vus: readonly VuRow[];
  readonly features: readonly FeatureRow[];
}

/** VUs of the runs that measure processor time, the same for every script. */
const CPU_VUS = 250;
export const TEN_LINES_NAME = 'ten lines';
export const FEW_VUS = 100;
export const MANY_VUS = 1_000;
/**
 * Requests per second while memory is measured, for as long as every VU of every script needs to have run a session. All run
 * equally long: the peak grows with the garbage of the run until the collector has found its rhythm.
 */
const VU_REQUEST_RATE = 200;
const SESSIONS_PER_VU = 1.4;
/** Requests of one session of the mix, as the build counted them. @param root folder of the project */
function mixRequests({ flows }: Pick<Workload, 'flows'>, root: string): number {
  return requestsPerSession(
    Object.fromEntries(Object.entries(flows).map(([flow, { share }]) => [flow, share])),
    flowRequests(ownFlows(readSuiteFacts(join(root, 'dist')))),
  );
}

/** A script, and its job for a rate of sessions, a length and a number of VUs. */
interface Subject {
  readonly name: string;
  readonly requests: number;
  readonly job: (rate: number, seconds: number, vus: number) => Job;
}

/**
 * Runs the bench.
 * @throws UserError when k6 does not end well
 */
export async function bench(options: BenchOptions): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'bookstore-load-bench-'));
  const target = await startTarget();
  try {
    const tenLines = join(folder, 'ten-lines.js');
    await writeFile(tenLines, TEN_LINES);
    const workload = JSON.parse(await readFile(resolve(options.root, 'data/workload.json'), 'utf8')) as Workload;
    const subjects = subjectsOf(tenLines, options.root, mixRequests(workload, options.root));
    const run = (job: Job): Promise<Cost> => {
      options.onRun(job.name);
      return runJob(options.k6, job, target, folder);
    };
    const wants = (part: Part): boolean => options.parts.includes(part);
    return {
      cpu: wants('cpu') ? await cpu(subjects, options, run) : [],
      vus: wants('vus') ? await vus(subjects, options, run) : [],
      features: wants('features') ? await features(options, folder, run) : [],
    };
  } finally {
    await close(target);
    await rm(folder, { recursive: true, force: true });
  }
}

const close = (target: Target): Promise<void> => target.close();

function subjectsOf(tenLines: string, root: string, requestsOfMix: number): readonly Subject[] {
  const suite = (name: string, requests: number): Subject => ({
    name,
    requests,
    job: (rate, seconds, vus) => ({
      name,
      script: resolve(root, `dist/${name}.js`),
      env: {
        RATE: `${rate}`,
        DURATION: `${seconds}s`,
        // Sessions think, but briefly: sleeping VUs cost memory, which is measured apart.
        THINK: '0.02',
        PREALLOCATED_VUS: `${vus}`,
        MAX_VUS: `${vus}`,
      },
    }),
  });
  const yardstick: Subject = {
    name: TEN_LINES_NAME,
    requests: 1,
    job: (rate, seconds, vus) => ({
      name: TEN_LINES_NAME,
      script: tenLines,
      env: { RATE: `${Math.round(rate)}`, SECONDS: `${seconds}`, VUS: `${vus}` },
    }),
  };
  return [yardstick, suite('bookstore-mix', requestsOfMix), suite('book-details', 1)];
}

type Run = (job: Job) => Promise<Cost>;

async function cpu(subjects: readonly Subject[], options: BenchOptions, run: Run): Promise<CpuRow[]> {
  const jobs = [false, true].flatMap((samples) => subjects.map((subject) => ({ subject, samples })));
  const rounds: { readonly start: Cost; readonly whole: Cost }[][] = [];
  for (let round = 0; round < options.rounds; round++) {
    const row: { readonly start: Cost; readonly whole: Cost }[] = [];
    for (const { subject, samples } of jobs) {
      const short = subject.job(1, 1, CPU_VUS);
      const start = await run({ ...short, name: `${short.name}, start`, samples });
      const whole = await run({ ...subject.job(options.rate / subject.requests, options.seconds, CPU_VUS), samples });
      row.push({ start, whole });
    }
    rounds.push(row);
  }
  const each = (value: (one: { start: Cost; whole: Cost }) => number): number[][] =>
    rounds.map((row) => row.map(value));
  const all = each(({ whole }) => (whole.cpuSeconds / whole.requests) * 1e6);
  const steady = each(
    ({ start, whole }) => ((whole.cpuSeconds - start.cpuSeconds) / (whole.requests - start.requests)) * 1e6,
  );
  const start = each((one) => one.start.cpuSeconds);
  const rate = each(({ whole }) => whole.requests / options.seconds);
  const column = (values: number[][], j: number): Spread => spread(values.map((row) => row[j] as number));
  // Against ten lines without output of the same round, which stand first.
  const ratio = (values: number[][], j: number): Spread =>
    spread(values.map((row) => (row[j] as number) / (row[0] as number)));
  return jobs.map(({ subject, samples }, j) => ({
    script: subject.name,
    samples,
    microseconds: column(all, j),
    ratio: ratio(all, j),
    steadyMicroseconds: column(steady, j),
    steadyRatio: ratio(steady, j),
    startSeconds: column(start, j),
    rate: column(rate, j),
  }));
}

async function vus(subjects: readonly Subject[], options: BenchOptions, run: Run): Promise<VuRow[]> {
  const bytes: number[][] = subjects.map(() => []);
  const init: number[][] = subjects.map(() => []);
  const mostRequests = largest(subjects.map(({ requests }) => requests));
  const seconds = Math.ceil((SESSIONS_PER_VU * MANY_VUS * mostRequests) / VU_REQUEST_RATE);
  for (let round = 0; round < options.rounds; round++) {
    for (const [i, subject] of subjects.entries()) {
      const job = (count: number): Job => {
        const made = subject.job(VU_REQUEST_RATE / subject.requests, seconds, count);
        return {
          ...made,
          name: `${made.name} with ${count} VUs`,
          env: { ...made.env, ARRIVALS: 'metronome', THINK: '0' },
        };
      };
      const few = await run(job(FEW_VUS));
      const many = await run(job(MANY_VUS));
      (bytes[i] as number[]).push(
        ((many.peakRssBytes ?? Number.NaN) - (few.peakRssBytes ?? Number.NaN)) / (MANY_VUS - FEW_VUS),
      );
      (init[i] as number[]).push(many.initSeconds ?? Number.NaN);
    }
  }
  const [tenBytes, tenInit] = [bytes[0] as number[], init[0] as number[]];
  return subjects.map((subject, i) => ({
    script: subject.name,
    bytesPerVu: spread(bytes[i] as number[]),
    ratio: spread((bytes[i] as number[]).map((value, round) => value / (tenBytes[round] as number))),
    initSeconds: spread(init[i] as number[]),
    initExcess: spread((init[i] as number[]).map((value, round) => value - (tenInit[round] as number))),
  }));
}

async function features(options: BenchOptions, folder: string, run: Run): Promise<FeatureRow[]> {
  const { build } = await import('esbuild');
  const all: readonly Feature[] = [EMPTY, ...FEATURES];
  const scripts: string[] = [];
  for (const [i, feature] of all.entries()) {
    const outfile = join(folder, `feature-${i}.js`);
    await build({
      stdin: { contents: featureScript(feature), resolveDir: options.root, loader: 'ts' },
      outfile,
      bundle: true,
      format: 'esm',
      target: 'es2020',
      minify: true,
      external: ['k6', 'k6/*'],
    });
    scripts.push(outfile);
  }
  const seconds: number[][] = all.map(() => []);
  for (let round = 0; round < options.rounds; round++) {
    for (const [i, feature] of all.entries()) {
      const { cpuSeconds } = await run({ name: feature.name, script: scripts[i] as string, env: {} });
      (seconds[i] as number[]).push(cpuSeconds);
    }
  }
  const loop = seconds[0] as number[];
  return FEATURES.map((feature, i) => ({
    feature: feature.name,
    microseconds: spread(
      (seconds[i + 1] as number[]).map((value, round) => ((value - (loop[round] as number)) / feature.times) * 1e6),
    ),
  }));
}
