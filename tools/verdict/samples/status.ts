/** Latency without its status is a blend, and a blend is not reported. */
import { EXIT } from '../../base/exit-codes.ts';
import { UserError } from '../../base/user-error.ts';
import type { Database } from '../database.ts';
import type { Loaded } from './load.ts';

/** Whether there is an HTTP request among the samples. */
export async function hasRequests(database: Database): Promise<boolean> {
  const rows = await database.query("SELECT 1 AS one FROM series WHERE metric = 'http_req_duration' LIMIT 1");
  return rows.length > 0;
}

/** Throws `UserError` (exit 3) for files of requests without a status column. */
export function refuseWithoutStatus(loaded: Loaded, requests: boolean): void {
  const without = loaded.files.find((file) => file.columns !== undefined && !file.columns.has('status'));
  if (without !== undefined && requests) {
    throw new UserError(
      `${without.path}: the status column is missing, so answers and errors cannot be told apart; run again with systemTags including "status"`,
      EXIT.noVerdict,
    );
  }
}
