/** Time stamps as named fields have them: what is read, and what is said of those that are not. */
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../tools/traffic/model/model.ts';
import { analyse, countsAndEvents, readLog } from './helpers.ts';

const REST = { method: 'GET', uri: '/a', status: 200, client_ip: '203.0.113.7' };
const json = (time: unknown, name = 'timestamp') => JSON.stringify({ [name]: time, ...REST });
const timeOf = (line: string) => readLog(Buffer.from(line)).records[0]?.time;

const WHOLE = '2025-03-10T09:00:04.000Z';
const FINE = '2025-03-10T09:00:04.123Z';

describe('a time stamp in a field', () => {
  it.each([
    ['[10/Mar/2025:09:00:04 +0000]', WHOLE],
    ['[2025-03-10T09:00:04Z]', WHOLE],
    ['Mar 10, 2025 @ 09:00:04.123', FINE],
    ['Mar 10, 2025 9:00:04 AM', WHOLE],
    ['Mar 9, 2025, 12:00:04 AM', '2025-03-09T00:00:04.000Z'],
    ['March 10, 2025 9:00:04 PM', '2025-03-10T21:00:04.000Z'],
    ['Mon, 10 Mar 2025 09:00:04 GMT', WHOLE],
    ['Mon, 10 Mar 2025 10:00:04 +0100', WHOLE],
    ['10-Mar-2025 09:00:04.123', FINE],
    ['Mon Mar 10 09:00:04 2025', WHOLE],
    ['Mon Mar 10 09:00:04 UTC 2025', WHOLE],
    ['Mon Mar 10 2025 10:00:04 GMT+0100 (Central European Standard Time)', WHOLE],
    ['20250310T090004Z', WHOLE],
    ['20250310T100004+0100', WHOLE],
    ['20250310090004', WHOLE],
    ['20250310090004123', FINE],
    [20250310090004, WHOLE],
    ['2025-03-10T09:00Z', '2025-03-10T09:00:00.000Z'],
    ['2025-03-10 10:00+01:00', '2025-03-10T09:00:00.000Z'],
    ['2025-03-10T09:00:04Z[UTC]', WHOLE],
    ['2025-03-10T10:00:04.123+01:00[Europe/Paris]', FINE],
    [{ $date: '2025-03-10T09:00:04.123Z' }, FINE],
    [{ $date: { $numberLong: '1741597204123' } }, FINE],
    ['/Date(1741597204123)/', FINE],
    ['1741597204123', FINE],
    [1741597204.5, '2025-03-10T09:00:04.500Z'],
    [1741597204123000, FINE],
  ])('%j is read', (stamp, time) => {
    expect(timeOf(json(stamp))).toBe(time);
  });

  it('is read in tables too, and under names with a unit', () => {
    const csv = 'timestamp;client_ip;method;path;status\n[10/Mar/2025:09:00:04 +0000];203.0.113.7;GET;/a;200';
    expect(readLog(csv).records[0]?.time).toBe(WHOLE);
    expect(timeOf(json(1741597204123, 'timestampInMs'))).toBe(FINE);
  });

  it('says whether it names a zone', () => {
    const zoneless = (stamp: string) =>
      (countsAndEvents(json(stamp), false) as { counts: { zoneless: number } }).counts.zoneless;
    expect(zoneless('Mar 10, 2025 @ 09:00:04.123')).toBe(1);
    expect(zoneless('20250310090004')).toBe(1);
    expect(zoneless('Mon, 10 Mar 2025 09:00:04 GMT')).toBe(0);
    expect(zoneless('20250310T090004Z')).toBe(0);
  });

  it.each([
    '03/10/2025 09:00:04',
    '10.03.2025 09:00:04',
    'Mar 10 09:00:04',
    '2025-03-10T09:00:04[Europe/Paris]',
    'Mon, 10 Mar 2025 09:00:04 EST',
    '20251310T090004Z',
    'Mar 10, 2025 13:00:04 PM',
  ])('%j is not taken for a time, and is named', async (stamp) => {
    expect(timeOf(json(stamp))).toBe('none');
    const facts = await analyse({ 'a.log': `${json(stamp)}\n${json(stamp)}\n${json('')}\n` });
    const { remarks } = buildModel(facts, { replicates: 5 });
    expect(remarks.filter((remark) => remark.includes('time stamp'))).toEqual([
      '1 records have no time stamp; they count in the mix and in nothing that needs time',
      `2 records have a time stamp that is not understood (field timestamp, as "${stamp}"); they count in the mix and in nothing that needs time, log it as 2025-03-10T09:00:04Z or in seconds since 1970`,
    ]);
  });

  it('that is a number and no time since 1970 is named', async () => {
    const facts = await analyse({ 'a.log': `${json(45_726.375)}\n` });
    expect(buildModel(facts, { replicates: 5 }).remarks.join()).toContain('(field timestamp, as "45726.375")');
  });

  it("is not shown where it may be a client's data", async () => {
    for (const text of ['203.0.113.7', 'Jane Doe', '0.012', `${'x'.repeat(50)} 09:00:04`]) {
      const facts = await analyse({ 'a.log': `${json(text)}\n` });
      expect(buildModel(facts, { replicates: 5 }).remarks.join()).not.toContain(text);
    }
  });

  it('is read by a pattern as well', () => {
    const format = '$remote_addr [$time_local] "$request" $status';
    const line = '203.0.113.7 [Mon, 10 Mar 2025 09:00:04 GMT] "GET /a HTTP/1.1" 200';
    expect(readLog(line, { format }).records[0]?.time).toBe(WHOLE);
  });
});
