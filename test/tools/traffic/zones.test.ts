/** Time stamps without a zone are read as UTC, and that is said. */
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../tools/traffic/model/model.ts';
import { analyse } from './helpers.ts';

const ncsa = (stamp: string) => `192.0.2.9 - - [${stamp}] "GET /a HTTP/1.1" 200 5 "-" "Mozilla/5.0"`;
const json = (time: string | number) =>
  JSON.stringify({ time, method: 'GET', uri: '/a', status: 200, client_ip: '192.0.2.9' });
const W3C = '#Fields: date time cs-method cs-uri-stem sc-status c-ip\n2024-03-04 10:00:00 GET /a 200 192.0.2.9';

async function zoneRemarks(lines: readonly string[]): Promise<string[]> {
  const { remarks } = buildModel(await analyse({ 'a.log': `${lines.join('\n')}\n` }), { replicates: 5 });
  return remarks.filter((remark) => remark.includes('zone'));
}

describe('time stamps without a zone', () => {
  it.each([
    ['common', [ncsa('10/Mar/2024:03:00:05'), ncsa('10/Mar/2024:03:00:06'), ncsa('2024-03-10T03:00:07')]],
    ['JSON', [json('2024-03-10T03:00:05'), json('2024-03-10 03:00:06.250'), json('2024-03-10T03:00:07')]],
  ])('%s: all of them', async (_, lines) => {
    expect(await zoneRemarks(lines)).toEqual(['3 of 3 records name no time zone and were taken as UTC']);
  });

  it('are told from those with one beside them', async () => {
    const lines = [
      ncsa('10/Mar/2024:03:00:05 -0400'),
      ncsa('10/Mar/2024:03:00:05'),
      ncsa('10/Mar/2024:03:00:06 -0400'),
    ];
    expect(await zoneRemarks(lines)).toEqual([
      '1 of 3 records name no time zone and were taken as UTC; the others name theirs, so the two may lie hours apart',
    ]);
  });

  it.each([
    ['offsets', [ncsa('10/Mar/2024:03:00:05 +0000'), json('2024-03-10T03:00:05+01:00'), json('2024-03-10T03:00:05Z')]],
    ['numbers since 1970', [json(1709550000), json(1709550000123)]],
    ['W3C, which is UTC by its standard', [W3C]],
    ['one after another', [W3C, ncsa('10/Mar/2024:03:00:05 +0000')]],
  ])('are not said where there are none: %s', async (_, lines) => {
    expect(await zoneRemarks(lines)).toEqual([]);
  });
});
