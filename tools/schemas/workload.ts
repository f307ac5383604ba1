/** The check of a workload file. */
import { z } from 'zod';
import { popularitySampler } from '../../lib/popularity.ts';
import { WORKLOAD_SCHEMA_VERSION, type Workload } from '../../lib/workload.ts';
import { parseJsonFile } from './check.ts';

const time = z.number().min(0).max(86_400);
const share = z.number().min(0).max(1);

const rising = (values: readonly number[]) => values.every((value, i) => i === 0 || value >= (values[i - 1] as number));

export const thinkTimeSchema = z.discriminatedUnion('law', [
  z.strictObject({ law: z.literal('fixed'), value: time }),
  z
    .strictObject({ law: z.literal('uniform'), min: time, max: time })
    .refine(({ min, max }) => min <= max, 'a uniform think time needs min <= max'),
  z.strictObject({
    law: z.literal('lognormal'),
    mu: z.number().min(-20).max(20),
    sigma: z.number().min(0).max(20),
    cap: time.optional(),
  }),
  z.strictObject({
    law: z.literal('exponential'),
    mean: time.refine((mean) => mean > 0, 'an exponential think time needs mean > 0'),
    cap: time,
  }),
  z.strictObject({
    law: z.literal('empirical'),
    quantiles: z.array(time).min(2).refine(rising, 'the quantiles must rise'),
  }),
]);

export const popularitySchema = z.discriminatedUnion('law', [
  z.strictObject({ law: z.literal('single'), index: z.int().min(0).optional() }),
  z.strictObject({ law: z.literal('uniform') }),
  z.strictObject({ law: z.literal('power'), g: z.number().gt(0).max(100) }),
  z.strictObject({ law: z.literal('zipf'), s: z.number().min(0).max(20) }),
  z.strictObject({ law: z.literal('empirical'), curve: z.array(z.tuple([z.int().min(1), share])).min(1) }),
]);

const flow = z.strictObject({
  share,
  thinkTimes: z.record(z.string().regex(/^[^>]+->[^>]+$/, 'a think time is keyed "from->to"'), thinkTimeSchema),
});

const flows = z
  .record(
    z.string().regex(/^[A-Za-z_]\w*$/, 'a flow is named like a function: letters, digits and _, no digit first'),
    flow,
  )
  .refine((all) => Object.keys(all).length > 0, 'at least one flow is needed')
  .refine(
    (all) => Math.abs(Object.values(all).reduce((sum, one) => sum + one.share, 0) - 1) < 1e-6,
    'the shares of all flows must add up to 1',
  );

export const workloadSchema = z.strictObject({
  schemaVersion: z.literal(WORKLOAD_SCHEMA_VERSION),
  provenance: z.strictObject({ source: z.string(), notes: z.array(z.string()).optional() }),
  arrivals: z.strictObject({ rate: z.number().gt(0).max(1e6), process: z.enum(['poisson', 'metronome']) }),
  flows,
  popularity: popularitySchema,
  latency: z.strictObject({ healthyMs: z.number().gt(0), degradedMs: z.number().gt(0) }),
  cdnShare: share,
});

const KEYS = [
  ...Object.keys(workloadSchema.shape),
  ...['source', 'notes', 'rate', 'process', 'share', 'thinkTimes', 'law', 'healthyMs', 'degradedMs'],
  ...['min', 'max', 'value', 'mu', 'sigma', 'cap', 'mean', 'quantiles', 'index', 'g', 's', 'curve'],
];

/**
 * Checked workload of a file.
 * @param file path, for messages
 * @param books size of the catalogue, which the popularity law must fit; unchecked when not given
 * @throws UserError with file, line and the nearest valid key
 */
export function parseWorkload(text: string, file: string, books?: number): Workload {
  const fits = workloadSchema.superRefine(({ popularity }, context) => {
    if (books === undefined) return;
    try {
      popularitySampler(popularity as Workload['popularity'], books);
    } catch (error) {
      context.addIssue({ code: 'custom', path: ['popularity'], message: (error as Error).message });
    }
  });
  return parseJsonFile(fits, text, file, KEYS) as Workload;
}
