/** Load that was sent against load that was planned: ends before time, iterations cut off, batch jobs. */
import { describe, expect, it } from 'vitest';
import { analyse } from '../../../tools/verdict/analyse.ts';
import { HEADER, made, requestRows } from './support.ts';

const T = 1_795_990_000_000;

const gauge = (from: number, seconds: number) =>
  Array.from({ length: seconds }, (_, i) => `vus,${from + i * 1000},0.000000,,,,,,,,,,,,,,,,\n`).join('');
const iteration = (at: number, ms: number, scenario: string) =>
  `iteration_duration,${at},${ms},,,,,,,,,${scenario},,,,,,,\niterations,${at},1.000000,,,,,,,,,${scenario},,,,,,,\n`;
const dropped = (at: number, n: number, scenario: string) =>
  `dropped_iterations,${at},${n}.000000,,,,,,,,,${scenario},,,,,,,\n`;
/** Ten sessions a second of one request of 20 ms. */
const sessions = (from: number, seconds: number, scenario = 'browse') =>
  Array.from({ length: seconds * 10 }, (_, i) => from + 20 + i * 100)
    .map((at) => requestRows(at, 20, { scenario }) + iteration(at, 20, scenario))
    .join('');

const judged = async (rows: string, options: { plan?: unknown; log?: string } = {}) => {
  const { verdict } = await analyse({
    paths: [made('samples.csv', `${HEADER}\n${rows}`)],
    ...(options.plan === undefined ? {} : { plan: made('options.json', JSON.stringify(options.plan)) }),
    ...(options.log === undefined ? {} : { log: made('k6.log', options.log) }),
  });
  return (rule: string) => verdict.reasons.filter((reason) => reason.rule === rule);
};

describe('stopped early', () => {
  const rate = (duration: string, startTime = '0s') => ({
    scenarios: { browse: { executor: 'constant-arrival-rate', rate: 10, duration, startTime, preAllocatedVUs: 5 } },
  });
  it.each([
    ['a long setup()', '0s', { executor: 'constant-arrival-rate', rate: 10, duration: '60s', preAllocatedVUs: 5 }],
    ['a late start', '40s', { executor: 'constant-arrival-rate', rate: 10, duration: '60s', preAllocatedVUs: 5 }],
    ['a long setup() of a closed scenario', '0s', { executor: 'constant-vus', vus: 1, duration: '60s' }],
  ])('%s hides nothing', async (_, startTime, scenario) => {
    // Half the load after 40 s without any: the samples span 70 of 60 (or of 100) seconds.
    const rows = gauge(T, 70) + sessions(T + 40_000, 30);
    const [found] = (await judged(rows, { plan: { scenarios: { browse: { ...scenario, startTime } } } }))(
      'stopped-early',
    );
    expect(found).toMatchObject({ severity: 'invalid', numbers: { planned: 60 } });
    expect(found?.numbers['seconds']).toBeCloseTo(29.92, 2);
  });

  it.each([
    ['after a long setup()', gauge(T, 100) + sessions(T + 40_000, 60), rate('60s')],
    ['of a late start', gauge(T, 100) + sessions(T + 40_000, 60), rate('60s', '40s')],
    ['with a long teardown()', sessions(T, 60) + gauge(T, 200), rate('60s')],
  ])('the whole load %s is the whole load', async (_, rows, plan) => {
    expect((await judged(rows, { plan }))('stopped-early')).toEqual([]);
  });

  it('a rate that climbs from nothing sends its first session late', async () => {
    // 0 to 0.1/s in 400 s are 20 sessions, the n-th at 400 sqrt(n / 20): the first after 89 s.
    const rows = Array.from({ length: 20 }, (_, i) => T + Math.round(400_000 * Math.sqrt((i + 1) / 20)))
      .map((at) => requestRows(at, 20) + iteration(at, 20, 'browse'))
      .join('');
    const plan = {
      scenarios: {
        browse: {
          executor: 'ramping-arrival-rate',
          startRate: 0,
          timeUnit: '10s',
          stages: [{ duration: '400s', target: 1 }],
          preAllocatedVUs: 5,
        },
      },
    };
    expect((await judged(rows, { plan }))('stopped-early')).toEqual([]);
  });
});

