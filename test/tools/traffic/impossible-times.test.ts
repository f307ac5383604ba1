/** Days that no month has and zones that no place has are malformed, in the kernel too. */
import { describe, expect, it } from 'vitest';
import { clfTime, isoTime } from '../../../tools/traffic/readers/time.ts';
import { countsAndEvents } from './helpers.ts';

const clf = (text: string): number => clfTime(Buffer.from(text), 0, text.length);
const iso = (text: string): number => isoTime(Buffer.from(text), 0, text.length);

describe('time stamps', { timeout: 120_000 }, () => {
  it('have the days that the calendar has', () => {
    const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
    for (const year of [1900, 2000, 2023, 2024]) {
      months.forEach((name, i) => {
        for (let day = 1; day <= 31; day++) {
          const there = new Date(Date.UTC(year, i, day)).getUTCMonth() === i;
          const two = String(day).padStart(2, '0');
          const expected = there ? Date.UTC(year, i, day, 10) : Number.NaN;
          expect(clf(`${two}/${name}/${year}:10:00:00 +0000`), `${two} ${name} ${year}`).toBe(expected);
          expect(iso(`${year}-${String(i + 1).padStart(2, '0')}-${two}T10:00:00Z`)).toBe(expected);
        }
      });
    }
    expect(clf('00/Mar/2024:10:00:00 +0000')).toBeNaN();
  });

  it.each(['+1400', '-1200', '+0545', '+05:45', '-05'])('%s is a zone', (zone) => {
    expect(clf(`04/Mar/2024:10:00:00 ${zone}`)).not.toBeNaN();
  });

  it.each(['+9999', '+0060', '-1500', '+15:00', '+2400'])('%s is none', (zone) => {
    expect(clf(`04/Mar/2024:10:00:00 ${zone}`)).toBeNaN();
    expect(iso(`2024-03-04T10:00:00${zone}`)).toBeNaN();
  });

  it('that cannot be are malformed whether the kernel reads the lines or not', () => {
    const line = (stamp: string): string => `192.0.2.1 - - [${stamp}] "GET /a HTTP/1.1" 200 1 "-" "ua"`;
    const log = [
      '29/Feb/2024:10:00:00 +0000',
      '31/Feb/2024:10:00:00 +0000',
      '31/Feb/2024:10:00:01 +0000',
      '04/Mar/2024:10:00:00 +9999',
      '04/Mar/2024:10:00:01 +9999',
      '04/Mar/2024:10:00:00 +0200',
    ]
      .map(line)
      .join('\n');
    const fast = countsAndEvents(log, true);
    expect(fast).toEqual(countsAndEvents(log, false));
    expect(fast).toMatchObject({ counts: { lines: { records: 2, malformed: 4 } } });
  });
});
