/** The line by which k6 announces a scenario, such as `20.00 iterations/s for 4s (maxVUs: 5-10, gracefulStop: 30s)`, as a plan. */
import { durationSeconds } from '../../../lib/k6/duration.ts';
import { optional } from '../../base/optional.ts';
import type { ScenarioLoad } from '../planned-load.ts';

/** k6 prints rates with two decimals: half of the last one is what a rate may be off. */
const RATE_ROUNDING = 0.005;

/** Share of a rate that its rounding may be before the planned number of iterations is left unsaid. */
const ROUNDING_SHARE = 0.002;

type Words = readonly string[];
type Described = Omit<ScenarioLoad, 'name' | 'startSeconds' | 'preAllocatedVUs'>;

interface Wording {
  readonly pattern: RegExp;
  readonly load: (words: Words) => Described;
}

/** All executors of k6 0.27 to 2.x; the words have not changed since, `externally-controlled` is gone in 2.0. */
const WORDINGS: readonly Wording[] = [
  {
    pattern: /^([\d.]+) iterations\/s for (\S+)$/,
    load: ([rate, length]) => {
      const perSecond = Number(rate);
      const seconds = durationSeconds(length ?? '');
      const known = seconds !== undefined && RATE_ROUNDING <= ROUNDING_SHARE * perSecond;
      return {
        ...open('constant-arrival-rate', perSecond, seconds),
        ...optional('iterations', known ? perSecond * seconds : undefined),
      };
    },
  },
  {
    // Only the highest rate is said, so that the number of iterations is not known.
    pattern: /^Up to ([\d.]+) iterations\/s for (\S+) over (\d+) stages?$/,
    load: ([rate, length]) => ({
      ...open('ramping-arrival-rate', Number(rate), durationSeconds(length ?? '')),
      steady: false,
    }),
  },
  {
    pattern: /^(\d+) looping VUs? for (\S+)$/,
    load: ([vus, length]) => ({
      ...closed('constant-vus', Number(vus)),
      ...optional('seconds', durationSeconds(length ?? '')),
    }),
  },
  {
    pattern: /^Up to (\d+) looping VUs? for (\S+) over (\d+) stages?$/,
    load: ([vus, length]) => ({
      ...closed('ramping-vus', Number(vus)),
      steady: false,
      ...optional('seconds', durationSeconds(length ?? '')),
    }),
  },
  {
    pattern: /^(\d+) iterations? for each of (\d+) VUs?$/,
    load: ([each, vus]) => ({
      ...closed('per-vu-iterations', Number(vus)),
      iterations: Number(each) * Number(vus),
    }),
  },
  {
    pattern: /^(\d+) iterations? shared among (\d+) VUs?$/,
    load: ([all, vus]) => ({ ...closed('shared-iterations', Number(vus)), iterations: Number(all) }),
  },
  {
    pattern: /^Externally controlled execution with (\d+) VUs, (\d+) max VUs, (\S+) duration$/,
    load: ([, most, length]) => ({
      ...closed('externally-controlled', Number(most)),
      ...optional('seconds', length === 'infinite' ? undefined : durationSeconds(length ?? '')),
    }),
  },
];

function open(executor: string, rate: number, seconds: number | undefined): Described {
  return { executor, open: true, steady: true, rate, ...optional('seconds', seconds) };
}

function closed(executor: string, maxVUs: number): Described {
  return { executor, open: false, steady: true, maxVUs };
}

/** The scenario that a description speaks of; undefined for words that no executor has. */
export function loadOfDescription(name: string, description: string): ScenarioLoad | undefined {
  const [, words = '', inside = ''] = /^(.*?)(?:\s+\(([^()]*)\))?\s*$/.exec(description) ?? [];
  const facts = new Map(
    inside.split(', ').flatMap((fact) => {
      const [, key, value] = /^(\w+): (.*)$/.exec(fact) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value] as const];
    }),
  );
  for (const { pattern, load } of WORDINGS) {
    const found = pattern.exec(words.trim());
    if (found === null) continue;
    const [preallocated, most] = (facts.get('maxVUs') ?? '').split('-').map(Number);
    return {
      name,
      startSeconds: durationSeconds(facts.get('startTime') ?? '0s') ?? 0,
      ...load(found.slice(1)),
      ...(facts.has('maxVUs') ? { preAllocatedVUs: preallocated ?? 0, maxVUs: most ?? preallocated ?? 0 } : {}),
    };
  }
  return undefined;
}
