/** What the first bytes of a file tell of its content: archives that are to be unpacked first, text in UTF-16, Mac line ends. */
import { UserError } from '../../base/user-error.ts';

/** How a file becomes one with `\n` at its line ends and ASCII in single bytes; `undefined` when it is one. */
export interface TextForm {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  /** Whether lines end in `\r` alone. */
  readonly bareReturns: boolean;
}

/** Bytes that tell. */
export const HEAD_BYTES = 65_536;

/** Files that hold something else than the lines of a log: name, first bytes (latin1), their place, how to get at the lines. */
const ARCHIVES: readonly (readonly [what: string, magic: string, at: number, unpack: (file: string) => string])[] = [
  ['a zip archive', 'PK\x03\x04', 0, (file) => `unzip -p ${file}`],
  ['a zip archive', 'PK\x05\x06', 0, (file) => `unzip -p ${file}`],
  ['compressed with xz', '\xfd7zXZ\0', 0, (file) => `xz -dc ${file}`],
  ['compressed with bzip2', '1AY&SY', 4, (file) => `bzip2 -dc ${file}`],
  ['a 7z archive', '7z\xbc\xaf\x27\x1c', 0, (file) => `7z x -so ${file}`],
  ['a rar archive', 'Rar!\x1a\x07', 0, (file) => `unrar p -inul ${file}`],
  ['compressed with lz4', '\x04\x22\x4d\x18', 0, (file) => `lz4 -dc ${file}`],
  ['compressed with compress', '\x1f\x9d', 0, (file) => `uncompress -c ${file}`],
  ['a tar archive', 'ustar', 257, (file) => `tar -xOf ${file}`],
  ['a journal of systemd', 'LPKSHHRH', 0, (file) => `journalctl --file ${file} -o json`],
  ['a Parquet file', 'PAR1', 0, (file) => `duckdb -csv -c "from '${file}'"`],
];

/**
 * @param head first bytes, decompressed
 * @throws UserError for an archive, with the way to unpack it
 */
export function refuseArchive(name: string, head: Uint8Array): void {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 512)).toString('latin1');
  const found = ARCHIVES.find(([, magic, at]) => text.startsWith(magic, at));
  if (found === undefined) return;
  const [what, , , unpack] = found;
  const file = name === '-' ? 'FILE' : name;
  throw new UserError(
    `${name === '-' ? 'standard input' : name} is ${what}; unpack it first, as with ${unpack(file)} | bookstore-load traffic -`,
  );
}

/** @param head first bytes, decompressed */
export function textForm(head: Uint8Array): TextForm | undefined {
  const encoding = encodingOf(head);
  const bareReturns = endsLinesBare(head, encoding === 'utf-8' ? 1 : 2);
  return encoding === 'utf-8' && !bareReturns ? undefined : { encoding, bareReturns };
}

/** Fewer bytes tell nothing. */
const LEAST_BYTES = 16;

/** UTF-16 by its mark, or by a NUL in every second byte; NULs that a crash has left come in runs. */
function encodingOf(head: Uint8Array): TextForm['encoding'] {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const n = Math.min(head.length, 512) & ~1;
  let even = 0;
  let odd = 0;
  for (let i = 0; i < n; i += 2) {
    if (head[i] === 0) even++;
    if (head[i + 1] === 0) odd++;
  }
  if (n < LEAST_BYTES) return 'utf-8';
  if (even === 0 && odd > 0.4 * n) return 'utf-16le';
  return odd === 0 && even > 0.4 * n ? 'utf-16be' : 'utf-8';
}

/** Whether there are returns within the text, and no line feed at all. */
function endsLinesBare(head: Uint8Array, width: number): boolean {
  let within = false;
  for (let i = 0, last = 0; i < head.length; i++) {
    const byte = head[i] as number;
    if (byte === 10) return false;
    if (width === 2 && byte === 0) continue;
    if (last === 13 && byte !== 13) within = true;
    last = byte;
  }
  return within;
}

/** Bytes of the text in UTF-8 with line feeds; to be called with one part after the other. */
export function textBytes(form: TextForm): (part: Buffer) => Buffer {
  const decoder = form.encoding === 'utf-8' ? undefined : new TextDecoder(form.encoding);
  return (part) => {
    const bytes =
      decoder === undefined ? Buffer.from(part) : Buffer.from(decoder.decode(part, { stream: true }), 'utf8');
    if (form.bareReturns) for (let i = bytes.indexOf(13); i >= 0; i = bytes.indexOf(13, i)) bytes[i] = 10;
    return bytes;
  };
}
