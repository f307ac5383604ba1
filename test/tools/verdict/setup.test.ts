/** What setup() and teardown() send is no load, whatever groups the script makes. */
import { describe, expect, it } from 'vitest';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { HEADER, made } from './support.ts';

const request = (at: number, ms: number, group: string, scenario: string, status = 200) =>
  `http_req_duration,${at},${ms}.000000,,,,${status < 400},${group},GET,item,HTTP/1.1,${scenario},,${status},,,item,,\n`;
const iteration = (at: number, scenario: string, group = '') =>
  `iteration_duration,${at},10.1,,,,,${group},,,,${scenario},,,,,,,\niterations,${at},1.000000,,,,,${group},,,,${scenario},,,,,,,\n`;
const T = 1_795_990_000_000;

const analysed = async (rows: string) => analyse({ paths: [made('samples.csv', `${HEADER}\n${rows}`)] });
const measured = async (rows: string) =>
  (await analysed(rows)).facts.populations.map(({ phase, n, latency }) => [phase, n, latency?.maxMs]);

describe('phases', () => {
  it.each([
    ['setup', '::setup::seed'],
    ['setup', '::setup::seed::books'],
    ['teardown', '::teardown::clean'],
  ])('a group in %s() is of it: %s', async (phase, group) => {
    const rows = `${request(T, 900, group, '')}${request(T + 2000, 10, '', 'load')}${iteration(T + 2000, 'load')}`;
    expect(await measured(rows)).toEqual([
      ['', 1, 10],
      [phase, 1, 900],
    ]);
    expect((await analysed(rows)).facts.byStatus.map(({ n }) => n)).toEqual([1]);
  });

  it.each(['::setup', '::setup::cart', '::teardown', '::setup_cart'])(
    "a group of the script's own, %s, is load",
    async (group) => {
      const rows = `${request(T, 30, group, 'load')}${iteration(T, 'load')}`;
      expect(await measured(rows)).toEqual([['', 1, 30]]);
      expect((await analysed(rows)).facts.scenarios).toMatchObject([{ name: 'load', requests: 1, finished: 1 }]);
    },
  );
});

describe('nothing ran', () => {
  const nothing = async (rows: string) =>
    (await analysed(rows)).verdict.reasons.find(({ rule }) => rule === 'nothing-measured');

  it.each([
    ['setup()', request(T, 8, '::setup', '', 503)],
    ['a group of setup()', request(T, 8, '::setup::seed', '')],
    ['setup() and teardown()', request(T, 8, '::setup', '') + request(T + 9, 8, '::teardown', '')],
  ])('only %s sent: invalid', async (_, rows) => {
    expect(await nothing(rows)).toMatchObject({ severity: 'invalid', message: expect.stringContaining('no load') });
  });

  it('a summary of requests without an iteration is invalid too', async () => {
    const summary = { metrics: { http_reqs: { count: 1, rate: 0.5 }, http_req_duration: { avg: 8, max: 8 } } };
    const { verdict } = await analyse({ paths: [made('summary.json', JSON.stringify(summary))] });
    expect(verdict.reasons[0]).toMatchObject({ rule: 'nothing-measured', severity: 'invalid' });
  });

  it('one long iteration that was interrupted is something', async () => {
    expect(await nothing(request(T, 8, '', 'loop'))).toBeUndefined();
  });
});
