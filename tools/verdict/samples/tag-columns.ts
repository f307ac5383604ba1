/** Where `series` keeps each tag: k6's own in columns of their own, all others in `tag_...` columns made on request. */
import { identifier } from '../database.ts';

/** Tags that are looked for in every file; others on request. */
export const COMMON_TAGS = ['phase', 'flow', 'worker'] as const;

/** Within `setup()` k6 puts every group of the script's below its own; only what runs there has no scenario. */
const within = (stage: 'setup' | 'teardown') =>
  `(scenario = '' AND (grp = '::${stage}' OR starts_with(grp, '::${stage}::')))`;

/** SQL for the phase of a sample: setup() and teardown() by k6's own group, else the tag. */
export const PHASE_SQL = `CASE WHEN ${within('setup')} THEN 'setup' WHEN ${within('teardown')} THEN 'teardown' ELSE tag_phase END`;

/** SQL condition: sent by an iteration, not by setup() or teardown(). */
export const LOAD_SQL = `NOT ${within('setup')} AND NOT ${within('teardown')}`;

/** System tags that every source stages. `error_code` 0 stands for none; `url` and the rest are made on request. */
const STAGED_TAGS: ReadonlyMap<string, string> = new Map([
  ['name', 'name'],
  ['method', 'method'],
  ['status', 'CAST(status AS VARCHAR)'],
  ['error_code', 'CAST(nullif(error_code, 0) AS VARCHAR)'],
  ['scenario', 'scenario'],
  ['group', 'grp'],
  ['check', 'check_name'],
  ['expected_response', 'CAST(expected AS VARCHAR)'],
  ['phase', PHASE_SQL],
]);

/** Tags whose columns are read only when somebody asks, since every column costs a pass over the file. */
export const RARE_TAGS: readonly string[] = ['method', 'check'];

/** Whether a tag must be asked for when the samples are loaded. */
export function isOnRequest(tag: string): boolean {
  return !STAGED_TAGS.has(tag) && !COMMON_TAGS.some((common) => common === tag);
}

/** Name of the column of a tag. SQL names know no case, tags do. */
export function tagColumn(tag: string): string {
  return `tag_${tag.replace(/[^a-z0-9_]/g, (char) => `$${char.charCodeAt(0).toString(16)}`)}`;
}

/** SQL for the value of a tag over `series`; NULL or '' where it is absent. The tag must be staged, common or asked for. */
export function tagValueSql(tag: string): string {
  return STAGED_TAGS.get(tag) ?? identifier(tagColumn(tag));
}
