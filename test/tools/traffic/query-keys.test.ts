/** Query keys that make an endpoint of their own, for endpoints that nobody has listed. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildModel, type TrafficModel } from '../../../tools/traffic/model/model.ts';
import { parseTemplate, routeTable, type Template } from '../../../tools/traffic/templates/route-table.ts';
import { analyse } from './helpers.ts';

const TARGETS = [
  '/books',
  '/books?search=x',
  '/books?page=2&q=y',
  '/books?q=y&search=x',
  '/books?page=2',
  '/books/7?q=1',
  '/list?status=',
];

function log(rounds: number): string {
  const lines: string[] = [];
  for (let i = 0; i < rounds * TARGETS.length; i++) {
    const second = String(Math.floor(i / 20) % 60).padStart(2, '0');
    const minute = String(Math.floor(i / 1200)).padStart(2, '0');
    lines.push(
      `192.0.2.${i % 9} - - [04/Mar/2024:10:${minute}:${second} +0000] "GET ${TARGETS[i % TARGETS.length]} HTTP/1.1" 200 5 "-" "ua"`,
    );
  }
  return `${lines.join('\n')}\n`;
}

const shares = (model: TrafficModel): Record<string, number> =>
  Object.fromEntries(model.endpoints.map(({ name, requests }) => [name, requests]));

describe('query keys', { timeout: 120_000 }, () => {
  it('make endpoints of learned paths, the first key as the user names them deciding', async () => {
    const model = buildModel(await analyse({ 'a.log': log(60) }), { replicates: 5 });
    expect(shares(model)).toEqual({
      'GET /books': 120,
      'GET /books?search=': 120,
      'GET /books?q=': 60,
      'GET /books/{id}?q=': 60,
      'GET /list': 60,
    });
    expect(model.templates).toContain('GET /books?search=');
    const other = buildModel(await analyse({ 'a.log': log(60) }, { queryKeys: ['q', 'status'] }), { replicates: 5 });
    expect(shares(other)).toMatchObject({ 'GET /books': 180, 'GET /books?q=': 120, 'GET /list?status=': 60 });
  });

  it('do the same whether the kernel reads the lines or not', async () => {
    const wide = log(60).replace(/"ua"/g, '"ua" "more"');
    expect(shares(buildModel(await analyse({ 'a.log': wide }), { replicates: 5 }))).toEqual(
      shares(buildModel(await analyse({ 'a.log': log(60) }), { replicates: 5 })),
    );
  });

  it('come back from the templates that were written', async () => {
    const { templates } = buildModel(await analyse({ 'a.log': log(60) }), { replicates: 5 });
    const table = routeTable(templates.map((name) => parseTemplate(name)) as Template[], []);
    expect(
      table
        .find('GET', '/books')
        .byQuery.map(({ key }) => key)
        .sort(),
    ).toEqual(['q', 'search']);
  });

  it('that are met only after what was learned make endpoints too, but not where the user listed them', () => {
    const learned = { ...(parseTemplate('GET /books') as Template), splits: true };
    expect(routeTable([learned], ['q', 'search']).find('GET', '/books').byQuery).toEqual([
      { key: 'q', route: -1 },
      { key: 'search', route: -1 },
    ]);
    expect(routeTable([parseTemplate('GET /books') as Template], ['q']).find('GET', '/books').byQuery).toEqual([]);
  });

  it.skipIf(!existsSync('dist/tools/traffic-worker.mjs'))('are the same for two threads', async () => {
    const files = { 'a.log': log(200), 'b.log': log(90) };
    const one = buildModel(await analyse(files), { replicates: 5 });
    const two = buildModel(await analyse(files, { threads: 2, parallelFrom: 0 }), { replicates: 5 });
    expect(shares(two)).toEqual(shares(one));
    expect(two.templates).toEqual(one.templates);
  });
});
