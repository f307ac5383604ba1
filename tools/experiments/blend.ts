/**
 * `experiment blend`: one run with three populations, as behind a gateway that gives up: what one percentile over all of
 * them says, what each says by itself, and what the verdict makes of it.
 */
import pc from 'picocolors';
import { percent } from '../../lib/model/figures.ts';
import { samplesNeeded } from '../../lib/model/samples-needed.ts';
import { EXIT } from '../base/exit-codes.ts';
import { terminalTable } from '../base/terminal-table.ts';
import { type Analysis, analyse } from '../verdict/analyse.ts';
import { type Population, quantileOf } from '../verdict/populations.ts';
import { isSound, printRunVerdicts, type RunVerdict, runVerdict } from './run-verdict.ts';
import { type ExperimentOptions, experiment } from './runs.ts';

export const BLEND_SCHEMA_VERSION = 1;

export interface BlendOptions extends ExperimentOptions {
  /** Requests per second. */
  readonly rate: number;
  readonly seconds: number;
  /** Divides all times of the article: 280 ms, 5 s and 30 s. */
  readonly scale: number;
}

/** The article's three populations, ms and share of the requests. */
const POPULATIONS = [
  { status: 200, ms: 280, share: 0.7 },
  { status: 503, ms: 5_000, share: 0.2 },
  { status: 504, ms: 30_000, share: 0.1 },
] as const;
/** Spread of the good answers' lognormal latency. */
const SIGMA = 0.25;
/** Rules that must say that the aggregate misleads. */
const RULES = ['timeout-cluster', 'error-heavy'] as const;

export interface BlendRow {
  /** HTTP status, or `all` for the blend. */
  readonly status: string;
  readonly n: number;
  readonly share: number;
  readonly p50?: number;
  readonly p95?: number;
  readonly meanMs: number;
  readonly maxMs: number;
}

export interface Blend {
  readonly schemaVersion: typeof BLEND_SCHEMA_VERSION;
  readonly rows: readonly BlendRow[];
  readonly verdict: RunVerdict;
  /** What the rules on populations say. */
  readonly said: readonly { readonly rule: string; readonly message: string }[];
  /** Rules of `RULES` that were silent. */
  readonly silent: readonly string[];
}

/** Faults of the details endpoint that give the three populations; each share is of what the ones before left. */
export function blendFaults(scale: number): object[] {
  const [good, unavailable, timedOut] = POPULATIONS;
  const error = ({ status, ms }: { status: number; ms: number }, share: number) => ({
    kind: 'error',
    endpoint: 'details',
    status,
    share,
    delay: ms / scale,
  });
  return [
    error(timedOut, timedOut.share),
    error(unavailable, unavailable.share / (1 - timedOut.share)),
    {
      kind: 'latency',
      endpoint: 'details',
      delay: { law: 'lognormal', medianMs: good.ms / scale, sigma: SIGMA },
    },
  ];
}

/** @returns 0 when the verdict said that the blend misleads, 3 when it did not (too few requests) or the run was no valid test */
export async function blendCommand(options: BlendOptions): Promise<number> {
  return experiment(options, async ({ run, system, say, engine }) => {
    say('starting the bookstore …');
    const { url, faults } = await system();
    await faults(blendFaults(options.scale));
    say(`${options.rate} requests/s for ${options.seconds} s, times divided by ${options.scale}`);
    const { folder } = await run('book-details', {
      BASE_URL: url,
      RATE: `${options.rate}`,
      DURATION: `${options.seconds}s`,
      // The pre-flight would meet the faults too.
      PREFLIGHT: 'off',
      PREALLOCATED_VUS: `${Math.ceil(options.rate * vuSeconds(options.scale)) + 20}`,
    });
    const found = blendOf(await analyse({ paths: [folder] }));
    if (options.json) process.stdout.write(`${JSON.stringify({ ...found, run: folder, engine: engine.name })}\n`);
    else process.stdout.write(`${printBlend(found)}Run: ${folder}\n`);
    return found.silent.length === 0 && isSound(found.verdict) ? EXIT.ok : EXIT.noVerdict;
  });
}

/** Mean time of a request, s, twice: Little's law with room for chance. */
function vuSeconds(scale: number): number {
  return (2 * POPULATIONS.reduce((sum, { ms, share }) => sum + ms * share, 0)) / scale / 1000;
}

/** What an analysis says of the populations. Pure. */
export function blendOf({ facts, verdict }: Analysis): Blend {
  const total = facts.requests.n;
  const rows = [...facts.byStatus, ...facts.blends].map((one) => rowOf(one, total));
  const said = verdict.reasons
    .filter(({ rule }) => RULES.some((known) => known === rule))
    .map(({ rule, message }) => ({ rule, message }));
  return {
    schemaVersion: BLEND_SCHEMA_VERSION,
    rows,
    verdict: runVerdict('blend', { verdict, facts }),
    said,
    silent: RULES.filter((rule) => !said.some((one) => one.rule === rule)),
  };
}

function rowOf(population: Population, total: number): BlendRow {
  const carried = (p: number) => {
    const found = quantileOf(population, p);
    return found?.carried === true ? found.value : undefined;
  };
  const [p50, p95] = [carried(0.5), carried(0.95)];
  return {
    status: population.statusClass,
    n: population.n,
    share: population.n / Math.max(1, total),
    ...(p50 !== undefined && { p50 }),
    ...(p95 !== undefined && { p95 }),
    meanMs: population.latency?.meanMs ?? 0,
    maxMs: population.latency?.maxMs ?? 0,
  };
}

export function printBlend({ rows, silent, verdict }: Blend): string {
  const ms = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(1));
  const name = (status: string) => (status === 'all' ? 'blend of all' : status);
  return [
    pc.bold('Latency by status, and blended (ms)'),
    ...terminalTable([
      ['status', 'n', 'share', 'p50', 'p95', 'mean', 'max'],
      ...rows.map((row) => [
        name(row.status),
        String(row.n),
        percent(row.share),
        ms(row.p50),
        ms(row.p95),
        ms(row.meanMs),
        ms(row.maxMs),
      ]),
    ]),
    ...(rows.some((row) => row.p50 === undefined || row.p95 === undefined)
      ? [
          pc.dim(
            `  - fewer than ten samples lie beyond it: a p50 needs ${samplesNeeded(0.5)} answers, a p95 ${samplesNeeded(0.95)}`,
          ),
        ]
      : []),
    '',
    printRunVerdicts([verdict]).trimEnd(),
    ...silent.map((rule) => pc.yellow(`  ${rule} was silent: too few requests; raise --rate or --seconds`)),
    '',
  ].join('\n');
}
