/** Records that name neither a session nor a client: nothing can be said of who sent them. */
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../tools/traffic/model/model.ts';
import { textReport } from '../../../tools/traffic/present/text.ts';
import { analyse } from './helpers.ts';

describe('a log that names nobody', () => {
  const line = (second: number, client: string) =>
    `${client} - - [04/Mar/2024:10:${String(10 + Math.floor(second / 60))}:${String(second % 60).padStart(2, '0')} +0000] "GET /v1/items/${second % 9} HTTP/1.1" 200 5 "-" "Mozilla/5.0"`;
  const log = (nobody: number, others: number) =>
    Array.from({ length: nobody + others }, (_, i) =>
      line(i, i % ((nobody + others) / nobody) < 1 ? '-' : `192.0.2.${i % 200}`),
    ).join('\n');

  it('gives its mix, and neither sessions nor think times nor an arrival rate', async () => {
    const model = buildModel(await analyse({ 'a.log': log(600, 0) }), { replicates: 5 });
    expect(model.endpoints).toMatchObject([{ name: 'GET /v1/items/{id}', requests: 600 }]);
    expect(model.sessions).toMatchObject({ count: 0, refused: expect.stringContaining('100 % of the records') });
    expect(model.thinkTimes).toEqual([]);
    expect(model.arrivals).toEqual({ refused: model.sessions.refused });
    expect(textReport(model)).toContain('Sessions refused: 100 % of the records name neither');
    expect(model.remarks.join()).toContain('600 of 600 records name neither a session nor a client');
  });

  it('only in a few lines says so and goes on', async () => {
    const model = buildModel(await analyse({ 'a.log': log(6, 594) }), { replicates: 5 });
    expect(model.sessions.refused).toBeUndefined();
    expect(model.sessions.count).toBeGreaterThan(100);
    expect(model.remarks.join()).toContain('6 of 600 records name neither a session nor a client');
  });
});
