/** Plans from words and from k6's options. */
import { describe, expect, it } from 'vitest';
import { poissonCounts } from '../../../lib/model/arrivals.ts';
import { sessionRandom } from '../../../lib/model/random.ts';
import { loadFromOptions, loadFromWords } from '../../../tools/verdict/planned-load.ts';

const scenario = (options: object) => loadFromOptions({ scenarios: { one: options } }, 'x').scenarios[0];

describe('plan in words', () => {
  it('rate x duration, maxVUs', () => {
    expect(loadFromWords('rate=50, duration=4s, maxVUs=3')).toMatchObject({
      maxVUs: 3,
      seconds: 4,
      scenarios: [{ name: '*', open: true, iterations: 200, rate: 50 }],
    });
    expect(loadFromWords('vus=10,duration=1m').scenarios[0]).toMatchObject({
      open: false,
      executor: 'constant-vus',
      seconds: 60,
    });
  });

  it('names a wrong word, its place and the known ones', () => {
    expect(() => loadFromWords('rat=50')).toThrow(/unknown word "rat"; known are rate/);
    expect(() => loadFromWords('rate=fast')).toThrow(/"fast" is no number/);
    expect(() => loadFromWords('duration=4 parsecs')).toThrow(/no duration/);
  });
});

describe("plan in k6's options", () => {
  it('arrival rates with time unit, ramps as areas', () => {
    expect(
      scenario({ executor: 'constant-arrival-rate', rate: 600, timeUnit: '1m', duration: '1m30s', preAllocatedVUs: 5 }),
    ).toMatchObject({ iterations: 900, seconds: 90, maxVUs: 5, steady: true });
    const ramp = scenario({
      executor: 'ramping-arrival-rate',
      startRate: 0,
      stages: [
        { target: 10, duration: '10s' },
        { target: 10, duration: '5s' },
      ],
      preAllocatedVUs: 1,
      maxVUs: 9,
    });
    // Triangle 10 x 10 / 2, then 5 x 10.
    expect(ramp).toMatchObject({ iterations: 100, seconds: 15, steady: false, maxVUs: 9 });
  });

  it('random one-second counts are one rate, a staircase is not', () => {
    const steps = (counts: readonly number[], seconds: string) =>
      scenario({
        executor: 'ramping-arrival-rate',
        startRate: counts[0],
        timeUnit: '1s',
        preAllocatedVUs: 1,
        stages: counts.flatMap((target) => [
          { target, duration: '0s' },
          { target, duration: seconds },
        ]),
      });
    for (let seed = 0; seed < 20; seed++)
      expect(steps(poissonCounts(840, 60, sessionRandom(seed, 0)), '1s')?.steady).toBe(true);
    expect(steps([5, 20], '10s')?.steady).toBe(false);
    expect(steps([10, 15, 20, 25], '30s')?.steady).toBe(false);
  });

  it('closed executors and segments', () => {
    expect(scenario({ executor: 'per-vu-iterations', vus: 4, iterations: 25 })).toMatchObject({
      open: false,
      iterations: 100,
    });
    expect(
      loadFromOptions(
        {
          executionSegment: '0:1/4',
          scenarios: { a: { executor: 'constant-arrival-rate', rate: 40, duration: '10s', preAllocatedVUs: 8 } },
        },
        'x',
      ).scenarios[0],
    ).toMatchObject({ iterations: 100, rate: 10, maxVUs: 2 });
  });
});
