import { popularitySampler } from '../../../../lib/model/popularity.ts';
import { hashSeed, sessionRandom } from '../../../../lib/model/random.ts';
import type { PopularityLaw } from '../../../../lib/model/workload.ts';

/** Views of each item, drawn from a law. */
export function drawnViews(law: PopularityLaw, items: number, views: number, seed: string): Uint32Array {
  const random = sessionRandom(hashSeed(seed), 0);
  const draw = popularitySampler(law, items);
  const result = new Uint32Array(items);
  for (let i = 0; i < views; i++) {
    const item = draw(random);
    result[item] = (result[item] as number) + 1;
  }
  return result;
}
