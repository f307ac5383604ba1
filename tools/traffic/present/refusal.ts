/** Why logs cannot be trusted, in one sentence: what their lines were counted as, the first reason with its place, what to do. */
import { percent } from '../../../lib/model/figures.ts';
import type { FileModel } from '../model/file-model.ts';
import type { TrafficModel } from '../model/model.ts';
import { jqFor } from '../readers/json-shape.ts';

/**
 * Why nothing may be concluded from these logs; `undefined` when something may.
 * @param limit share of malformed lines that is borne
 * @param others first line of each file that is understood and no access record, 0 for none
 */
export function refusalOf(
  { lines, files, partial }: Pick<TrafficModel, 'lines' | 'files' | 'partial'>,
  limit: number,
  others: readonly number[],
): string | undefined {
  const malformed = files.find((file) => file.firstMalformed.length > 0);
  if (lines.records > 0) {
    const share = lines.malformed / lines.physical;
    if (share <= limit) return undefined;
    return `${percent(share)} of the lines cannot be read (limit ${percent(limit)})${firstReason(malformed)}; ${remedy(malformed)} or raise --max-malformed`;
  }
  if (partial) return 'stopped before any request was read; let it read on';
  if (lines.physical === 0) return noLines(files);
  const at = files.findIndex((_, i) => (others[i] ?? 0) > 0);
  const first =
    malformed === undefined && at >= 0
      ? `, first ${files[at]?.name}:${others[at]}: a message, or fields that name no request`
      : firstReason(malformed);
  return `no request was found in ${namesOf(files)}: ${countsOf(lines)}${first}; ${remedy(malformed)}`;
}

function noLines(files: readonly FileModel[]): string {
  const broken = files.find((file) => damageOf(file) !== undefined);
  if (broken !== undefined) {
    return `no request was found: ${nameOf(broken.name)} has no lines, as ${damageOf(broken)}; get the file anew`;
  }
  return `no request was found: ${namesOf(files)} ${files.length === 1 ? 'is' : 'are'} empty; name a log that has lines`;
}

function namesOf(files: readonly FileModel[]): string {
  const names = files.slice(0, 3).map(({ name }) => nameOf(name));
  if (files.length > 3) names.push(`${files.length - 3} more`);
  const last = names.pop();
  return names.length === 0 ? (last as string) : `${names.join(', ')} and ${last}`;
}

function nameOf(name: string): string {
  return name === '-' ? 'standard input' : name;
}

const KINDS = [
  ['other', 'no access records'],
  ['withoutRequest', 'answers without a request'],
  ['malformed', 'malformed'],
  ['directive', 'header lines'],
  ['blank', 'blank'],
] as const;

function countsOf(lines: TrafficModel['lines']): string {
  const parts = KINDS.filter(([kind]) => lines[kind] > 0).map(([kind, words]) => `${lines[kind]} ${words}`);
  return `of ${lines.physical} line${lines.physical === 1 ? '' : 's'} ${parts.join(', ')}`;
}

function firstReason(file: FileModel | undefined): string {
  const place = file?.firstMalformed[0];
  if (file === undefined || place === undefined) return '';
  const damage = damageOf(file);
  return `, first ${file.name}:${place.line}: ${place.reason}${damage === undefined ? '' : `, as ${damage}`}`;
}

function damageOf({ remarks }: FileModel): string | undefined {
  return remarks.find((remark) => / stream is (?:damaged|cut off)/.test(remark));
}

/** What helps with a file: jq where it is JSON of another shape, else what names its format or fields. */
function remedy(file: FileModel | undefined): string {
  if (file !== undefined && damageOf(file) !== undefined) return 'get the file anew';
  const jq = jqFor(Object.keys(file?.reasons ?? {}));
  if (file !== undefined && jq !== undefined) return `make one record a line, as with ${jqCommand(file, jq)}`;
  if (file !== undefined) return 'name the format with --format';
  return 'check that this is the access log, or name its format with --format, or its fields with --map';
}

const UNPACK: Readonly<Record<string, string>> = { gzip: 'zcat', zstd: 'zstdcat', brotli: 'brotli -dc' };

function jqCommand(file: FileModel, jq: string): string {
  const name = /[^\w@%+=:,./-]/.test(file.name) ? `'${file.name.replaceAll("'", "'\\''")}'` : file.name;
  if (file.name === '-') return `jq ${jq}`;
  const unpack = UNPACK[file.compression];
  return unpack === undefined ? `jq ${jq} ${name}` : `${unpack} ${name} | jq ${jq}`;
}
