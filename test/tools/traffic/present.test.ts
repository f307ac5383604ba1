/** The page: round times, legends beside the data, a curve for every law; what the files and the workload say of themselves. */
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../tools/traffic/model/model.ts';
import { toWorkload } from '../../../tools/traffic/model/workload-out.ts';
import { page } from '../../../tools/traffic/present/page.ts';
import { plot, timeTicks } from '../../../tools/traffic/present/svg.ts';
import { analyse } from './helpers.ts';

describe('time axis', { timeout: 120_000 }, () => {
  it.each([
    ['2024-03-04T10:07:00Z', '2024-03-04T22:01:00Z', ['12:00', '14:00', '16:00', '18:00', '20:00', '22:00']],
    [
      '2024-03-04T10:00:03Z',
      '2024-03-04T10:01:00Z',
      ['10:00:10', '10:00:20', '10:00:30', '10:00:40', '10:00:50', '10:01:00'],
    ],
    ['2024-03-04T22:10:00Z', '2024-03-05T01:30:00Z', ['03-04 23:00', '03-05 00:00', '03-05 01:00']],
    ['2024-03-04T22:10:00Z', '2024-03-09T01:30:00Z', ['03-05', '03-06', '03-07', '03-08', '03-09']],
  ])('from %s to %s has round ticks', (from, to, expected) => {
    const { ticks, label } = timeTicks(Date.parse(from), Date.parse(to));
    expect(ticks.map(label)).toEqual(expected);
  });
});

describe('legend', { timeout: 120_000 }, () => {
  it('stands above everything that is drawn', () => {
    const points = [
      [0, 0],
      [1, 5],
    ] as const;
    const svg = plot({
      title: 't',
      x: 'x',
      y: 'y',
      lines: ['a', 'b', 'c'].map((label) => ({ label, colour: '#000', points })),
    });
    const legend = [...svg.matchAll(/y="(\d+)" fill="#000">[abc]</g)].map((match) => Number(match[1]));
    const drawn = [...svg.matchAll(/[\d.]+,([\d.]+)/g)].map((match) => Number(match[1]));
    expect(legend).toHaveLength(3);
    expect(Math.max(...legend)).toBeLessThan(Math.min(...drawn));
  });
});

/** Gaps of 2 or 40 s, which no law is close to, and a static file a session. */
function twoPaces(): string {
  const lines: { at: number; text: string }[] = [];
  const line = (client: number, at: number, target: string): void => {
    const time = new Date(Date.UTC(2024, 2, 4, 8) + at * 1000).toISOString().slice(11, 19);
    const text = `192.0.2.${client} - - [04/Mar/2024:${time} +0000] "GET ${target} HTTP/1.1" 200 5 "-" "ua"`;
    lines.push({ at, text });
  };
  for (let client = 0; client < 200; client++) {
    line(client, 20 * client, '/a');
    line(client, 20 * client, '/a.css');
    line(client, 20 * client + (client % 2 === 0 ? 2 : 40), '/b');
  }
  return `${lines
    .sort((a, b) => a.at - b.at)
    .map(({ text }) => text)
    .join('\n')}\n`;
}

describe('what is told', { timeout: 120_000 }, () => {
  it('has a curve for a think time without a law, counts the requests that were used, and the clients of one file', async () => {
    const model = buildModel(await analyse({ 'a.log': twoPaces() }), { replicates: 5 });
    expect(model.thinkTimes[0]?.fit?.best).toBe('empirical');
    const panel = page(model).match(/<svg[^>]*aria-label="Think time.*?<\/svg>/)?.[0] ?? '';
    expect(panel).toMatch(/empirical, median/);
    const points = panel.match(/<polyline points="([^"]*)"/)?.[1]?.split(' ') ?? [];
    expect(points).toHaveLength(200);
    expect(new Set(points.map((point) => point.split(',')[1])).size).toBeGreaterThan(3);
    expect(toWorkload(model, { peak: false }).provenance.source).toBe(
      'access log: 400 of 600 requests from 2024-03-04T08:00:00.000Z to 2024-03-04T09:07:00.000Z',
    );
    expect(model.files[0]).toMatchObject({ requests: 400, clients: { count: 200 }, formats: { ncsa: 600 } });
    const two = buildModel(await analyse({ 'a.log': twoPaces(), 'b.log': twoPaces() }), { replicates: 5 });
    expect(two.files[0]?.clients).toBeUndefined();
  });
});
