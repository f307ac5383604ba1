/** What two runs say of their caches: hit ratios of first touches and repeats, and whether a cold run was cold. */
import { percent } from '../../../lib/model/figures.ts';
import type { Difference } from '../statistics/difference.ts';
import { studentQuantile } from '../statistics/student.ts';
import { intervalOf, type Ratio, ratio } from './ratio.ts';
import { type Side, TOUCHES, type Touch } from './side.ts';

/** Shares of the requests with the tag `cache`, each with its own 95 % interval. */
export interface HitRow extends Pick<Difference, 'a' | 'b' | 'difference' | 'low' | 'high'> {
  readonly touch: Touch;
  readonly nA: number;
  readonly nB: number;
  readonly intervalA: readonly [number, number];
  readonly intervalB: readonly [number, number];
}

/** Hit ratios that both sides tell. */
export const hitRows = (a: Side, b: Side): HitRow[] => TOUCHES.flatMap((touch) => hitRow(a, b, touch) ?? []);

function hitRow(a: Side, b: Side, touch: Touch): HitRow | undefined {
  const [inA, inB] = [a.touches.get(touch), b.touches.get(touch)];
  if (inA === undefined || inB === undefined) return undefined;
  const [one, other] = [ratio(inA.hits), ratio(inB.hits)];
  const difference = other.value - one.value;
  const { half } = intervalOf(one, other, 1);
  return {
    touch,
    nA: inA.n,
    nB: inB.n,
    a: one.value,
    b: other.value,
    difference,
    low: difference - half,
    high: difference + half,
    intervalA: shareInterval(one),
    intervalB: shareInterval(other),
  };
}

/** 95 % interval of a share. */
const shareInterval = ({ value, spread, blocks }: Ratio): readonly [number, number] => {
  const half = studentQuantile(0.975, Math.max(2, blocks - 1)) * spread;
  return [Math.max(0, value - half), Math.min(1, value + half)];
};

/** An empty cache answers no first touch; a few may be second touches of what the pre-flight asked for. */
const COLD_HITS = 0.02;

/** Why a run that was declared cold was not: what it asked for the first time came from the cache. */
export function notCold({ touches, declared }: Side, name: string): string[] {
  const first = touches.get('first touch');
  if (declared !== 'cold' || first === undefined) return [];
  const found = ratio(first.hits);
  const [low, high] = shareInterval(found);
  if (low <= COLD_HITS) return [];
  return [
    `${name} was run as CACHE=cold and was not cold: ${percent(found.value)} (${percent(low)} to ${percent(high)}) of its ${first.n} first requests for an item came from the cache; restart or purge the system right before the run`,
  ];
}

/** What cannot be told of the caches, and what would tell it; nothing where no side declares a state. */
export function cacheUnknown(a: Side, b: Side): string | undefined {
  if (a.declared === undefined && b.declared === undefined) return undefined;
  const untold = [a, b].filter(({ touches }) => !touches.has('first touch'));
  if (untold.length === 0) return undefined;
  return 'whether the cold run was cold is not known: run both with CACHE_TAG=item against a system that sends X-Cache';
}
