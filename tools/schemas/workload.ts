/** The check of a workload file. */
import { z } from 'zod';
import { popularitySampler } from '../../lib/model/popularity.ts';
import { type ThinkTimeLaw, WORKLOAD_SCHEMA_VERSION, type Workload } from '../../lib/model/workload.ts';
import { longestThink } from '../../lib/plan/session-times.ts';
import { POWER_RANGE, ZIPF_RANGE } from '../../lib/plan/variable.ts';
import { parseJsonFile } from './check.ts';

/** Longest think time, s: beyond a day it is no think time, and k6 reads no duration of more than 292 years. */
const LONGEST = 86_400;
const time = z.number().min(0).max(LONGEST);
const share = z.number().min(0).max(1);
/** No request may take longer than the longest TIMEOUT, ms. */
const latency = z.number().gt(0).max(600_000);

const rising = (values: readonly number[]) => values.every((value, i) => i === 0 || value >= (values[i - 1] as number));
const fromZeroToOne = (values: readonly number[]) =>
  values[0] === 0 && values.at(-1) === 1 && values.every((value, i) => i === 0 || value > (values[i - 1] as number));

export const thinkTimeSchema = z.discriminatedUnion('law', [
  z.strictObject({ law: z.literal('fixed'), value: time }),
  z
    .strictObject({ law: z.literal('uniform'), min: time, max: time })
    .refine(({ min, max }) => min <= max, 'a uniform think time needs min <= max'),
  z
    .strictObject({
      law: z.literal('lognormal'),
      mu: z.number().min(-20).max(20),
      sigma: z.number().min(0).max(20),
      cap: time.optional(),
    })
    .refine(
      (law) => longestThink(law as Extract<ThinkTimeLaw, { law: 'lognormal' }>) <= LONGEST,
      `one lognormal think time in 30,000 is longer than a day (${LONGEST} s): give it a cap, or a smaller mu or sigma`,
    ),
  z.strictObject({
    law: z.literal('exponential'),
    mean: time.refine((mean) => mean > 0, 'an exponential think time needs mean > 0'),
    cap: time,
  }),
  z
    .strictObject({
      law: z.literal('empirical'),
      quantiles: z.array(time).min(2).refine(rising, 'the quantiles must not fall'),
      probabilities: z.array(share).min(2).refine(fromZeroToOne, 'the probabilities must rise from 0 to 1').optional(),
    })
    .refine(
      ({ quantiles, probabilities }) => probabilities === undefined || probabilities.length === quantiles.length,
      'there must be as many probabilities as quantiles',
    ),
]);

/** Why these points are no distribution function, if they are none. */
function curveFault(curve: readonly (readonly [number, number])[]): string | undefined {
  for (const [i, [rank, share]] of curve.entries()) {
    const [rankBefore, shareBefore] = curve[i - 1] ?? [0, 0];
    if (rank <= rankBefore) return `the curve's ranks must rise, and ${rank} follows ${rankBefore}`;
    if (share < shareBefore) return `the curve's shares must not fall, and ${share} follows ${shareBefore}`;
  }
  const last = curve.at(-1)?.[1] ?? 1;
  // Shares that a program wrote may be 1 only to rounding.
  return Math.abs(last - 1) < 1e-6
    ? undefined
    : `the curve's last share must be 1, not ${last}: all views are a share of 1`;
}

export const popularitySchema = z.discriminatedUnion('law', [
  z.strictObject({ law: z.literal('single'), index: z.int().min(0).optional() }),
  z.strictObject({ law: z.literal('uniform') }),
  z.strictObject({ law: z.literal('power'), g: z.number().min(POWER_RANGE[0]).max(POWER_RANGE[1]) }),
  z.strictObject({ law: z.literal('zipf'), s: z.number().min(ZIPF_RANGE[0]).max(ZIPF_RANGE[1]) }),
  z.strictObject({
    law: z.literal('empirical'),
    curve: z
      .array(z.tuple([z.int().min(1), share]))
      .min(1)
      .superRefine((curve, context) => {
        const fault = curveFault(curve);
        if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
      }),
  }),
]);

const chances = z.record(z.string(), share);
const chain = z.strictObject({
  starts: chances.refine((all) => Math.abs(sum(all) - 1) < 1e-4, 'the chances of all first steps must add up to 1'),
  next: z.record(
    z.string(),
    chances.refine((all) => sum(all) < 1 + 1e-4, 'the chances of all next steps must not add up to more than 1'),
  ),
});

const sessions = z
  .strictObject({
    forms: z.array(z.strictObject({ share, steps: z.array(z.string()).min(1) })),
    chain: chain.optional(),
  })
  .refine(({ forms, chain }) => {
    const left = 1 - forms.reduce((total, form) => total + form.share, 0);
    return left > -1e-4 && (left < 1e-4 || chain !== undefined);
  }, "the shares of a flow's forms must add up to 1, or to less when a chain says how the other sessions go");

function sum(all: Readonly<Record<string, number>>): number {
  return Object.values(all).reduce((total, one) => total + one, 0);
}

const flow = z.strictObject({
  share,
  sessions: sessions.optional(),
  thinkTimes: z.record(z.string().regex(/^[^>]+->[^>]+$/, 'a think time is keyed "from->to"'), thinkTimeSchema),
});

const stage = z.strictObject({
  duration: z.string().regex(/^\d+(\.\d+)?s$/, 'a stage lasts some seconds, as in 900s'),
  target: z.number().min(0).max(1e6),
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

/** Steps of flows that `endpoints` does not name. */
function unknownStep({ endpoints = {}, flows: all }: Pick<Workload, 'endpoints' | 'flows'>): string | undefined {
  const steps = Object.values(all).flatMap(({ sessions: one }) => [
    ...(one?.forms.flatMap((form) => form.steps) ?? []),
    ...Object.keys(one?.chain?.starts ?? {}),
    ...Object.values(one?.chain?.next ?? {}).flatMap((next) => Object.keys(next)),
  ]);
  return steps.find((step) => !Object.hasOwn(endpoints, step));
}

const workloadParts = z.strictObject({
  schemaVersion: z.literal(WORKLOAD_SCHEMA_VERSION),
  provenance: z.strictObject({ source: z.string(), notes: z.array(z.string()).optional() }),
  arrivals: z.strictObject({
    rate: z.number().gt(0).max(1e6),
    process: z.enum(['poisson', 'metronome']),
    stages: z.array(stage).optional(),
  }),
  endpoints: z.record(z.string(), z.string()).optional(),
  flows,
  popularity: popularitySchema,
  latency: z
    .strictObject({ healthyMs: latency, degradedMs: latency })
    .refine(
      ({ healthyMs, degradedMs }) => healthyMs <= degradedMs,
      'a degraded system is not faster than a healthy one: give healthyMs <= degradedMs',
    ),
  cdnShare: share,
});

export const workloadSchema = workloadParts.superRefine((workload, context) => {
  const step = unknownStep(workload as Workload);
  if (step !== undefined) {
    context.addIssue({ code: 'custom', path: ['endpoints'], message: `the step "${step}" of a flow has no endpoint` });
  }
});

const KEYS = [
  ...Object.keys(workloadParts.shape),
  ...['source', 'notes', 'rate', 'process', 'share', 'thinkTimes', 'law', 'healthyMs', 'degradedMs'],
  ...['sessions', 'forms', 'steps', 'chain', 'starts', 'next', 'stages', 'duration', 'target'],
  ...['min', 'max', 'value', 'mu', 'sigma', 'cap', 'mean', 'quantiles', 'probabilities', 'index', 'g', 's', 'curve'],
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
