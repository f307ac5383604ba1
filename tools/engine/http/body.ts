/** The body of a request and the Content-Type that comes with it. */
import { randomBytes } from 'node:crypto';

/** A value of a form: its text, or a file of `http.file`, its bytes one character each where they are no text. */
export type FormValue =
  | string
  | { readonly data: string; readonly binary: boolean; readonly filename: string; readonly type: string };

export type Form = readonly (readonly [name: string, value: FormValue])[];

export interface Body {
  readonly bytes: Buffer | undefined;
  /** Empty where the body says nothing of it. */
  readonly contentType: string;
}

export const bytesOf = (text: string, binary: boolean): Buffer => Buffer.from(text, binary ? 'latin1' : 'utf8');

/** @param form in place of `text` */
export function bodyOf(text: string | undefined, binary: boolean, form: Form | undefined): Body {
  if (form !== undefined)
    return form.some(([, value]) => typeof value !== 'string')
      ? multipart(form)
      : { bytes: Buffer.from(urlEncoded(form)), contentType: 'application/x-www-form-urlencoded' };
  return { bytes: text === undefined ? undefined : bytesOf(text, binary), contentType: '' };
}

/** Go's `url.Values.Encode`: sorted by name, values of one name in their order. */
export function urlEncoded(form: Form): string {
  const sorted = [...form].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted.map(([name, value]) => `${escaped(name)}=${escaped(String(value))}`).join('&');
}

const escaped = (text: string) =>
  encodeURIComponent(text)
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');

/** RFC 7578, with the escapes of Go's `mime/multipart`. */
function multipart(form: Form): Body {
  const boundary = randomBytes(30).toString('hex');
  const parts = form.map(([name, value]) => {
    if (typeof value === 'string') return [`Content-Disposition: form-data; name="${quoted(name)}"\r\n\r\n`, value];
    const { data, binary, filename, type } = value;
    const named = `form-data; name="${name}"; filename="${filename.replace(/[\\"]/g, '\\$&')}"`;
    return [`Content-Disposition: ${named}\r\nContent-Type: ${type}\r\n\r\n`, bytesOf(data, binary)];
  });
  const pieces = parts.flatMap(([head, data], i) => [
    `${i === 0 ? '' : '\r\n'}--${boundary}\r\n`,
    head ?? '',
    data ?? '',
  ]);
  const bytes = Buffer.concat([...pieces, `\r\n--${boundary}--\r\n`].map((piece) => Buffer.from(piece as string)));
  return { bytes, contentType: `multipart/form-data; boundary=${boundary}` };
}

const quoted = (text: string) => text.replace(/[\\"]/g, '\\$&').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
