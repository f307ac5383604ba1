import { describe, expect, it } from 'vitest';
import { arrivedBy, rampArea, rampInstants } from '../../../lib/k6/ramp.ts';

describe('arrivals along stages', () => {
  const STAGES = [
    { target: 10, duration: 4 },
    { target: 10, duration: 10 },
    { target: 2, duration: 0 },
    { target: 2, duration: 0.5 },
  ];

  it('are the area below the rate', () => {
    // A triangle of 4 x 10 / 2, a rectangle of 10 x 10, a jump, 0.5 x 2.
    expect([-1, 0, 2, 4, 9, 14, 14.5, 99].map((at) => rampArea(0, STAGES, at))).toEqual([
      0, 0, 5, 20, 70, 120, 121, 121,
    ]);
    expect(rampArea(0, STAGES)).toBe(121);
    expect(rampArea(6, [{ target: 2, duration: 10 }])).toBe(40);
    expect(rampArea(5, [])).toBe(0);
  });

  it("are those of an executor's options, per time unit", () => {
    const stages = STAGES.map(({ target, duration }) => ({ target, duration: `${duration}s` }));
    const ramp = (at?: number) => arrivedBy({ startRate: 0, timeUnit: '2s', stages }, at);
    expect([0, 2, 4, 9, 14, 14.5, 99].map(ramp)).toEqual([0, 2.5, 10, 35, 60, 60.5, 60.5]);
    expect(ramp()).toBe(60.5);
    const constant = (at?: number) => arrivedBy({ rate: 30, timeUnit: '1m', duration: '1m30s' }, at);
    expect([-1, 0, 4, 90, 99].map(constant)).toEqual([0, 0, 2, 45, 45]);
    expect(constant()).toBe(45);
  });

  it('are due at the instants where that area reaches whole numbers', () => {
    const instants = [...rampInstants(0, STAGES, (i) => i + 1)];
    expect(instants).toHaveLength(121);
    for (const [i, at] of instants.entries()) expect(rampArea(0, STAGES, at)).toBeCloseTo(i + 1, 9);
    // n = 10 t^2 / 8 while the rate rises.
    expect(instants[4]).toBeCloseTo(2, 12);
    // Every fourth, from the second on: an instance's stripe.
    expect([...rampInstants(0, STAGES, (i) => 2 + 4 * i)]).toEqual(instants.filter((_, i) => i % 4 === 1));
    expect([...rampInstants(4, [{ target: 0, duration: 2 }], (i) => i + 1)].at(-1)).toBe(2);
  });
});
