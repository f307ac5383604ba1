/** Fields that the user names and no line has: a misspelt name would else change nothing, or leave no client at all. */
import { UserError } from '../base/user-error.ts';
import type { Source } from './input/sources.ts';
import type { LogFacts } from './pass/analyse-log.ts';
import { LOG_FORMATS } from './readers/formats/registry.ts';
import { wantsForwarded } from './readers/forwarded.ts';
import { formatNamed, type LogFormat } from './readers/log-format.ts';
import type { ReaderOptions } from './readers/raw-record.ts';

const MOST_NAMES = 40;

/** @throws UserError when no line that counts has the field or cookie that an option names */
export async function refuseUnusedFields(
  { pass, sources }: LogFacts,
  reader: ReaderOptions,
  known: readonly LogFormat[] = LOG_FORMATS,
): Promise<void> {
  const { total } = pass;
  const counted = total.endpoints.reduce((sum, n) => sum + n, 0);
  if (counted === 0 || pass.partial) return;
  const formats = Object.keys(total.formats);
  const nameless = formats.every((name) => formatNamed(known, name)?.fieldNames === undefined);
  const none = (option: string, what: string): UserError =>
    new UserError(
      nameless
        ? `${option}: lines of the format ${formats.join(', ')} have no ${what} of that name; leave the option away, or give the whole line with --format`
        : `${option}: no line has such a ${what}; `,
    );
  const { sessionField, sessionCookie, clientField, map } = reader;
  const session =
    sessionField !== undefined
      ? none(`--session-field ${sessionField}`, 'field')
      : map?.session !== undefined
        ? none(`--map session=${map.session}`, 'field')
        : sessionCookie !== undefined
          ? none(`--session-cookie ${sessionCookie}`, 'cookie')
          : undefined;
  if (session !== undefined && total.identified === 0) throw await withNames(session, nameless ? [] : known, sources);
  const client = clientField ?? map?.client;
  if (client === undefined) return;
  const absent = nameless || total.nobody + total.clientless >= counted;
  // The general name is the field of no format; a header's own name may also be the field that was taken.
  const passedOn = wantsForwarded(reader);
  if (passedOn ? total.forwarded === 0 && (absent || client.toLowerCase() === 'forwarded') : absent) {
    const option = clientField === undefined ? `--map client=${client}` : `--client-field ${client}`;
    throw await withNames(none(option, 'field'), nameless ? [] : known, sources);
  }
}

/** @param formats whose fields have names; none when the log's have not */
async function withNames(
  error: UserError,
  formats: readonly LogFormat[],
  sources: readonly Source[],
): Promise<UserError> {
  if (formats.length === 0) return error;
  const names = await fieldNamesIn(sources, formats);
  const list = names.slice(0, MOST_NAMES).join(', ');
  return new UserError(
    `${error.message}${list === '' ? 'check its spelling' : `the fields are ${list}${names.length > MOST_NAMES ? ', ...' : ''}`}`,
  );
}

/** Names of fields in the first lines of the first file that can be read again. */
async function fieldNamesIn(sources: readonly Source[], formats: readonly LogFormat[]): Promise<string[]> {
  const source = sources.find(({ once }) => !once);
  if (source === undefined) return [];
  for await (const chunk of source.chunks(() => {}, 0, source.plain ? 1 << 18 : undefined)) {
    const lines = chunk.buf.toString('utf8', chunk.start, chunk.end).split(/\r?\n/, 50);
    const names = lines.map((line) => namesOf(line, formats)).sort((a, b) => b.length - a.length)[0] ?? [];
    return [...new Set(names)];
  }
  return [];
}

function namesOf(line: string, formats: readonly LogFormat[]): readonly string[] {
  for (const { fieldNames } of formats) {
    const names = fieldNames?.(line);
    if (names !== undefined) return names;
  }
  return [];
}
