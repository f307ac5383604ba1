/** What a rehearsal takes the system under test for, as plain data that a file can hold. */
import { z } from 'zod';
import type { Endpoint } from '../../../lib/model/endpoints.ts';
import { UserError } from '../../base/user-error.ts';
import type { LatencyLaw } from './latency.ts';

const law: z.ZodType<LatencyLaw> = z.discriminatedUnion('law', [
  z.strictObject({ law: z.literal('fixed'), ms: z.number().min(0) }),
  z.strictObject({ law: z.literal('exponential'), mean: z.number().positive() }),
  z.strictObject({
    law: z.literal('lognormal'),
    median: z.number().positive(),
    sigma: z.number().min(0),
    tail: z
      .strictObject({ share: z.number().min(0).max(1), from: z.number().positive(), exponent: z.number().gt(1) })
      .exactOptional(),
  }),
  z.strictObject({ law: z.literal('empirical'), quantiles: z.array(z.number().min(0)).min(2) }),
]);

const endpoint = z.strictObject({
  /** Time of work on a request that the cache does not answer, ms. */
  latency: law,
  /** Queue that the request waits in; none by default. */
  group: z.string().optional(),
  /** Share of answers with another status than the endpoint's own, such as { "500": 0.01 }; "0" is no answer at all. */
  statuses: z.record(z.string().regex(/^[0-9]{1,3}$/), z.number().min(0).max(1)).default({}),
});

export const SERVER_MODEL = z.strictObject({
  /** By endpoint name; `*` for every other one. */
  endpoints: z.record(z.string(), endpoint),
  /** Servers of each queue. */
  groups: z.record(z.string(), z.strictObject({ servers: z.number().int().positive() })).default({}),
  cache: z
    .strictObject({ ttlSeconds: z.number().min(0), hit: law })
    .default({ ttlSeconds: 60, hit: { law: 'fixed', ms: 0.5 } }),
  /** Copies of each item; read by a suite's own server that sells any. */
  stock: z.number().int().min(0).default(1_000_000),
  /** Requests per second above which the answer is 429; null for no limit. */
  rateLimit: z.number().positive().nullable().default(null),
  /** Times at which nothing moves, seconds after the start. */
  stalls: z.array(z.strictObject({ at: z.number().min(0), seconds: z.number().positive() })).default([]),
});

export type ServerModel = z.infer<typeof SERVER_MODEL>;

/** @throws UserError naming the file, the place in it and what is wrong there */
export function readServerModel(text: string, file: string): ServerModel {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UserError(`${file}: no JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  const parsed = SERVER_MODEL.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new UserError(`${file}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'no server model'}`);
}

/** Spread of a lognormal body whose p95 is about twice its median. */
const SIGMA = 0.42;

/**
 * A healthy system whose median is that of the workload's sizing.
 * @param healthyMs mean time of a request
 * @param suiteEndpoints those of the suite; of others it says the same
 */
export function defaultServerModel(
  healthyMs: number,
  suiteEndpoints: readonly Pick<Endpoint, 'name'>[] = [],
): ServerModel {
  const latency = { law: 'lognormal' as const, median: healthyMs / Math.exp(SIGMA ** 2 / 2), sigma: SIGMA };
  const endpoints = Object.fromEntries(suiteEndpoints.map(({ name }) => [name, { latency }]));
  return SERVER_MODEL.parse({ endpoints: { ...endpoints, '*': { latency } } });
}
