/**
 * Arrivals of k6's arrival-rate executors. The rate changes linearly within a stage and starts at the target of the stage
 * before; a stage without length is a jump. An iteration starts whenever the integral of the rate reaches a whole number.
 */
import { durationSeconds } from './duration.ts';

/** `duration` and the rates have one unit of time. */
export interface RampStage {
  readonly duration: number;
  /** Rate at the end of the stage. */
  readonly target: number;
}

/** Integral of the rate from the start to `elapsed`, or to the end of the last stage. */
export function rampArea(startRate: number, stages: readonly RampStage[], elapsed = Number.POSITIVE_INFINITY): number {
  let from = startRate;
  let left = elapsed;
  let sum = 0;
  for (const { target, duration } of stages) {
    if (left <= 0) break;
    const part = Math.min(duration, left);
    if (duration > 0) sum += part * (from + ((target - from) * part) / duration / 2);
    left -= duration;
    from = target;
  }
  return sum;
}

/**
 * Instants at which the integral reaches `ordinal(0)`, `ordinal(1)` and so on, rising numbers from 1 on; none after the end.
 * Within a stage the integral is a quadratic in t, solved for t.
 */
export function* rampInstants(
  startRate: number,
  stages: readonly RampStage[],
  ordinal: (i: number) => number,
): Generator<number> {
  let i = 0;
  let done = 0;
  let from = startRate;
  let stageStart = 0;
  for (const { duration, target } of stages) {
    const area = ((from + target) / 2) * duration;
    const slope = duration === 0 ? 0 : (target - from) / duration;
    for (; ; i++) {
      const wanted = ordinal(i) - done;
      // Sums of hundreds of stages miss whole numbers by rounding alone.
      if (duration === 0 || wanted > area + 1e-9) break;
      yield stageStart + Math.min(duration, timeOfArea(from, slope, wanted));
    }
    done += area;
    stageStart += duration;
    from = target;
  }
}

/** Time at which rate `from` with `slope` has added up to `area`: the smaller root of slope/2 t^2 + from t = area. */
function timeOfArea(from: number, slope: number, area: number): number {
  if (Math.abs(slope) < 1e-15) return area / from;
  const root = Math.sqrt(Math.max(0, from * from + 2 * slope * area));
  // Multiplied out so that nearly equal numbers are never subtracted.
  return (2 * area) / (from + root);
}

interface ArrivalOptions {
  readonly rate?: number;
  readonly duration?: string;
  readonly startRate?: number;
  readonly timeUnit?: string;
  readonly stages?: readonly { readonly target: number; readonly duration: string }[];
}

/**
 * Arrivals that the options of an arrival-rate executor ask for, as a fraction too.
 * @param options k6's form, checked; durations as text
 * @param elapsed s from the executor's start; to its end when it is left out
 */
export function arrivedBy(options: Readonly<Record<string, unknown>>, elapsed = Number.POSITIVE_INFINITY): number {
  const { rate, duration, startRate = 0, timeUnit = '1s', stages = [] } = options as ArrivalOptions;
  const seconds = (text: string | undefined, fallback: number) => durationSeconds(text ?? '') ?? fallback;
  const constant: RampStage[] = [{ target: rate ?? 0, duration: seconds(duration, elapsed) }];
  const ramp = rate === undefined ? stages.map((s) => ({ ...s, duration: seconds(s.duration, 0) })) : constant;
  return rampArea(rate ?? startRate, ramp, elapsed) / seconds(timeUnit, 1);
}
