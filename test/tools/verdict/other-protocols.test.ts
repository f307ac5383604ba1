/** Runs without HTTP: what they timed is shown, with its own failures. Rows as k6 lays them out. */
import { expect, it } from 'vitest';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { printAnalysis } from '../../../tools/verdict/print.ts';
import { HEADER, made } from './support.ts';

const T = 1_795_990_000_000;
const sample = (
  metric: string,
  at: number,
  value: number,
  { name = '', status = '', group = '', scenario = 'load' } = {},
) => `${metric},${at},${value},,,,,${group},,${name},,${scenario},,${status},,,,,\n`;
const iteration = (at: number, ms: number) => sample('iteration_duration', at, ms) + sample('iterations', at, 1);
const analysed = (rows: string) => analyse({ paths: [made('samples.csv', `${HEADER}\n${rows}`)] });
/** 1, 2, ... 100 ms. */
const times = Array.from({ length: 100 }, (_, i) => [T + i * 100, i + 1] as const);

it.each([
  [
    'gRPC, whose status 0 is OK and not a missing answer',
    'grpc_req_duration',
    '/shop.Cart/Add',
    (i: number) => (i < 3 ? '14' : '0'),
    3,
  ],
  ['a browser', 'browser_http_req_duration', 'https://shop.example/', (i: number) => (i < 5 ? '503' : '200'), 5],
  [
    'WebSockets, whose sessions have the status of their upgrade',
    'ws_session_duration',
    'ws://shop.example/',
    () => '101',
    0,
  ],
  ['a web vital, which has none', 'browser_web_vital_lcp', '', () => '', undefined],
])('%s', async (_, metric, name, status, failed) => {
  const rows = times.map(([at, ms], i) => sample(metric, at, ms, { name, status: status(i) }) + iteration(at, ms + 5));
  const analysis = await analysed(rows.join(''));
  const [found] = analysis.facts.others ?? [];
  // Linear interpolation: the median of 1 to 100 is 50.5, the 90th percentile 90.1.
  expect(found).toMatchObject({ metric, name, n: 100, mean: 50.5, max: 100 });
  expect(found?.failed).toBe(failed);
  expect(found?.quantiles.find(({ p }) => p === 0.5)?.value).toBeCloseTo(50.5, 9);
  expect(found?.quantiles.find(({ p }) => p === 0.9)).toMatchObject({ carried: true, value: expect.closeTo(90.1, 9) });
  const text = printAnalysis(analysis);
  expect(text).toContain(metric);
  expect(text).not.toContain('0 requests');
  expect(text).toContain('no HTTP request; no checks');
});

it('a script of its own metrics only has its iterations, and its checks are told', async () => {
  const rows = times.map(([at, ms], i) => iteration(at, ms) + sample('checks', at, i < 10 ? 0 : 1));
  const analysis = await analysed(rows.join(''));
  expect(analysis.facts.others).toMatchObject([{ metric: 'iteration_duration', name: 'load', n: 100, mean: 50.5 }]);
  expect(printAnalysis(analysis)).toContain('10 of 100 checks failed');
});

it('what setup() calls is no load', async () => {
  const rows = `${sample('grpc_req_duration', T, 900, { name: '/a', status: '0', group: '::setup', scenario: '' })}${iteration(T + 5, 9)}`;
  expect((await analysed(rows)).facts.others).toMatchObject([{ metric: 'iteration_duration' }]);
});
