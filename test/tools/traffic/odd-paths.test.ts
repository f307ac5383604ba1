import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../tools/traffic/model/model.ts';
import { toWorkload } from '../../../tools/traffic/model/workload-out.ts';
import { suiteRequests } from '../../../tools/traffic/skeleton/requests.ts';
import { nameOfText, readableName } from '../../../tools/traffic/templates/name-text.ts';
import { analyse } from './helpers.ts';

/** Paths as clients send them, and the text that stands for each. */
const ODD: readonly (readonly [path: string, name: string, sent: string])[] = [
  ['/m/müller', '/m/müller', '/m/m%C3%BCller'],
  ['/m/m%C3%BCller', '/m/m%C3%BCller', '/m/m%C3%BCller'],
  ['/q/"x"', '/q/"x"', '/q/%22x%22'],
  ["/q/it's", "/q/it's", "/q/it's"],
  ['/b/a\\b', '/b/a\\b', '/b/a%5Cb'],
  ['/t/`id`', '/t/`id`', '/t/%60id%60'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a client sent
  ['/d/${x}', '/d/${x}', '/d/$%7Bx%7D'],
  ['/y/{y}', '/y/%7By%7D', '/y/%7By%7D'],
  ['/c/*/', '/c/*', '/c/*'],
  ['/p/100%', '/p/100%', '/p/100%25'],
  ['/n/a\nb', '/n/a\nb', '/n/a%0Ab'],
];

describe('paths that are no plain ASCII', { timeout: 120_000 }, () => {
  it('are text where they are written, and sent as they were', async () => {
    const lines = Array.from({ length: 120 }, (_, i) =>
      ODD.map(([path], k) =>
        JSON.stringify({
          time: new Date(Date.UTC(2024, 2, 4, 10) + i * 60_000 + k * 1000).toISOString(),
          method: 'GET',
          path,
          status: 200,
          session_id: `u${i}`,
        }),
      ).join('\n'),
    );
    const model = buildModel(await analyse({ 'a.log': Buffer.from(`${lines.join('\n')}\n`) }), { replicates: 2 });
    const found = Object.values(toWorkload(model, { peak: false }).endpoints ?? {});
    expect(found.sort()).toEqual(ODD.map(([, name]) => `GET ${name}`).sort());
    expect(model.templates.slice().sort()).toEqual(found);
    const { requests, remarks } = suiteRequests(Object.fromEntries(found.map((endpoint, i) => [`step${i}`, endpoint])));
    // Two are the same request once they are encoded.
    expect(requests.map(({ name }) => name).sort()).toEqual(
      [...new Set(ODD.map(([, , path]) => `GET ${path}`))].sort(),
    );
    expect(remarks.filter((text) => / like step\d+: /.test(text))).toHaveLength(1);
  });

  it('that are no UTF-8 are percent-encoded, and names that users give are found again', () => {
    expect(readableName('GET /m/m\xfcller')).toBe('GET /m/m%FCller');
    expect(readableName(nameOfText('GET /日本/{id}'))).toBe('GET /日本/{id}');
  });
});
