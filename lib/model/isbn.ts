/** ISBN-13, the number that names a book. */

/**
 * ISBN-13 check digit of twelve digits: weights 1 and 3 in turn, the sum topped up to a multiple of ten (ISO 2108).
 * @throws RangeError when `twelve` is not twelve digits.
 */
export function isbn13CheckDigit(twelve: string): number {
  if (!/^[0-9]{12}$/.test(twelve)) throw new RangeError(`"${twelve}" is not twelve digits`);
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (twelve.charCodeAt(i) - 48) * (i % 2 === 0 ? 1 : 3);
  return (10 - (sum % 10)) % 10;
}

/** Whether `isbn` is thirteen digits with the right check digit. */
export function isIsbn13(isbn: string): boolean {
  return /^[0-9]{13}$/.test(isbn) && isbn13CheckDigit(isbn.slice(0, 12)) === isbn.charCodeAt(12) - 48;
}
