/** What k6 makes of a text: it is asked by scripts that hold nothing but that text. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runK6 } from '../../../support/k6.ts';
import { SAMPLE_TAGS } from './cases/metric-keys.ts';

/** Metrics of the threshold script and their samples. */
export const METRICS = {
  trend: 'some_trend',
  counter: 'some_counter',
  gauge: 'some_gauge',
  rate: 'some_rate',
} as const;
export type Type = keyof typeof METRICS;
const SAMPLES = `
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
const trend = new Trend('${METRICS.trend}');
const counter = new Counter('${METRICS.counter}');
const gauge = new Gauge('${METRICS.gauge}');
const rate = new Rate('${METRICS.rate}');
const hits = new Counter('hits');
export default function () {
  for (let i = 1; i <= 10; i++) trend.add(i);
  counter.add(1);
  counter.add(3);
  gauge.add(7);
  for (const value of [1, 0, 0, 0]) rate.add(value);
  ${JSON.stringify(SAMPLE_TAGS)}.forEach((tags, i) => hits.add(2 ** i, tags));
}
export const handleSummary = ({ metrics }) => ({ stdout: JSON.stringify(metrics) });
`;

type Options = Readonly<Record<string, unknown>>;
export interface SummaryMetric {
  readonly values: Readonly<Record<string, number>>;
  readonly thresholds?: Readonly<Record<string, { readonly ok: boolean }>>;
}

/** k6's view of the options: what `k6 inspect` prints; undefined when it refuses them. */
export async function inspected(options: Options): Promise<Options | undefined> {
  const text = `export const options = ${JSON.stringify(options)};\nexport default function () {}\n`;
  const { exitCode, stdout } = await withScript(text, (file, folder) => runK6(['inspect', file], folder));
  return exitCode === 0 ? (JSON.parse(stdout) as Options) : undefined;
}

/** Metrics at the end of a run with these thresholds; undefined when k6 refuses them. */
export async function judged(
  thresholds: Readonly<Record<string, readonly string[]>>,
): Promise<Readonly<Record<string, SummaryMetric>> | undefined> {
  const text = `export const options = ${JSON.stringify({ thresholds })};\n${SAMPLES}`;
  const { exitCode, stdout, stderr } = await withScript(text, (file, folder) =>
    runK6(['run', '--quiet', file], folder),
  );
  // 2: it crashes over a tag without a name.
  if (exitCode === 104 || exitCode === 2) return undefined;
  if (exitCode !== 0 && exitCode !== 99) throw new Error(`k6 ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as Readonly<Record<string, SummaryMetric>>;
}

async function withScript<T>(text: string, use: (file: string, folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'grammar-'));
  try {
    const file = join(folder, 'script.js');
    writeFileSync(file, text);
    return await use(file, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
