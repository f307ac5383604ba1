/** Tags by which populations are asked to be split: one that no sample carries is refused, with the nearest that is known. */
import { closeMatch } from '../../lib/model/nearest.ts';
import { UserError } from '../base/user-error.ts';
import type { Database } from './database.ts';
import type { Loaded } from './samples/load.ts';
import { tagValueSql } from './samples/tag-columns.ts';

/** Tags of k6 by which populations may be split. */
const SPLITTABLE_TAGS = ['scenario', 'group', 'method', 'status', 'name', 'error_code', 'expected_response', 'phase'];

/** Splitting by a tag that no sample carries would show nothing and say nothing. Throws `UserError`. */
export async function refuseUnknownTags(database: Database, loaded: Loaded, by: readonly string[]): Promise<void> {
  for (const tag of by) {
    const [found] = await database.query(
      `SELECT 1 AS one FROM series WHERE coalesce(${tagValueSql(tag)}, '') <> '' LIMIT 1`,
    );
    if (found !== undefined) continue;
    const columns = loaded.files.flatMap((file) => [...(file.columns ?? [])]);
    const known = [...new Set([...loaded.tagKeys, ...SPLITTABLE_TAGS, ...columns])].filter((one) => one !== tag);
    const near = closeMatch(tag, known);
    throw new UserError(
      `--by ${tag}: no sample carries this tag; ${near === undefined ? `the samples carry ${loaded.tagKeys.join(', ') || 'none of their own'}, and k6's own such as scenario or method` : `did you mean ${near}?`}`,
    );
  }
}
