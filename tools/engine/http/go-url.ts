/** URLs by RFC 3986 as Go's net/url applies it: what browsers would mend stays as it was written, or is an error. */

export interface GoUrl {
  /** In lower case; empty for a reference. */
  readonly scheme: string;
  readonly user: { readonly name: string; readonly password: string | undefined; readonly text: string } | undefined;
  /** With the port; undefined without an authority. */
  readonly authority: string | undefined;
  readonly host: string;
  /** Escaped. */
  readonly path: string;
  readonly opaque: string;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

export class GoUrlError extends Error {}

/** @throws GoUrlError in Go's words */
export function goUrl(text: string): GoUrl {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  if (/[\x00-\x1f\x7f]/.test(text)) throw new GoUrlError('net/url: invalid control character in URL');
  const hash = text.indexOf('#');
  const fragment = hash < 0 ? undefined : fragmentOf(text.slice(hash + 1));
  const [scheme, afterScheme] = schemeOf(hash < 0 ? text : text.slice(0, hash));
  const question = afterScheme.indexOf('?');
  const query = question < 0 ? undefined : afterScheme.slice(question + 1);
  const rest = question < 0 ? afterScheme : afterScheme.slice(0, question);
  const url = { scheme, user: undefined, authority: undefined, host: '', path: '', opaque: '', query, fragment };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...url, opaque: rest };
    if (/^[^/]*:/.test(rest)) throw new GoUrlError('first path segment in URL cannot contain colon');
  }
  if (!rest.startsWith('//') || (scheme === '' && rest.startsWith('///'))) return { ...url, path: pathOf(rest) };
  const slash = rest.indexOf('/', 2);
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
  const path = slash < 0 ? '' : rest.slice(slash);
  return { ...url, authority, ...authorityOf(authority), path: pathOf(path) };
}

function schemeOf(text: string): [scheme: string, rest: string] {
  if (text.startsWith(':')) throw new GoUrlError('missing protocol scheme');
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1];
  return scheme === undefined ? ['', text] : [scheme.toLowerCase(), text.slice(scheme.length + 1)];
}

function authorityOf(authority: string): Pick<GoUrl, 'user' | 'host'> {
  const at = authority.lastIndexOf('@');
  const host = hostOf(authority.slice(at + 1));
  if (at < 0) return { user: undefined, host };
  const text = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(text)) throw new GoUrlError('net/url: invalid userinfo');
  const colon = text.indexOf(':');
  const name = unescaped(colon < 0 ? text : text.slice(0, colon)).toString('utf8');
  const password = colon < 0 ? undefined : unescaped(text.slice(colon + 1)).toString('utf8');
  return { host, user: { name, password, text } };
}

function hostOf(host: string): string {
  const bracket = host.lastIndexOf(']');
  if (host.startsWith('[') && bracket < 0) throw new GoUrlError("missing ']' in host");
  const colon = host.startsWith('[') ? bracket + 1 : host.lastIndexOf(':');
  const port = colon < 0 ? '' : host.slice(colon);
  if (!/^(:\d*)?$/.test(port)) throw new GoUrlError(`invalid port ${JSON.stringify(port)} after host`);
  const wrongEscape = /%(?![89a-fA-F][0-9a-fA-F]).{0,2}/.exec(host);
  if (wrongEscape !== null && !host.startsWith('[')) {
    throw new GoUrlError(`invalid URL escape ${JSON.stringify(wrongEscape[0])}`);
  }
  const wrong = /[^A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\uffff]/.exec(host);
  if (wrong !== null) throw new GoUrlError(`invalid character ${JSON.stringify(wrong[0])} in host name`);
  return host;
}

/** As it was written where it could stand in a path like that, else escaped anew. */
function pathOf(path: string): string {
  const bytes = unescaped(path);
  return /^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]*$/.test(path) ? path : escaped(bytes, /[A-Za-z0-9\-_.~$&+,/:;=@]/);
}

function fragmentOf(text: string): string {
  const bytes = unescaped(text);
  return /^[A-Za-z0-9\-_.~$&+,/:;=?@!'()*%]*$/.test(text) ? text : escaped(bytes, /[A-Za-z0-9\-_.~$&+,/:;=?@!()*]/);
}

function unescaped(text: string): Buffer {
  const wrong = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(text);
  if (wrong !== null) throw new GoUrlError(`invalid URL escape ${JSON.stringify(wrong[0])}`);
  if (!text.includes('%')) return Buffer.from(text);
  const pieces = text.split(/((?:%[0-9a-fA-F]{2})+)/);
  return Buffer.concat(
    pieces.map((piece, i) =>
      Buffer.from(i % 2 === 0 ? piece : piece.replaceAll('%', ''), i % 2 === 0 ? 'utf8' : 'hex'),
    ),
  );
}

function escaped(bytes: Buffer, plain: RegExp): string {
  let text = '';
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    text += byte < 0x80 && plain.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return text;
}

export function goUrlText({ scheme, user, authority, host, path, opaque, query, fragment }: GoUrl): string {
  const begin = scheme === '' ? '' : `${scheme}:`;
  const shown = authority === undefined ? '' : `//${user === undefined ? '' : `${user.text}@`}${host}`;
  return `${begin}${opaque}${shown}${path}${query === undefined ? '' : `?${query}`}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** RFC 3986, 5.2: what a reference means where it stands. */
export function resolved(base: GoUrl, reference: GoUrl): GoUrl {
  const { scheme, authority, opaque, path, query, fragment } = reference;
  if (scheme !== '' || authority !== undefined) {
    return {
      ...reference,
      scheme: scheme === '' ? base.scheme : scheme,
      path: opaque === '' ? withoutDots(path) : path,
    };
  }
  const from = { ...base, fragment };
  if (path === '' && query === undefined) return fragment === undefined ? { ...base, fragment: base.fragment } : from;
  if (path === '') return { ...from, query };
  const whole = path.startsWith('/') ? path : `${base.path.slice(0, base.path.lastIndexOf('/') + 1)}${path}`;
  return { ...from, query, path: withoutDots(whole) };
}

function withoutDots(path: string): string {
  if (path === '') return '';
  const kept: string[] = [];
  const segments = path.split('/');
  segments.forEach((segment, i) => {
    const isLast = i === segments.length - 1;
    if (segment === '..') {
      if (kept.length > 1) kept.pop();
    } else if (segment !== '.') kept.push(segment);
    if (isLast && (segment === '.' || segment === '..')) kept.push('');
  });
  return `/${kept.join('/').replace(/^\//, '')}`;
}
