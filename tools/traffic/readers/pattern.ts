/**
 * Compiles the log format strings of nginx (`log_format`) and Apache (`LogFormat`), as they stand in the server's
 * configuration, into a list of literals and fields.
 */
import { UserError } from '../../base/user-error.ts';
import type { StandardField } from './raw-record.ts';

/** How a field's text is understood. */
export type FieldKind =
  | StandardField
  | 'time-clf'
  | 'time-iso'
  | 'time-epoch'
  | 'duration-s'
  | 'duration-ms'
  | 'duration-us'
  | 'query-mark'
  | 'skip';

export interface PatternPart {
  readonly field: FieldKind;
  /** Text between this field and the next; empty for fields that touch. */
  readonly after: string;
  /** Whether the field stands in quotes, in which the server escapes. */
  readonly quoted: boolean;
}

export interface Pattern {
  /** Text before the first field. */
  readonly head: string;
  readonly parts: readonly PatternPart[];
}

/** What a pattern stands for: text with fields, or JSON whose keys it names. */
export type CompiledPattern =
  | { readonly kind: 'text'; readonly pattern: Pattern }
  | { readonly kind: 'json'; readonly map: Partial<Record<StandardField, string>> };

/**
 * What a format string stands for; `undefined` for a text without a sign of one.
 * @throws UserError as `compilePattern`
 */
export function patternIn(text: string): CompiledPattern | undefined {
  return /[$%]/.test(text) ? compilePattern(text) : undefined;
}

/**
 * @param text the format string, or the whole `log_format name '...';` or `LogFormat "..." name` directive
 * @throws UserError when it has no field, or fields that cannot be told apart
 */
