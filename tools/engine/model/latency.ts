/** Laws of the time that a server works on a request. */
import type { Random } from '../../../lib/model/random.ts';

/** All times in ms. */
export type LatencyLaw =
  | { readonly law: 'fixed'; readonly ms: number }
  | { readonly law: 'exponential'; readonly mean: number }
  /**
   * ln(X) normal around ln(median) with deviation sigma; with probability `tail.share` the time is drawn from a Pareto law
   * that begins at `tail.from` and has exponent `tail.exponent`.
   */
  | {
      readonly law: 'lognormal';
      readonly median: number;
      readonly sigma: number;
      readonly tail?: { readonly share: number; readonly from: number; readonly exponent: number };
    }
  /** Equally spaced quantiles from probability 0 to 1, linear between them. */
  | { readonly law: 'empirical'; readonly quantiles: readonly number[] };

/** Longest time that a Pareto tail can give, as a multiple of its beginning; moments stay finite. */
const TAIL_CAP = 1000;

export function latencySampler(law: LatencyLaw): (random: Random) => number {
  switch (law.law) {
    case 'fixed':
      return () => law.ms;
    case 'exponential':
      return (random) => -law.mean * Math.log(1 - random());
    case 'lognormal': {
      const { median, sigma, tail } = law;
      return (random) => {
        if (tail !== undefined && random() < tail.share) {
          return tail.from * Math.min(TAIL_CAP, (1 - random()) ** (-1 / tail.exponent));
        }
        // Box-Muller: exact, and two uniforms a draw whatever they are.
        const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
        return median * Math.exp(sigma * normal);
      };
    }
    case 'empirical': {
      const { quantiles } = law;
      return (random) => {
        const at = random() * (quantiles.length - 1);
        const low = Math.floor(at);
        const below = quantiles[low] ?? 0;
        return below + ((quantiles[low + 1] ?? below) - below) * (at - low);
      };
    }
  }
}

/** Mean of a law, ms; the Pareto cap is left out of account. */
export function latencyMean(law: LatencyLaw): number {
  switch (law.law) {
    case 'fixed':
      return law.ms;
    case 'exponential':
      return law.mean;
    case 'lognormal': {
      const body = law.median * Math.exp(law.sigma ** 2 / 2);
      if (law.tail === undefined) return body;
      const { share, from, exponent } = law.tail;
      return (1 - share) * body + share * ((from * exponent) / (exponent - 1));
    }
    case 'empirical': {
      const q = law.quantiles;
      let sum = 0;
      for (let i = 1; i < q.length; i++) sum += ((q[i - 1] ?? 0) + (q[i] ?? 0)) / 2;
      return q.length > 1 ? sum / (q.length - 1) : (q[0] ?? 0);
    }
  }
}
