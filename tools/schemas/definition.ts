/** The check of what a suite says of its API: a key that nothing reads would be left out of every request without a word. */
import { z } from 'zod';
import type { SuiteDefinition } from '../../lib/plan/suite-definition.ts';
import { checkDocument } from './check.ts';
import { popularitySchema } from './workload.ts';

const headers = z.record(z.string(), z.string());

const endpointParts = z.strictObject({
  request: z.string(),
  expect: z.array(z.int(), 'expect is a list of statuses such as [200, 304]').optional(),
  contains: z.string().optional(),
  body: z.enum(['text', 'binary', 'none']).optional(),
  headers: headers.optional(),
  timeout: z.number('timeout is a number of seconds').gt(0).max(600).optional(),
  redirects: z.int().min(0).optional(),
  cacheable: z.boolean().optional(),
  example: z.unknown().optional(),
});

const poolParts = z.strictObject({
  file: z.string(),
  columns: z.record(z.string(), z.enum(['text', 'number', 'integer', 'isbn13'])),
  distinct: z.boolean().optional(),
  law: z.union([z.enum(['workload', 'once', 'sequential']), popularitySchema], {
    error: 'law is "workload", "once", "sequential" or an object such as { law: \'uniform\' }',
  }),
  whenUsedUp: z.enum(['stop', 'wrap']).optional(),
});

const common = { help: z.string(), defaultText: z.string().optional() };
const range = { ...common, min: z.number(), max: z.number(), default: z.number().optional() };
const textParts = z.strictObject({
  kind: z.literal('text'),
  ...common,
  default: z.string().optional(),
  neverEmpty: z.literal(true).optional(),
  secret: z.boolean().optional(),
});
const variable = z.discriminatedUnion('kind', [
  textParts.refine((one) => one.secret === true || one.default !== undefined, {
    error: 'only a secret can do without a default: give it one',
  }),
  z.strictObject({ kind: z.literal('choice'), ...common, of: z.array(z.string()).min(1), default: z.string() }),
  z.strictObject({ kind: z.literal('popularity'), ...common, default: z.unknown().optional() }),
  z.strictObject({ kind: z.literal('number'), ...range }),
  z.strictObject({ kind: z.literal('integer'), ...range }),
  z.strictObject({ kind: z.literal('duration'), ...range }),
]);

const counterParts = z.strictObject({ means: z.enum(['exhausted', 'note']), says: z.string() });

const code = z.custom<(...args: never[]) => unknown>((value) => typeof value === 'function', 'it must be a function');

const definitionParts = z.strictObject({
  endpoints: z.record(
    z.string(),
    z.union([z.string(), endpointParts], {
      error: 'an endpoint is a request line such as "GET /v1/issues/{id}", or an object with `request`',
    }),
  ),
  pools: z.record(z.string(), poolParts).optional(),
  variables: z.record(z.string(), variable).optional(),
  counters: z.record(z.string(), counterParts).optional(),
  headers: headers.optional(),
  cookies: z.literal('off').optional(),
  preflight: code.optional(),
  setup: code.optional(),
});

const KEYS = [
  ...[definitionParts, endpointParts, poolParts, textParts, counterParts].flatMap(({ shape }) => Object.keys(shape)),
  ...['min', 'max', 'of'],
];

/**
 * @param text of the file, for the line of what is wrong
 * @throws UserError with file, line and the nearest valid key
 */
export function checkDefinition(definition: SuiteDefinition, text: string, file: string): void {
  checkDocument(definitionParts, definition, { text, file }, KEYS);
}