export function compilePattern(text: string): CompiledPattern {
  const format = unwrap(text.trim());
  const nginx = /\$[a-z_{]/.test(format);
  if (nginx && format.trimStart().startsWith('{')) return { kind: 'json', map: jsonMap(format) };
  const tokens = nginx ? nginxTokens(format) : apacheTokens(format);
  if (!tokens.some((token) => token.field !== undefined)) {
    throw new UserError(
      `--format "${text}": no $variable of nginx and no %directive of Apache in it; give the log_format or LogFormat string as the server has it`,
    );
  }
  return { kind: 'text', pattern: assemble(tokens, text) };
}

/** The format string out of a whole directive: quoted pieces are joined. */
function unwrap(text: string): string {
  const directive = /^(?:log_format\s+\S+\s+(?:escape=\w+\s+)?|LogFormat\s+|CustomLog\s+\S+\s+)([\s\S]*)$/i.exec(text);
  if (directive === null) return text;
  const body = (directive[1] as string).replace(/;\s*$/, '');
  const pieces = [...body.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
  const apache = /^(?:LogFormat|CustomLog)/i.test(text);
  const used = apache ? pieces.slice(0, 1) : pieces;
  return used.length > 0 ? used.join('') : body;
}

interface Token {
  readonly field?: FieldKind;
  readonly text?: string;
}

const NGINX: Readonly<Record<string, FieldKind>> = {
  remote_addr: 'client',
  realip_remote_addr: 'client',
  http_x_forwarded_for: 'client',
  proxy_add_x_forwarded_for: 'client',
  http_x_real_ip: 'client',
  remote_user: 'user',
  time_local: 'time-clf',
  time_iso8601: 'time-iso',
  msec: 'time-epoch',
  request: 'request',
  request_method: 'method',
  request_uri: 'target',
  uri: 'path',
  document_uri: 'path',
  args: 'query',
  query_string: 'query',
  is_args: 'skip',
  status: 'status',
  request_time: 'duration-s',
  http_user_agent: 'agent',
  http_x_session_id: 'session',
  session_id: 'session',
  host: 'host',
  server_name: 'host',
  http_host: 'host',
  upstream_cache_status: 'cache',
};

function nginxTokens(format: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (const match of format.matchAll(/\$(?:\{([a-z0-9_]+)\}|([a-z0-9_]+))/gi)) {
    tokens.push({ text: undoEscapes(format.slice(at, match.index)) });
    const name = (match[1] ?? match[2] ?? '').toLowerCase();
    tokens.push({ field: NGINX[name] ?? (name.startsWith('cookie_') ? 'session' : 'skip') });
    at = match.index + match[0].length;
  }
  tokens.push({ text: undoEscapes(format.slice(at)) });
  return tokens;
}

const APACHE: Readonly<Record<string, FieldKind>> = {
  h: 'client',
  a: 'client',
  u: 'user',
  t: 'time-clf',
  r: 'request',
  m: 'method',
  U: 'path',
  q: 'query-mark',
  s: 'status',
  D: 'duration-us',
  T: 'duration-s',
  v: 'host',
  V: 'host',
};
const APACHE_NAMED: Readonly<Record<string, FieldKind>> = {
  'user-agent,i': 'agent',
  'x-forwarded-for,i': 'client',
  'x-real-ip,i': 'client',
  'x-session-id,i': 'session',
  'host,i': 'host',
  'ms,t': 'duration-ms',
  'us,t': 'duration-us',
  's,t': 'duration-s',
  'c,a': 'client',
};

function apacheTokens(format: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  // %[!status,status][<>]{name}letter, %^FB, %%
  const directive = /%(?:[!0-9,]*)([<>]?)(?:\{([^}]*)\})?(\^?[a-zA-Z]{1,2}(?<=\^..)|[a-zA-Z]|%)/g;
  for (const match of format.matchAll(directive)) {
    tokens.push({ text: undoEscapes(format.slice(at, match.index)) });
    at = match.index + match[0].length;
    const name = match[2];
    const letter = match[3] as string;
    if (letter === '%') tokens.push({ text: '%' });
    else if (name === undefined) {
      // %t writes its brackets itself.
      if (letter === 't') tokens.push({ text: '[' }, { field: 'time-clf' }, { text: ']' });
      else tokens.push({ field: APACHE[letter] ?? 'skip' });
    } else tokens.push(...named(name, letter));
  }
  tokens.push({ text: undoEscapes(format.slice(at)) });
  return tokens;
}

function named(name: string, letter: string): Token[] {
  const key = `${name.toLowerCase()},${letter.toLowerCase()}`;
  const known = APACHE_NAMED[key];
  if (known !== undefined) return [{ field: known }];
  if (letter === 'C') return [{ field: 'session' }];
  if (letter === 't') {
    const format = name.replace(/^(begin|end):/, '');
    if (/^(sec|msec|usec)$/.test(format)) return [{ field: 'time-epoch' }];
    if (/^%d\/%b\/%Y[: ]%(T|H:%M:%S)/.test(format)) return [{ field: 'time-clf' }];
    if (/^%(F|Y-%m-%d)[T ]%(T|H:%M:%S)/.test(format)) return [{ field: 'time-iso' }];
    if (/^(msec|usec)_frac$/.test(format)) return [{ field: 'skip' }];
    throw new UserError(
      `--format: the time %{${name}}t is not understood; log %t, %{sec}t or %{%FT%T%z}t, or read the file without --format`,
    );
  }
  return [{ field: 'skip' }];
}

function undoEscapes(text: string): string {
  return text.replace(/\\t/g, '\t').replace(/\\(["'\\])/g, '$1');
}

function assemble(tokens: readonly Token[], source: string): Pattern {
  let head = '';
  const parts: { field: FieldKind; after: string; quoted: boolean }[] = [];
  for (const token of tokens) {
    const last = parts.at(-1);
    if (token.field === undefined) {
      if (last === undefined) head += token.text ?? '';
      else last.after += token.text ?? '';
    } else {
      const before = last === undefined ? head : last.after;
      parts.push({ field: token.field, after: '', quoted: before.endsWith('"') });
    }
  }
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as (typeof parts)[number];
    part.quoted &&= part.after.startsWith('"');
    const next = parts[i + 1];
    // `%U%q`, `$uri$is_args$args`: the question mark is the border.
    if (part.after === '' && next !== undefined && part.field !== 'path' && part.field !== 'skip') {
      throw new UserError(
        `--format "${source}": two fields touch with nothing between them, so that they cannot be told apart`,
      );
    }
  }
  return { head, parts };
}

/** Standard field -> JSON key out of a pattern such as `{"time":"$time_iso8601","st":$status}`. */
function jsonMap(format: string): Partial<Record<StandardField, string>> {
  const map: Partial<Record<StandardField, string>> = {};
  for (const match of format.matchAll(/"([^"\\]+)"\s*:\s*"?\$\{?([a-z0-9_]+)/gi)) {
    const kind = NGINX[(match[2] as string).toLowerCase()] ?? 'skip';
    const field = kind.replace(/-.*$/, '');
    if (field !== 'skip' && map[field as StandardField] === undefined) map[field as StandardField] = match[1] as string;
  }
  return map;
}
