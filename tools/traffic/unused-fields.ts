/** Fields that the user names and no line has: a misspelt name would else change nothing, or leave no client at all. */
import { UserError } from '../base/user-error.ts';
import type { LogFacts } from './analyse-log.ts';
import type { Source } from './input/sources.ts';
import { wantsForwarded } from './readers/forwarded.ts';
import type { ReaderOptions } from './readers/raw-record.ts';

/** Formats whose lines have no names. */
const NAMELESS = ['ncsa', 'alb', 'console', 'pattern'];
const MOST_NAMES = 40;

/** @throws UserError when no line that counts has the field or cookie that an option names */
export async function refuseUnusedFields({ pass, sources }: LogFacts, reader: ReaderOptions): Promise<void> {
  const { total } = pass;
  const counted = total.endpoints.reduce((sum, n) => sum + n, 0);
  if (counted === 0 || pass.partial) return;
  const formats = Object.keys(total.formats);
  const nameless = formats.every((format) => NAMELESS.includes(format));
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
  if (session !== undefined && total.identified === 0) throw await withNames(session, nameless, sources);
  const client = clientField ?? map?.client;
  if (client === undefined) return;
  const absent = nameless || total.nobody + total.clientless >= counted;
  // The general name is the field of no format; a header's own name may also be the field that was taken.
  const passedOn = wantsForwarded(reader);
  if (passedOn ? total.forwarded === 0 && (absent || client.toLowerCase() === 'forwarded') : absent) {
    const option = clientField === undefined ? `--map client=${client}` : `--client-field ${client}`;
    throw await withNames(none(option, 'field'), nameless, sources);
  }
}

async function withNames(error: UserError, nameless: boolean, sources: readonly Source[]): Promise<UserError> {
  if (nameless) return error;
  const names = await fieldNamesIn(sources);
  const list = names.slice(0, MOST_NAMES).join(', ');
  return new UserError(
    `${error.message}${list === '' ? 'check its spelling' : `the fields are ${list}${names.length > MOST_NAMES ? ', ...' : ''}`}`,
  );
}

/** Names of fields in the first lines of the first file that can be read again. */
async function fieldNamesIn(sources: readonly Source[]): Promise<string[]> {
  const source = sources.find(({ once }) => !once);
  if (source === undefined) return [];
  for await (const chunk of source.chunks(() => {}, 0, source.plain ? 1 << 18 : undefined)) {
    const lines = chunk.buf.toString('utf8', chunk.start, chunk.end).split(/\r?\n/, 50);
    const names = lines.map(namesOf).sort((a, b) => b.length - a.length)[0] ?? [];
    return [...new Set(names)];
  }
  return [];
}

function namesOf(line: string): string[] {
  if (/^#fields:/i.test(line))
    return line
      .slice(8)
      .split(/[\s,]+/)
      .filter((name) => name !== '');
  const open = line.indexOf('{');
  if (open >= 0) {
    try {
      return keysOf(JSON.parse(line.slice(open)) as Record<string, unknown>, '');
    } catch {
      return [];
    }
  }
  const pairs = [...line.matchAll(/(?:^|\s)([\w.@-]+)=/g)].map((match) => match[1] as string);
  if (pairs.length > 2) return pairs;
  // A header; other lines hold values.
  return /status|code/i.test(line) && !/\d/.test(line) ? line.split(/[\t,;|]/).map((name) => name.trim()) : [];
}

function keysOf(object: Record<string, unknown>, prefix: string): string[] {
  return Object.entries(object).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && prefix.split('.').length < 5
      ? keysOf(value as Record<string, unknown>, `${prefix}${key}.`)
      : [`${prefix}${key}`],
  );
}
