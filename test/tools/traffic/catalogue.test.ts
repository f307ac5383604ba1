/** `--catalogue`: what is taken, what is refused, and how the report says where the number comes from. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { popularitySampler } from '../../../lib/model/popularity.ts';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { BOOKSTORE_CATALOGUE } from '../../../tools/commands/traffic/bookstore-catalogue.ts';
import { buildModel, type ModelOptions } from '../../../tools/traffic/model/model.ts';
import { trafficSchema } from '../../../tools/traffic/model/traffic-schema.ts';
import { textReport } from '../../../tools/traffic/present/text.ts';
import { startCli } from '../../support/cli.ts';
import { analyse } from './helpers.ts';

/** Views a second apart of `items` items by a power law with g = 2. */
function log(path: (item: number) => string, items: number, views: number): string {
  const random = sessionRandom(hashSeed('catalogue log'), 0);
  const draw = popularitySampler({ law: 'power', g: 2 }, items);
  return Array.from({ length: views }, (_, i) => {
    const clock = new Date(Date.UTC(2024, 2, 4, 10, 0, i)).toISOString().slice(11, 19);
    return `198.51.100.${i % 200} - - [04/Mar/2024:${clock} +0000] "GET ${path(draw(random))} HTTP/1.1" 200 5 "-" "ua"\n`;
  }).join('');
}

const shop = log((item) => `/shop/items/${10_000 + item}`, 300, 900);
const report = async (text: string, options: ModelOptions) => {
  const model = buildModel(await analyse({ 'a.log': text }), {
    replicates: 10,
    knownCatalogue: BOOKSTORE_CATALOGUE,
    ...options,
  });
  expect(trafficSchema.safeParse(JSON.parse(JSON.stringify(model))).error?.issues ?? []).toEqual([]);
  return textReport(model);
};

const folder = mkdtempSync(join(tmpdir(), 'traffic-catalogue-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the catalogue of a log', { timeout: 120_000 }, () => {
  it('is told with its endpoint as people read it', async () => {
    const utf8 = (text: string) => Buffer.from(text).toString('latin1');
    expect(
      await report(
        log((item) => utf8(`/möbel/${10_000 + item}`), 300, 900),
        {},
      ),
    ).toContain('Popularity of GET /möbel/{id}: ');
  });

  it('is given, or estimated with an interval', async () => {
    expect(await report(shop, { catalogue: 300 })).toContain('catalogue of 300 (given)');
    expect(await report(shop, {})).toMatch(/catalogue of \d+ \(estimated, 95 % interval \d+ to \d+\)/);
  });

  it('is not of fewer items than were seen: both numbers are told', async () => {
    const text = await report(shop, { catalogue: 20 });
    expect(text).toMatch(/--catalogue 20 was not taken: the log has 2\d\d different items/);
    expect(text).not.toMatch(/top 1000/);
  });

  it("is the suite's own for the bookstore, unless the log speaks against it", async () => {
    const isbn = (item: number) => `/api/books/${9_790_000_000_000 + 7 * item}`;
    expect(await report(log(isbn, 40_000, 1500), {})).toContain("catalogue of 40,000 (the suite's own)");
    const small = await report(log(isbn, 300, 900), {});
    expect(small).toMatch(/catalogue of \d+ \(estimated/);
    expect(small).toMatch(/the suite's own catalogue of 40,000 items was not taken: 2\d\d different ones in 900 views/);
  });

  it('is a whole number that can be handled, or the command ends with 2 before it reads', async () => {
    const file = join(folder, 'a.log');
    writeFileSync(file, shop);
    for (const wrong of ['5000.5', '1e15', '0']) {
      const { code, stderr } = await startCli(['traffic', file, '--catalogue', wrong]).end;
      expect(code, wrong).toBe(2);
      expect(stderr).toBe(
        `bookstore-load: --catalogue ${wrong}: must be a whole number of items from 1 to 5,000,000\n`,
      );
    }
  });
});
