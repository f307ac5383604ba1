/**
 * An ISBN as people's files hold it -> thirteen digits, or the reason why not. Nothing is guessed: a number that a
 * spreadsheet has shortened is refused, because its digits are gone.
 */
import { isbn13CheckDigit } from '../../lib/model/isbn.ts';

export type IsbnReading = { readonly isbn: string } | { readonly reason: string };

/** Hyphens and spaces of every kind that word processors put between the groups of an ISBN. */
const SEPARATORS = /[\s\u00a0\u00ad\u2000-\u2015\u202f\u2060\u2212\ufeff-]/g;
/** How spreadsheets are told to keep a number as text: ="978…" or a leading apostrophe. */
const FORMULA = /^="(.*)"$|^'(.*)$/;

/**
 * Reads one cell. ISBN-13 with or without separators, ISBN-10 (converted, prefix 978), `ISBN` in front, `="…"`.
 * Any thirteen digits with a right check digit count, whatever their prefix (the reference catalogue is 979-0…).
 */
export function readIsbn(cell: string): IsbnReading {
  const formula = FORMULA.exec(cell.trim());
  const text = (formula?.[1] ?? formula?.[2] ?? cell).trim().replace(/^ISBN(?:-?1[03])?:?\s+/i, '');
  const digits = text.replace(SEPARATORS, '').toUpperCase();
  if (digits === '') return { reason: 'the ISBN is empty' };
  if (/^[0-9]+(?:[.,][0-9]+)?E\+?[0-9]+$/.test(digits)) {
    return {
      reason: `"${show(text)}" was shortened by a spreadsheet and its digits are lost; export the column as text`,
    };
  }
  const withoutFraction = digits.replace(/[.,]0+$/, '');
  if (/^[0-9]{13}$/.test(withoutFraction)) return readThirteen(withoutFraction);
  if (/^[0-9]{9}[0-9X]$/.test(digits)) return readTen(digits);
  if (/^[0-9]{8}[0-9X]$/.test(digits) && isbn10CheckDigit(`0${digits.slice(0, 8)}`) === digits[8]) {
    return { reason: `"${show(text)}" is an ISBN-10 that lost its leading zero; export the column as text` };
  }
  const letters = digits.replace(/[0-9]/g, '');
  return letters === ''
    ? { reason: `"${show(text)}" has ${digits.length} digits where an ISBN has 13 (or 10)` }
    : { reason: `"${show(text)}" is no ISBN; it takes 13 digits (or 10), hyphens and spaces are allowed` };
}

function readThirteen(digits: string): IsbnReading {
  const right = isbn13CheckDigit(digits.slice(0, 12));
  if (right === Number(digits[12])) return { isbn: digits };
  return { reason: `ISBN ${digits} ends in ${digits[12]} but its check digit would be ${right}` };
}

function readTen(digits: string): IsbnReading {
  const right = isbn10CheckDigit(digits.slice(0, 9));
  if (right !== digits[9])
    return { reason: `ISBN-10 ${digits} ends in ${digits[9]} but its check digit would be ${right}` };
  const twelve = `978${digits.slice(0, 9)}`;
  return { isbn: twelve + isbn13CheckDigit(twelve) };
}

/** Check digit of an ISBN-10: weights 10 down to 2, modulo 11, ten written X (ISO 2108:1992). */
export function isbn10CheckDigit(nine: string): string {
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += (nine.charCodeAt(i) - 48) * (10 - i);
  const digit = (11 - (sum % 11)) % 11;
  return digit === 10 ? 'X' : String(digit);
}

/** A cell as shown in a message: short and on one line, control characters made visible. */
function show(text: string): string {
  const line = JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
  return line.slice(1, -1);
}
