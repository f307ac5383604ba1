/** The busiest hour is an hour, whether sessions can be told apart or only requests counted. */
import { describe, expect, it } from 'vitest';
import { ownFlows } from '../../../tools/traffic/model/flow-shapes.ts';
import { buildModel } from '../../../tools/traffic/model/model.ts';
import { toWorkload } from '../../../tools/traffic/model/workload-out.ts';
import { textReport } from '../../../tools/traffic/present/text.ts';
import { analyse } from './helpers.ts';

const START = Date.UTC(2024, 2, 4, 10);
const PER_HOUR = [120, 480, 240];

/** Browsing sessions, as many an hour as said and spread over it; all in the last ten minutes of the second hour. */
function log(idOf: (session: number) => string): string {
  const requests = Object.entries(ownFlows().find(({ name }) => name === 'browse')?.requests ?? {}).flatMap(
    ([endpoint, n]) => Array.from({ length: n }, () => endpoint.replace('{isbn}', '9790000000001')),
  );
  const lines: { at: number; line: string }[] = [];
  let session = 0;
  PER_HOUR.forEach((sessions, hour) => {
    for (let i = 0; i < sessions; i++) {
      session++;
      const [from, width] = hour === 1 ? [50, 10] : [0, 60];
      const begin = START + hour * 3_600_000 + (from + (width * (i + 0.5)) / sessions) * 60_000 - 10_000;
      requests.forEach((request, k) => {
        const [method, uri] = request.split(' ');
        const time = new Date(begin + 3000 * k).toISOString();
        const line = { time, method, uri, status: 200, client_ip: '192.0.2.1', user_agent: 'Mozilla/5.0' };
        lines.push({
          at: begin + 3000 * k,
          line: JSON.stringify({ ...line, ...(idOf(session) && { session_id: idOf(session) }) }),
        });
      });
    }
  });
  return `${lines
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => line)
    .join('\n')}\n`;
}

describe.each([
  ['sessions', (session: number) => `s${session}`],
  ['requests', () => ''],
] as const)('the busiest hour by %s', (basis, idOf) => {
  it('has the rate of that hour, not of its busiest minutes, and an interval of its own', async () => {
    const model = buildModel(await analyse({ 'a.log': log(idOf) }), { replicates: 5 });
    if ('refused' in model.arrivals) throw new Error(model.arrivals.refused);
    expect(model.arrivals.basis).toBe(basis);
    const busiest = model.arrivals.busiestHour;
    expect(busiest).toMatchObject({ from: '2024-03-04T11:00:00.000Z', hours: 3 });
    expect(busiest?.rate).toBeCloseTo(480 / 3600, 2);
    expect(busiest?.interval[0]).toBeLessThan(480 / 3600);
    expect(busiest?.interval[1]).toBeGreaterThan(480 / 3600);
    expect(textReport(model)).toContain('busiest of 3 hours, from 2024-03-04 11:00:00 UTC: 0.13');
    const { arrivals, provenance } = toWorkload(model, { peak: true });
    expect(arrivals.rate).toBeCloseTo(480 / 3600, 2);
    expect(provenance.notes?.join('\n')).toMatch(/arrival rate of the busiest of 3 hours, 4[78]\d sessions in 3600 s/);
    expect(toWorkload(model, { peak: false }).arrivals.rate).toBeCloseTo(840 / 10_800, 2);
  });
});
