/** The published JSON Schemas: of workload.json, and of what `traffic --json` prints. */
import { z } from 'zod';
import { ANSWER_CLASSES } from '../../../lib/model/names.ts';
import { workloadSchema } from '../../schemas/workload.ts';

const count = z.int().min(0);
const share = z.number().min(0).max(1);
const interval = z.tuple([z.number().nullable(), z.number().nullable()]);
const refused = z.object({ refused: z.string() });
const lines = z.strictObject({
  physical: count,
  blank: count,
  directive: count,
  other: count,
  records: count,
  withoutRequest: count,
  malformed: count,
});
const classes = z.partialRecord(z.enum(ANSWER_CLASSES), count);

const clients = z.strictObject({ count, relativeError: z.number(), shared: count });

export const trafficSchema = z.object({
  tool: z.literal('bookstore-load traffic'),
  schemaVersion: z.literal(1),
  partial: z.boolean(),
  lines,
  used: z.strictObject({ requests: count, from: z.string().optional(), to: z.string().optional() }),
  endpoints: z.array(z.looseObject({ name: z.string(), requests: count, share, interval, statusClasses: classes })),
  statusClasses: classes,
  clients,
  sessions: z.looseObject({
    count,
    requestsPerSession: z.number(),
    meanSeconds: z.number(),
    gapSeconds: z.number(),
    refused: z.string().optional(),
  }),
  flows: z.looseObject({
    kind: z.enum(['given', 'discovered']),
    flows: z.array(z.looseObject({ name: z.string(), share, interval })),
  }),
  thinkTimes: z.array(
    z.looseObject({ step: z.string(), from: z.string(), to: z.string(), n: count, refused: z.string().optional() }),
  ),
  popularity: z.union([
    refused,
    z.looseObject({
      endpoint: z.string(),
      views: count,
      distinct: count,
      catalogue: count,
      catalogueFrom: z.enum(['given', 'suite', 'estimated', 'at least']),
      catalogueInterval: z.tuple([count, count.nullable()]).optional(),
      chao1: count,
      powerLaw: z.boolean(),
    }),
  ]),
  arrivals: z.union([
    refused,
    z.looseObject({
      rate: z.number(),
      basis: z.enum(['sessions', 'requests']),
      interval,
      sessions: count,
      seconds: z.number(),
    }),
  ]),
  noise: z.array(z.strictObject({ class: z.string(), records: count, share, leftOut: z.boolean(), rule: z.string() })),
  cdn: z.strictObject({ share, known: count }),
  sizing: z.record(z.string(), z.number()),
  templates: z.array(z.string()),
  remarks: z.array(z.string()),
  files: z
    .array(
      z.looseObject({
        name: z.string(),
        compression: z.string(),
        formats: z.record(z.string(), count).describe('Records per format'),
        lines,
        requests: count.describe('Records that count: those not left out as noise'),
        endpoints: z.array(z.strictObject({ name: z.string(), requests: count })),
        statusClasses: classes,
        from: z.string().optional().describe('First time stamp'),
        to: z.string().optional().describe('Last time stamp'),
        clients: clients.optional().describe('With one file only'),
      }),
    )
    .describe(
      'What can be told file by file. Sessions go on from one file to the next (rotated logs, nodes behind a balancer), so clients, sessions, think times, popularity and arrivals are given over all files only.',
    ),
});

/** JSON Schema documents by file name. */
export function jsonSchemas(): Record<string, object> {
  return {
    'workload.schema.json': z.toJSONSchema(workloadSchema, { io: 'input' }),
    'traffic.schema.json': z.toJSONSchema(trafficSchema, { io: 'input' }),
  };
}
