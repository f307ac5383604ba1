import { describe, expect, it } from 'vitest';
import { isbn10CheckDigit, readIsbn } from '../../../tools/catalogue/isbn.ts';

describe('readIsbn', () => {
  // 978-0-306-40615-7 / 0-306-40615-2 is the worked example of ISBN-10 and ISBN-13 in the literature; 0-8044-2957-X has an X.
  it.each([
    ['9780306406157', '9780306406157'],
    ['978-0-306-40615-7', '9780306406157'],
    [' 978 0 306 40615 7 ', '9780306406157'],
    ['978\u20110\u2011306\u201140615\u20117', '9780306406157'],
    ['="9780306406157"', '9780306406157'],
    ["'9780306406157", '9780306406157'],
    ['ISBN 978-0-306-40615-7', '9780306406157'],
    ['ISBN-13: 9780306406157', '9780306406157'],
    ['9780306406157.0', '9780306406157'],
    ['0306406152', '9780306406157'],
    ['0-306-40615-2', '9780306406157'],
    ['080442957X', '9780804429573'],
    ['080442957x', '9780804429573'],
    ['9790000000001', '9790000000001'],
  ])('%s -> %s', (cell, isbn) => {
    expect(readIsbn(cell)).toEqual({ isbn });
  });

  it.each([
    ['', /empty/],
    ['   ', /empty/],
    ['9780306406158', /ends in 8 but its check digit would be 7/],
    ['0306406153', /ends in 3 but its check digit would be 2/],
    ['9.78031E+12', /shortened by a spreadsheet.*export the column as text/],
    ['9,79E+12', /shortened by a spreadsheet/],
    ['9.79e12', /shortened by a spreadsheet/],
    ['306406152', /lost its leading zero/],
    ['978030640615', /12 digits/],
    ['97803064061577', /14 digits/],
    ['no isbn', /no ISBN/],
    ['９７８０３０６４０６１５７', /no ISBN/],
    ['978030640615\n', /12 digits/],
  ])('%j is refused', (cell, reason) => {
    const reading = readIsbn(cell);
    expect('reason' in reading && reading.reason).toMatch(reason);
  });

  it('a check digit differs for every change of one digit (ISO 2108: both codes detect all single errors)', () => {
    for (const [isbn, length] of [
      ['9780306406157', 13],
      ['0306406152', 10],
    ] as const) {
      for (let i = 0; i < length; i++) {
        for (let digit = 0; digit <= 9; digit++) {
          if (String(digit) === isbn[i]) continue;
          const wrong = isbn.slice(0, i) + digit + isbn.slice(i + 1);
          expect(readIsbn(wrong)).toHaveProperty('reason');
        }
      }
    }
  });

  it('ISBN-10 check digits of published books', () => {
    // TAOCP 1, K&R 2, SICP.
    expect(isbn10CheckDigit('020189683')).toBe('4');
    expect(isbn10CheckDigit('013110362')).toBe('8');
    expect(isbn10CheckDigit('026201153')).toBe('0');
    expect(isbn10CheckDigit('080442957')).toBe('X');
  });
});
