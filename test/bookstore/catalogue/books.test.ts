import { describe, expect, it } from 'vitest';
import { bookOf, isbnOf } from '../../../bookstore/catalogue/books.ts';

describe('the catalogue rule', () => {
  it('follows the price and year rules of the reference catalogue', () => {
    expect(bookOf(25)).toMatchObject({ priceCents: 9_990 + 2_500, year: 1975, isbn: isbnOf(25) });
    expect(bookOf(76).year).toBe(1950);
  });
});
