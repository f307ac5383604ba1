/** What k6's arrival-rate executors make of their options, as arithmetic: the instants at which sessions are due. */
import type { PoissonStages } from '../../lib/model/arrivals.ts';

/** Seconds of a k6 duration in milliseconds. */
export function seconds(duration: string): number {
  if (!/^\d+(\.\d+)?ms$|^0s$/.test(duration)) throw new RangeError(`not a duration in ms: ${duration}`);
  return Number.parseFloat(duration) / (duration.endsWith('ms') ? 1_000 : 1);
}

/** `ramping-arrival-rate` with stages that jump: a session is due whenever the integral of the rate reaches a whole number. */
export function rampingTicks({ startRate, timeUnit, stages }: PoissonStages): number[] {
  const unit = seconds(timeUnit);
  const ticks: number[] = [];
  let at = 0;
  let rate = startRate;
  let integral = 0;
  for (const { target, duration } of stages) {
    const length = seconds(duration);
    if (length > 0) {
      if (target !== rate) throw new RangeError('a stage of some length must hold its rate');
      const end = integral + (target / unit) * length;
      while (ticks.length + 1 <= end) ticks.push(at + ((ticks.length + 1 - integral) * unit) / target);
      integral = end;
    }
    rate = target;
    at += length;
  }
  return ticks;
}

/** `constant-arrival-rate`: one session every timeUnit / rate, the first at once. */
export function constantTicks({ rate, timeUnit }: { rate: number; timeUnit: string }, length: number): number[] {
  const period = seconds(timeUnit) / rate;
  return Array.from({ length: Math.ceil(length / period - 1e-9) }, (_, i) => i * period);
}
