import { describe, expect, it } from 'vitest';
import { tickOffsets } from '../../../tools/engine/executors/arrival-rate.ts';
import { rampSteps } from '../../../tools/engine/executors/closed.ts';
import { type ScenarioOf, scenariosOf } from '../../../tools/engine/scenarios.ts';
import { stripingOf, WHOLE } from '../../../tools/engine/segment.ts';

type Arrival = ScenarioOf<'constant-arrival-rate'> | ScenarioOf<'ramping-arrival-rate'>;

function arrival(fields: Record<string, unknown>): Arrival {
  const [scenario] = scenariosOf({ scenarios: { s: { preAllocatedVUs: 5, ...fields } } }, () => undefined);
  return scenario as Arrival;
}

describe('ticks of the arrival-rate executors', () => {
  it('are a metronome with one tick more than rate times duration', () => {
    const ticks = [...tickOffsets(arrival({ executor: 'constant-arrival-rate', rate: 20, duration: '1s' }), WHOLE)];
    expect(ticks).toHaveLength(21);
    expect(ticks.at(0)).toBe(0);
    expect(ticks.at(-1)).toBeCloseTo(1000, 9);
  });

  it('fall where the integral of a ramp reaches whole numbers', () => {
    // Rate 0 to 20/s in 2 s: N(t) = 5 t^2, so tick n lies at sqrt(n / 5) s, and there are 20.
    const scenario = arrival({
      executor: 'ramping-arrival-rate',
      startRate: 0,
      stages: [{ duration: '2s', target: 20 }],
    });
    const ticks = [...tickOffsets(scenario, WHOLE)];
    expect(ticks).toHaveLength(20);
    for (const [i, tick] of ticks.entries()) expect(tick).toBeCloseTo(1000 * Math.sqrt((i + 1) / 5), 6);
  });

  it('take stages of length zero as jumps, hundreds of them without losing a tick', () => {
    const stages = Array.from({ length: 600 }, (_, i) => ({
      duration: i % 2 === 0 ? '0s' : '1s',
      target: i % 4 < 2 ? 3 : 7,
    }));
    const scenario = arrival({ executor: 'ramping-arrival-rate', startRate: 0, stages });
    // 150 seconds at 3/s and 150 at 7/s.
    expect([...tickOffsets(scenario, WHOLE)]).toHaveLength(1500);
  });

  it('are shared between segments without gap or overlap', () => {
    const scenario = arrival({ executor: 'constant-arrival-rate', rate: 30, duration: '1s' });
    const all = [...tickOffsets(scenario, WHOLE)];
    const parts = ['0:1/2', '1/2:1'].map((s) => [...tickOffsets(scenario, stripingOf(s, '0,1/2,1'))]);
    expect(parts.flat().sort((a, b) => a - b)).toEqual(all);
  });
});

describe('steps of ramping-vus', () => {
  it('spread a ramp evenly and jump where a stage has no length', () => {
    const steps = rampSteps(0, [
      { duration: 4000, target: 2 },
      { duration: 0, target: 5 },
      { duration: 3000, target: 4 },
    ]);
    expect(steps).toEqual([
      { at: 0, vus: 0 },
      { at: 2000, vus: 1 },
      { at: 4000, vus: 2 },
      { at: 4000, vus: 5 },
      { at: 7000, vus: 4 },
    ]);
  });
});
