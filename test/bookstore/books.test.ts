import { describe, expect, it } from 'vitest';
import { bookOf, isbn13CheckDigit, isbnOf, isIsbn13 } from '../../bookstore/books.ts';
import { requestShares, requestsPerSession } from '../../lib/model/workload.ts';

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

  it('follows the price and year rules of the reference catalogue', () => {
    expect(bookOf(25)).toMatchObject({ priceCents: 9_990 + 2_500, year: 1975, isbn: isbnOf(25) });
    expect(bookOf(76).year).toBe(1950);
  });
});

describe('session shares and request shares', () => {
  const requests = {
    browse: { list: 1, details: 2 },
    search: { search: 1, details: 1 },
    checkout: { details: 1, cart: 1, item: 1, order: 1 },
  };
  const shares = { browse: 0.7, search: 0.2, checkout: 0.1 };

  it('turns 70/20/10 % of sessions into the request shares by hand: 17, 7, 2 and 3 x 1 of 29', () => {
    const result = requestShares(shares, requests);
    expect(result['details']).toBeCloseTo(17 / 29, 12);
    expect(result['list']).toBeCloseTo(7 / 29, 12);
    expect(result['search']).toBeCloseTo(2 / 29, 12);
    expect(result['order']).toBeCloseTo(1 / 29, 12);
  });

  it('sends 2.9 requests a session', () => {
    expect(requestsPerSession(shares, requests)).toBeCloseTo(2.9, 12);
  });
});
