/** A file's bytes -> text, by byte order mark, else UTF-8, else Windows-1252; files that are no text are named. */
import { UserError } from '../base/user-error.ts';

export interface DecodedText {
  /** Without byte order mark, every line end made `\n`. */
  readonly text: string;
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
}

/** Larger files do not fit one string of the JavaScript engine; nobody's catalogue is that large. */
const LARGEST = 256 * 1024 * 1024;

/** @throws UserError for an empty file, an archive, a workbook, or other bytes that are no text. */
export function decodeText(bytes: Uint8Array, file: string): DecodedText {
  if (bytes.length > LARGEST) throw new UserError(`${file}: larger than 256 MB; keep only the columns that are needed`);
  const kind = binaryKind(bytes);
  if (kind !== undefined) throw new UserError(`${file}: ${kind}`);
  const encoding = encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes).replace(/\r\n?/g, '\n');
  if (text.includes('\0'))
    throw new UserError(`${file}: not a text file (it holds NUL bytes); save it as CSV in UTF-8`);
  if (text.trim() === '') throw new UserError(`${file}: empty; a header line and at least one row are needed`);
  return { text, encoding };
}

function encodingOf(bytes: Uint8Array): DecodedText['encoding'] {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

function binaryKind(bytes: Uint8Array): string | undefined {
  const starts = (...magic: number[]): boolean => magic.every((byte, i) => bytes[i] === byte);
  if (starts(0x50, 0x4b, 3, 4)) return 'a workbook or zip archive, not CSV; save the sheet as "CSV UTF-8"';
  if (starts(0xd0, 0xcf, 0x11, 0xe0)) return 'an old Excel workbook, not CSV; save the sheet as "CSV UTF-8"';
  if (starts(0x1f, 0x8b)) return 'compressed with gzip; unpack it first (gunzip)';
  if (starts(0x28, 0xb5, 0x2f, 0xfd)) return 'compressed with zstd; unpack it first (unzstd)';
  return undefined;
}
