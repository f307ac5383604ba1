/** Samples that are not all of one run: against the summary, against themselves, and against the clock. */
import { describe, expect, it } from 'vitest';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { HEADER, made, requestRows } from './support.ts';

const T = Date.UTC(2026, 10, 20, 12);
const request = (at: number, name = 'item') =>
  `${requestRows(at, 20 + (at % 7) / 3, { name })}iteration_duration,${at},20.5,,,,,,,,,browse,,,,,,,\niterations,${at},1.000000,,,,,,,,,browse,,,,,,,\n`;
/** Two a second for a minute. */
const times = Array.from({ length: 120 }, (_, i) => T + i * 500);
const text = (rows: readonly string[]) => `${HEADER}\n${rows.join('')}`;
const gauge = (at: number) => `vus,${at},1.000000,,,,,,,,,,,,,,,,\n`;

async function suspects(content: string, summary?: unknown, name = 'samples.csv') {
  const { verdict } = await analyse({
    paths: [made(name, content)],
    ...(summary === undefined ? {} : { summary: made('summary.json', JSON.stringify(summary)) }),
  });
  return (rule: string) =>
    verdict.reasons.find((reason) => reason.rule === rule && reason.severity === 'suspect')?.message;
}

describe('against the summary', () => {
  const whole = text(times.map((at) => request(at)));
  const summary = (requests: number, iterations: number, name = 'item', ms = 60_500) => ({
    state: { testRunDurationMs: ms },
    options: {},
    metrics: {
      http_reqs: { type: 'counter', values: { count: requests, rate: 2 } },
      [`http_reqs{name:${name}}`]: { type: 'counter', values: { count: requests, rate: 2 } },
      iterations: { type: 'counter', values: { count: iterations, rate: 2 } },
    },
  });
  it('of the same run: nothing', async () => {
    expect((await suspects(whole, summary(120, 120)))('matching-counts')).toBeUndefined();
  });
  it.each([
    ['requests', summary(121, 120), '120 requests against 121'],
    ['iterations', summary(120, 119), '120 finished iterations against 119'],
    ['names', summary(120, 120, 'checkout'), 'no sample of checkout'],
    ['length', summary(120, 120, 'item', 30_000), '59.5 s of load in a run of 30 s'],
    [
      'the other format',
      { metrics: { http_reqs: { count: 90, rate: 2 }, iterations: { count: 120, rate: 2 } } },
      '120 requests against 90',
    ],
  ])('of another run, by %s', async (_, other, why) => {
    expect((await suspects(whole, other))('matching-counts')).toContain(why);
  });
});

describe('against themselves', () => {
  const lines = (content: string) => content.split('\n');
  const without = (metric: string, n: number) => {
    let left = n;
    return lines(text(times.map((at) => request(at))))
      .filter((line) => !(line.startsWith(`${metric},`) && left-- > 0))
      .join('\n');
  };
  it.each([
    ['http_req_duration', '120 rows of http_reqs stand beside 118 of http_req_duration'],
    ['http_reqs', '118 rows of http_reqs stand beside 120 of http_req_duration'],
    ['iteration_duration', '120 rows of iterations stand beside 118 of iteration_duration'],
  ])('two rows of %s are missing', async (metric, why) => {
    expect((await suspects(without(metric, 2)))('matching-counts')).toContain(why);
  });
  it('a metric that was never recorded is not missing', async () => {
    expect((await suspects(without('http_reqs', 1000)))('matching-counts')).toBeUndefined();
  });
  it.each([
    ['one', '\n\n', '1 blank line,'],
    ['two', '\n\n\n', '2 blank lines,'],
    ['one of Windows', '\r\n\r\n', '1 blank line,'],
  ])('%s blank in the middle', async (_, ends, why) => {
    const all = lines(text(times.map((at) => request(at))));
    const content = `${all.slice(0, 200).join('\n')}${ends}${all.slice(200).join('\n')}`;
    expect((await suspects(content))('damaged-file')).toContain(why);
  });
  it('blank lines at the end, or within quotes, are none', async () => {
    const quoted = request(T + 60_000).replaceAll(',,,,true,', ',,"dial:\n\nno",,true,');
    const content = text([...times.map((at) => request(at)), quoted, request(T + 60_500), '\n\n']);
    expect((await suspects(content))('damaged-file')).toBeUndefined();
  });
});

describe('against the clock', () => {
  const hole = (from: number, to: number, withGauge = false) =>
    text(times.filter((at) => at < T + from || at >= T + to).map((at) => request(at) + (withGauge ? gauge(at) : '')));

  it('20 s without any row', async () => {
    expect((await suspects(hole(20_000, 45_000)))('gaps')).toBe(
      'For 26 s, from 2026-11-20T12:00:19Z to 2026-11-20T12:00:45Z, no row of any kind was written: k6 or its machine stood still, rows were lost, or the clock was set.',
    );
  });
  it('12 s without the gauges that k6 writes every second', async () => {
    expect((await suspects(hole(20_000, 32_000, true)))('gaps')).toContain('For 13 s');
  });
  it('a clock set back by seven hours', async () => {
    const back = text(times.map((at) => request(at < T + 30_000 ? at : at - 7 * 3_600_000)));
    expect((await suspects(back))('gaps')).toContain('For 25141 s, from 2026-11-20T05:00:59Z to 2026-11-20T12:00:00Z');
  });
  it('a system that did not answer is no gap where k6 went on writing', async () => {
    const silent = text([
      ...times.filter((at) => at < T + 20_000 || at >= T + 45_000).map((at) => request(at)),
      ...Array.from({ length: 60 }, (_, i) => gauge(T + i * 1000)),
    ]);
    expect((await suspects(silent))('gaps')).toBeUndefined();
  });
  it('nor is a setup() or a teardown() that takes its time', async () => {
    const own = (at: number, group: string) =>
      requestRows(at, 20, { scenario: '' }).replaceAll(',true,,GET', `,true,${group},GET`);
    const rows = [
      own(T - 60_000, '::setup'),
      ...times.map((at) => request(at) + gauge(at)),
      own(T + 120_000, '::teardown'),
    ];
    expect((await suspects(text(rows)))('gaps')).toBeUndefined();
  });
  it('nor is the pause of a slow load', async () => {
    expect((await suspects(text([0, 1, 2, 3, 4, 5].map((i) => request(T + i * 30_000)))))('gaps')).toBeUndefined();
  });
});
