/**
 * Whether 95 % intervals hold the truth 95 times in 100: seeded logs are made from a known workload and read back, again and
 * again.
 */

import { popularitySampler } from '../../../lib/model/popularity.ts';
import { hashSeed, sessionRandom } from '../../../lib/model/random.ts';
import { thinkTimeSampler } from '../../../lib/model/think-times.ts';
import type { Workload } from '../../../lib/model/workload.ts';
import { wilson } from '../../traffic/fit/intervals.ts';
import { fitPopularity } from '../../traffic/fit/popularity-fit.ts';
import { fitThinkTimes } from '../../traffic/fit/think-fit.ts';

export interface Coverage {
  readonly what: string;
  readonly inside: number;
  readonly of: number;
  readonly meanWidth: number;
  /** Mean estimate less the truth. */
  readonly bias: number;
}

export interface CoverageOptions {
  readonly repetitions: number;
  readonly sessions: number;
  readonly books: number;
  readonly seed: string;
  readonly replicates?: number;
  readonly onRepetition?: (done: number) => void;
}

/** Exponent of the popularity law, session shares and uniform think-time ends of the workload. */
export function coverage(workload: Workload, options: CoverageOptions): Coverage[] {
  const sums = new Map<string, { inside: number; of: number; width: number; error: number }>();
  const note = (what: string, truth: number, estimate: number, interval: readonly [number, number]): void => {
    const sum = sums.get(what) ?? { inside: 0, of: 0, width: 0, error: 0 };
    sums.set(what, sum);
    sum.of++;
    if (interval[0] <= truth && truth <= interval[1]) sum.inside++;
    sum.width += interval[1] - interval[0];
    sum.error += estimate - truth;
  };
  for (let r = 0; r < options.repetitions; r++) {
    const random = sessionRandom(hashSeed(`${options.seed} coverage`), r);
    shares(workload, options.sessions, random, note);
    thinks(workload, options.sessions, random, note);
    exponent(workload, options, random, r, note);
    options.onRepetition?.(r + 1);
  }
  return [...sums].map(([what, sum]) => ({
    what,
    inside: sum.inside,
    of: sum.of,
    meanWidth: sum.width / sum.of,
    bias: sum.error / sum.of,
  }));
}

type Note = (what: string, truth: number, estimate: number, interval: readonly [number, number]) => void;

function shares(workload: Workload, sessions: number, random: () => number, note: Note): void {
  const flows = Object.entries(workload.flows);
  const counts = flows.map(() => 0);
  for (let i = 0; i < sessions; i++) {
    let u = random();
    let k = 0;
    while (k < flows.length - 1 && u >= (flows[k]?.[1].share ?? 0)) u -= flows[k++]?.[1].share ?? 0;
    counts[k] = (counts[k] as number) + 1;
  }
  flows.forEach(([name, flow], k) => {
    note(`share of ${name}`, flow.share, (counts[k] as number) / sessions, wilson(counts[k] as number, sessions));
  });
}

/** With stamps to the millisecond and to the second. */
function thinks(workload: Workload, sessions: number, random: () => number, note: Note): void {
  const law = workload.flows['browse']?.thinkTimes['list->details'];
  if (law?.law !== 'uniform') return;
  const draw = thinkTimeSampler(law);
  const n = Math.round(0.7 * sessions);
  for (const step of [0.001, 1]) {
    const gaps = Array.from({ length: n }, () => {
      const phase = random() * step;
      return Math.floor((phase + draw(random)) / step) * step;
    });
    const fit = fitThinkTimes(gaps, { step, cut: 1800 })?.families.find((one) => one.family === 'uniform');
    for (const [i, truth] of [law.min, law.max].entries()) {
      const estimate = fit?.parameters[i];
      if (estimate !== undefined)
        note(`think time ${estimate.name}, stamps of ${step} s`, truth, estimate.value, estimate.interval);
    }
  }
}

function exponent(
  workload: Workload,
  options: CoverageOptions,
  random: () => number,
  repetition: number,
  note: Note,
): void {
  const { popularity } = workload;
  if (popularity.law !== 'power' && popularity.law !== 'zipf') return;
  const pick = popularitySampler(popularity, options.books);
  const counts = new Uint32Array(options.books);
  for (let i = 0; i < Math.round(1.7 * options.sessions); i++) {
    const book = pick(random);
    counts[book] = (counts[book] as number) + 1;
  }
  const fit = fitPopularity(counts, {
    catalogue: options.books,
    replicates: options.replicates ?? 60,
    seed: `coverage ${repetition}`,
  });
  const best = fit?.families.find((one) => one.family === popularity.law);
  const truth = popularity.law === 'power' ? popularity.g : popularity.s;
  // A fit that names the other law has missed the truth.
  note(
    `exponent of ${popularity.law}`,
    truth,
    best?.exponent ?? Number.NaN,
    best?.interval ?? [Number.NaN, Number.NaN],
  );
}
