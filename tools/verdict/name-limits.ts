/** How many names samples may have: each is a row of what is printed, and memory. */
import { EXIT } from '../base/exit-codes.ts';
import { UserError } from '../base/user-error.ts';
import type { Database } from './database.ts';
import { tagValueSql } from './samples/tag-columns.ts';

/** More names of one kind are no names but values: the first so many of them are facts, all others a number. */
export const MOST_NAMES = 1000;
/** Values of a tag by which populations may be split. */
const MOST_VALUES = 5000;

/**
 * Names of which no run has more than some: each would be a row of what is printed.
 * @throws UserError
 */
export async function refuseEndless(database: Database, by: readonly string[]): Promise<void> {
  for (const column of ['metric', 'scenario']) {
    const n = await distinct(database, column, 'true');
    if (n > MOST_NAMES) {
      const remedy = 'give values as tags, not in names';
      throw new UserError(`the samples have ${n} ${column}s, which no test has; ${remedy}`, EXIT.noVerdict);
    }
  }
  for (const tag of by) {
    const n = await distinct(database, tagValueSql(tag), "metric = 'http_req_duration'");
    if (n > MOST_VALUES)
      throw new UserError(`--by ${tag}: it has ${n} values; split by a tag of at most ${MOST_VALUES}`);
  }
}

/** How many values a column of `series` has. */
export async function distinct(database: Database, column: string, where: string): Promise<number> {
  const [found] = await database.query<{ n: number }>(
    `SELECT count(*) AS n FROM (SELECT DISTINCT ${column} FROM series WHERE ${where})`,
  );
  return found?.n ?? 0;
}
