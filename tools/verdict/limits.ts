/** Limits of the verdict as data: `thresholds/validity.json`, or a user's own file in the same form. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { packageRoot } from '../base/package.ts';
import { UserError } from '../base/user-error.ts';
import { parseJson } from './summary.ts';
import { readText } from './text-file.ts';

export const VALIDITY_SCHEMA_VERSION = 1;

const schema = z.object({
  schemaVersion: z.literal(VALIDITY_SCHEMA_VERSION),
  purpose: z.string(),
  rules: z.record(
    z.string(),
    z.strictObject({ limits: z.record(z.string(), z.number()), reason: z.string(), source: z.string() }),
  ),
});

export type ValidityFile = z.infer<typeof schema>;

/** One limit of one rule. */
export type Limits = (rule: string, name: string) => number;

export const DEFAULT_VALIDITY: ValidityFile = schema.parse(
  JSON.parse(readFileSync(join(packageRoot(), 'thresholds/validity.json'), 'utf8')),
);

/** Limits of a file, the defaults below it: a user's file may name only what differs. */
export function limitsOf(file: ValidityFile = DEFAULT_VALIDITY): Limits {
  return (rule, name) => {
    const value = file.rules[rule]?.limits[name] ?? DEFAULT_VALIDITY.rules[rule]?.limits[name];
    if (value === undefined) throw new Error(`thresholds/validity.json has no limit ${rule}.${name}`);
    return value;
  };
}

/** Reads a user's limits. Throws `UserError` for unknown rules or limits, so that a typo does not go unnoticed. */
export function readLimits(path: string): Limits {
  let content: string;
  try {
    content = readText(path);
  } catch {
    throw new UserError(`--limits ${path}: no such file; copy thresholds/validity.json and change it`);
  }
  const parsed = schema.safeParse(parseJson(path, content));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new UserError(
      `${path}: ${issue?.path.join('.')}: ${issue?.message}; see thresholds/validity.json for the form`,
    );
  }
  for (const [rule, { limits }] of Object.entries(parsed.data.rules)) {
    const known = DEFAULT_VALIDITY.rules[rule];
    if (known === undefined)
      throw new UserError(`${path}: unknown rule "${rule}"; known: ${Object.keys(DEFAULT_VALIDITY.rules).join(', ')}`);
    const wrong = Object.keys(limits).find((name) => !(name in known.limits));
    if (wrong !== undefined) {
      throw new UserError(
        `${path}: rule "${rule}" has no limit "${wrong}"; known: ${Object.keys(known.limits).join(', ') || 'none'}`,
      );
    }
  }
  return limitsOf(parsed.data);
}