describe("interrupted iterations in k6's text, without a planned number", () => {
  const end = (complete: number, cut: number) =>
    `running (20.0s), 00/20 VUs, ${complete} complete and ${cut} interrupted iterations\n`;
  it.each([
    [600, 40, 'invalid'],
    [600, 20, 'suspect'],
    [600, 3, undefined],
    [600, 0, undefined],
  ])('%i finished, %i interrupted: %s', async (complete, cut, severity) => {
    const found = (await judged(sessions(T, 60), { log: end(complete, cut) }))('accounting');
    expect(found.map((one) => one.severity)).toEqual(severity === undefined ? [] : [severity]);
    if (severity !== undefined) expect(found[0]?.numbers).toMatchObject({ interrupted: cut, finished: 600 });
  });

  it('closed scenarios too, whose number no plan knows', async () => {
    const plan = { scenarios: { browse: { executor: 'ramping-vus', stages: [{ duration: '60s', target: 1 }] } } };
    const found = (await judged(sessions(T, 60), { log: end(600, 40), plan }))('accounting');
    expect(found[0]?.message).toContain('40 interrupted iterations beside 600 that finished (6.3 %)');
  });
});

describe('a batch job that maxDuration ended', () => {
  const plans = {
    'shared-iterations': { executor: 'shared-iterations', vus: 2, iterations: 300, maxDuration: '15s' },
    'per-vu-iterations': { executor: 'per-vu-iterations', vus: 2, iterations: 150, maxDuration: '15s' },
  };
  it.each([
    ['shared-iterations', sessions(T, 15, 'batch') + dropped(T + 15_000, 150, 'batch')],
    [
      'per-vu-iterations',
      sessions(T, 15, 'batch') + dropped(T + 15_000, 80, 'batch') + dropped(T + 15_001, 70, 'batch'),
    ],
  ] as const)('%s: that is the cause, with and without a plan', async (executor, rows) => {
    for (const plan of [undefined, { scenarios: { batch: plans[executor] } }]) {
      const found = (await judged(rows, { plan }))('dropped-iterations');
      expect(found).toHaveLength(1);
      expect(found[0]?.message).toContain('150 of 300 iterations (50 %) of batch were never started: maxDuration');
      // 150 in 14.92 s: 300 in 29.84 s.
      expect(found[0]?.remedy).toContain('about 30 s');
      expect(JSON.stringify(found)).not.toContain('no VU was free');
    }
  });

  it('beside an arrival rate that dropped, each has its own cause', async () => {
    const rows = `${sessions(T, 15, 'batch')}${dropped(T + 15_000, 150, 'batch')}${sessions(T, 15)}${Array.from({ length: 50 }, (_, i) => dropped(T + i * 100, 1, 'browse')).join('')}`;
    const messages = (await judged(rows))('dropped-iterations').map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringContaining('150 of 300 iterations (50 %) of batch were never started'),
      expect.stringContaining('because no VU was free'),
    ]);
  });

  it.each(Object.values(plans))(
    'one that ended is a note, and nobody has to think in it: $executor',
    async (scenario) => {
      const found = await judged(sessions(T, 30, 'batch'), { plan: { scenarios: { batch: scenario } } });
      expect(found('closed-model')).toMatchObject([{ severity: 'note' }]);
      expect(found('think-time')).toEqual([]);
      expect(found('dropped-iterations')).toEqual([]);
    },
  );

  it.each(['constant-vus', 'ramping-vus'])(
    '%s is a closed loop: a note where nothing was held back',
    async (executor) => {
      const scenario =
        executor === 'constant-vus' ? { vus: 1, duration: '30s' } : { stages: [{ duration: '30s', target: 1 }] };
      const found = await judged(sessions(T, 30, 'batch'), {
        plan: { scenarios: { batch: { executor, ...scenario } } },
      });
      expect(found('closed-model')).toMatchObject([{ severity: 'note' }]);
    },
  );
});
