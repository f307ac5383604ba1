/** What can be asked of `PUT /admin/faults`, as types and as the check of a request's body. */
import { z } from 'zod';
import { isIsbn13 } from '../../lib/model/isbn.ts';
import { ENDPOINT_KEYS, ENDPOINTS, type EndpointKey } from '../../scenarios/bookstore/endpoints.ts';

const ms = z.number().min(0).max(600_000);

const delayLaw = z.union([
  ms.transform((value) => ({ law: 'fixed' as const, ms: value })),
  z.discriminatedUnion('law', [
    z.strictObject({ law: z.literal('fixed'), ms }),
    z
      .strictObject({ law: z.literal('uniform'), minMs: ms, maxMs: ms })
      .refine(({ minMs, maxMs }) => minMs <= maxMs, 'a uniform delay needs minMs <= maxMs'),
    z.strictObject({
      law: z.literal('lognormal'),
      medianMs: ms,
      sigma: z.number().min(0).max(5),
      capMs: ms.optional(),
    }),
    z.strictObject({ law: z.literal('exponential'), meanMs: ms, capMs: ms.optional() }),
    /** Grows (or falls) in a straight line from the fault's start: a server that gets slower and slower. */
    z.strictObject({ law: z.literal('ramp'), fromMs: ms, toMs: ms, overSeconds: z.number().positive().max(86_400) }),
  ]),
]);

/** An endpoint by its key (`order`), its name (`POST /api/orders`), or `*` for all. */
const endpoint = z
  .string()
  .default('*')
  .transform((value, check): EndpointKey | '*' => {
    const key = ENDPOINT_KEYS.find((known) => known === value || ENDPOINTS[known].name === value);
    if (key !== undefined || value === '*') return key ?? '*';
    check.addIssue({
      code: 'custom',
      message: `"${value}" is no endpoint; use * or one of ${ENDPOINT_KEYS.join(', ')}`,
    });
    return z.NEVER;
  });

const afterSeconds = z.number().min(0).max(86_400).default(0);
const forSeconds = z.number().positive().max(86_400);
/** Which requests it strikes, and when; without `forSeconds` until it is taken back. */
const aim = {
  endpoint,
  share: z.number().min(0).max(1).default(1),
  afterSeconds,
  forSeconds: forSeconds.optional(),
};

const fault = z.discriminatedUnion('kind', [
  /** Answers later. */
  z.strictObject({ kind: z.literal('latency'), ...aim, delay: delayLaw }),
  /** Answers with an error, at once or after a delay. */
  z.strictObject({
    kind: z.literal('error'),
    ...aim,
    status: z.int().min(400).max(599).default(500),
    delay: delayLaw.optional(),
    retryAfterSeconds: z.int().min(0).max(86_400).optional(),
  }),
  /** Answers 429 beyond so many requests per second and client address. */
  z.strictObject({
    kind: z.literal('rateLimit'),
    endpoint,
    afterSeconds,
    forSeconds: forSeconds.optional(),
    perSecond: z.number().positive().max(1e6),
  }),
  /** Requests that arrive wait until the stall is over, then go on as if nothing had been. */
  z.strictObject({ kind: z.literal('stall'), ...aim, forSeconds }),
  /** Never answers. */
  z.strictObject({ kind: z.literal('hang'), ...aim }),
  /** Breaks the connection instead of answering. */
  z.strictObject({ kind: z.literal('reset'), ...aim }),
  /** Breaks all connections and refuses new ones, the admin routes' included; so it must say when it ends. */
  z.strictObject({ kind: z.literal('refuse'), afterSeconds, forSeconds: forSeconds.max(600) }),
  /** Another life of cached answers, then the former one again. */
  z.strictObject({
    kind: z.literal('cacheTtl'),
    afterSeconds,
    forSeconds: forSeconds.optional(),
    seconds: z.number().min(0).max(86_400),
  }),
  /** Empties the output cache once. */
  z.strictObject({ kind: z.literal('cachePurge'), afterSeconds }),
  /** Sets the stock of one book or of all once; 0 means sold out. */
  z.strictObject({
    kind: z.literal('stock'),
    afterSeconds,
    quantity: z.int().min(0).max(2_000_000_000),
    isbn: z.string().refine(isIsbn13, 'this is no ISBN-13: 13 digits, the last one a check digit').optional(),
  }),
]);

export type Fault = z.infer<typeof fault>;
export type DelayLaw = z.infer<typeof delayLaw>;

const body = z.strictObject({ faults: z.array(fault).max(100) });

/** The faults of a request body, or the reason why it is refused, with the place in it. */
export function readFaults(value: unknown): { faults: Fault[] } | { error: string } {
  const result = body.safeParse(value);
  if (result.success) return { faults: result.data.faults };
  const issue = result.error.issues[0];
  return { error: `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'not valid'}` };
}
