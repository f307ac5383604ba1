/** Long lists of stages in a manifest: small, and the same when they are read again. */
import { describe, expect, it } from 'vitest';
import { sessionRandom } from '../../../lib/model/random.ts';
import { packStages, unpackStages } from '../../../tools/results/stages.ts';
import { loadFromOptions } from '../../../tools/verdict/planned-load.ts';
import { poissonStages } from '../../support/poisson-stages.ts';

const random = sessionRandom(3, 1);
const hour = poissonStages(20, 3600, random);
const options = {
  stages: [{ duration: '1s', target: 3 }],
  scenarios: {
    mix: { executor: 'ramping-arrival-rate', ...hour, preAllocatedVUs: 1, maxVUs: 2 },
    few: { executor: 'ramping-vus', stages: [{ duration: '3s', target: 5 }] },
    none: { executor: 'constant-vus', vus: 1, duration: '1s' },
  },
};

describe('stages in a manifest', () => {
  it('take a tenth of the room and come back as they were', () => {
    const packed = packStages(options) ?? {};
    const text = JSON.stringify(packed);
    expect(text.length).toBeLessThan(JSON.stringify(options).length / 10);
    expect(unpackStages(JSON.parse(text) as Record<string, unknown>)).toEqual(options);
    expect(loadFromOptions(unpackStages(packed), 'packed')).toEqual({
      ...loadFromOptions(options, 'whole'),
      source: 'packed',
    });
  });

  it('stay readable when they are few, and say how many they are when not', () => {
    const packed = packStages(options) as typeof options;
    expect(packed.stages).toEqual(options.stages);
    expect(packed.scenarios.few).toEqual(options.scenarios.few);
    const { count, first } = packed.scenarios.mix.stages as unknown as { count: number; first: unknown[] };
    expect(count).toBe(hour.stages.length);
    expect(first).toEqual(hour.stages.slice(0, first.length));
    expect(packStages(null)).toBeNull();
  });

  it('are refused when they are damaged', () => {
    const packed = packStages(options) as typeof options;
    const damaged = { ...(packed.scenarios.mix.stages as unknown as object), sha256: '0' };
    expect(() => unpackStages({ scenarios: { mix: { stages: damaged } } })).toThrow('damaged');
  });
});
