import { describe, expect, it } from 'vitest';
import { isbnOf } from '../../../bookstore/catalogue/books.ts';
import { isbn13CheckDigit, isIsbn13 } from '../../../lib/model/isbn.ts';

describe('ISBN-13', () => {
  it('gives the check digits of published ISBNs', () => {
    // The manual's own examples (ISBN Users' Manual): 978-0-11-000222-4; and 978-3-16-148410-0.
    expect(isbn13CheckDigit('978011000222')).toBe(4);
    expect(isbn13CheckDigit('978316148410')).toBe(0);
  });

  it('accepts what it makes and refuses a changed digit', () => {
    for (const n of [0, 1, 9, 12_345, 39_999]) {
      const isbn = isbnOf(n);
      expect(isIsbn13(isbn)).toBe(true);
      expect(isIsbn13(isbn.slice(0, 12) + ((Number(isbn[12]) + 1) % 10))).toBe(false);
    }
    expect(() => isbn13CheckDigit('97931')).toThrow(/not twelve digits/);
  });
});
