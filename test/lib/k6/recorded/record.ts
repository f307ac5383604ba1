/** k6's answers about all cases, as plain data: `[text, answer]`, the answer null where k6 refuses. */
import { inspected, judged, METRICS, type Type } from './ask-k6.ts';
import { DURATIONS } from './cases/durations.ts';
import { METRIC_KEYS } from './cases/metric-keys.ts';
import { SEGMENTS, SEQUENCES } from './cases/segments.ts';
import { THRESHOLDS } from './cases/thresholds.ts';

type Answers<A, Text = string> = readonly (readonly [Text, A | null])[];
/** Whether the samples keep a threshold, by the metric types that k6 offers it to. */
export type Kept = Readonly<Partial<Record<Type, boolean>>>;

export interface Recording {
  /** As k6 prints them. */
  readonly durations: Answers<string, string | number | boolean>;
  readonly thresholds: Answers<Kept>;
  /** Sum of the samples that the key means. */
  readonly metricKeys: Answers<number>;
  readonly segments: Answers<string>;
  readonly sequences: Answers<string>;
}

export async function record(): Promise<Recording> {
  return {
    durations: await answers(DURATIONS, async (text) => (await durationsOf([text]))?.[0] ?? null),
    thresholds: await answers(THRESHOLDS, keptOf),
    metricKeys: await answers(METRIC_KEYS, sumOf),
    segments: await answers(SEGMENTS, (text) => option('executionSegment', text)),
    sequences: await answers(SEQUENCES, (text) => option('executionSegmentSequence', text)),
  };
}

/** Durations as k6 prints them: stages may be any. Undefined when k6 refuses one of them. */
export async function durationsOf(values: readonly unknown[]): Promise<string[] | undefined> {
  const options = await inspected({ stages: values.map((duration) => ({ duration, target: 0 })) });
  return (options?.['stages'] as { duration: string }[] | undefined)?.map(({ duration }) => duration);
}

/** Whether the samples of each metric keep the expressions given for it. Undefined when k6 refuses one of them. */
export async function keptBy(
  expressions: Readonly<Partial<Record<Type, readonly string[]>>>,
): Promise<Readonly<Record<Type, Readonly<Record<string, boolean>>>> | undefined> {
  const types = Object.keys(METRICS) as Type[];
  const metrics = await judged(Object.fromEntries(types.map((type) => [METRICS[type], expressions[type] ?? []])));
  if (metrics === undefined) return undefined;
  const kept = types.map((type) => {
    const results = Object.entries(metrics[METRICS[type]]?.thresholds ?? {});
    return [type, Object.fromEntries(results.map(([text, { ok }]) => [text, ok]))] as const;
  });
  return Object.fromEntries(kept) as Record<Type, Record<string, boolean>>;
}

async function keptOf(text: string): Promise<Kept | null> {
  const kept: Partial<Record<Type, boolean>> = {};
  for (const type of Object.keys(METRICS) as Type[]) {
    const result = (await keptBy({ [type]: [text] }))?.[type][text];
    if (result !== undefined) kept[type] = result;
  }
  return Object.keys(kept).length === 0 ? null : kept;
}

/** Sum of the samples of `hits` that a key means; null when k6 refuses it. */
export async function sumOf(key: string): Promise<number | null> {
  const metrics = await judged({ [key]: ['count>=0'] });
  if (metrics === undefined) return null;
  // Its name has lost the blanks within the braces.
  const [, metric] = Object.entries(metrics).find(([, { thresholds }]) => thresholds !== undefined) ?? [];
  return metric?.values['count'] ?? null;
}

async function option(name: string, text: string): Promise<string | null> {
  const options = await inspected({ [name]: text });
  return options === undefined ? null : String(options[name] ?? '');
}

async function answers<A, Text>(
  cases: readonly Text[],
  ask: (text: Text) => Promise<A | null>,
): Promise<(readonly [Text, A | null])[]> {
  const found: (readonly [Text, A | null])[] = [];
  for (const text of cases) found.push([text, await ask(text)]);
  return found;
}
