import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../tools/traffic/model/model.ts';
import { jsonSchemas, trafficSchema } from '../../../tools/traffic/model/traffic-schema.ts';
import { analyse } from './helpers.ts';

describe('published JSON Schemas', { timeout: 120_000 }, () => {
  it('are those of the code; `traffic schema --out docs/schemas` writes them', () => {
    for (const [file, schema] of Object.entries(jsonSchemas())) {
      expect(JSON.parse(readFileSync(`docs/schemas/${file}`, 'utf8')), file).toEqual(
        JSON.parse(JSON.stringify(schema)),
      );
    }
  });

  it('describe what is printed, for a log that says little and one of another API', async () => {
    const other = Array.from({ length: 400 }, (_, i) => {
      const clock = `10:${String(Math.floor(i / 60)).padStart(2, '0')}:${String(i % 60).padStart(2, '0')}`;
      return `198.51.100.${i % 20} - - [04/Mar/2024:${clock} +0000] "GET /shop/thing-${i % 150}?ref=x HTTP/1.1" 200 5 "-" "ua"`;
    });
    for (const log of [
      '192.0.2.1 - - [04/Mar/2024:10:00:00 +0000] "GET /a HTTP/1.1" 200 1\n',
      `${other.join('\n')}\n`,
    ]) {
      const printed: unknown = JSON.parse(
        JSON.stringify(buildModel(await analyse({ 'a.log': log }), { replicates: 5 })),
      );
      expect(trafficSchema.safeParse(printed).error?.issues ?? []).toEqual([]);
    }
  });
});
