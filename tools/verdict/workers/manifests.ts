/** What the manifests say of each worker, beside what its samples say. */
import { dirname, resolve } from 'node:path';
import { optional } from '../../base/optional.ts';
import type { WorkerFacts } from '../facts.ts';
import type { FolderFacts } from '../run-folder.ts';

/** Rows with what the manifest of the same folder says; one without a manifest stays as it is. */
export function withManifests(rows: readonly WorkerFacts[], folders: readonly FolderFacts[]): WorkerFacts[] {
  return rows.map((row) => {
    const known = folders.find((folder) => dirname(resolve(row.path)) === folder.folder);
    if (known === undefined) return row;
    const { exitCode, interrupted, cutOff } = known.run;
    return {
      ...row,
      manifest: true,
      ...optional('target', known.run.target),
      ...optional('load', known.load),
      ...(cutOff === true || interrupted === true || exitCode !== undefined
        ? { ending: { cutOff: cutOff === true, interrupted: interrupted === true, ...optional('exitCode', exitCode) } }
        : {}),
      ...optional('segment', known.segment),
      ...optional('sequence', known.sequence),
      ...optional('scriptSha', known.run.scriptSha),
      ...(known.run.seed === undefined ? {} : { seed: known.run.seed }),
    };
  });
}
